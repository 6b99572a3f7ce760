import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { ALL_HOOKS, hookScript } from '../../src/hooks/scripts.js';
import { atEnd, temporaryDirectory } from '../cleanup.js';
import { commandLine } from '../cli/command-line.js';
import { gitIn } from '../provenance/verify/world.js';

function repository(t: TestContext, ...init: string[]) {
  const base = temporaryDirectory(t);
  const directory = join(base, 'repo');
  mkdirSync(directory);
  mkdirSync(join(base, 'home'));
  const git = gitIn(directory, join(base, 'home'));
  git('init', '-q', '-b', 'main', ...init);
  git('config', 'user.name', 'Olga Operator');
  git('config', 'user.email', 'olga@example.org');
  return { base, directory, git };
}

/** Everything about the entries of a folder that a person could tell apart. */
function picture(directory: string): readonly string[] {
  return readdirSync(directory)
    .sort()
    .map((name) => {
      const path = join(directory, name);
      const { mode, mtimeMs } = lstatSync(path);
      const content = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'base64');
      return `${name} ${mode.toString(8)} ${mtimeMs} ${content}`;
    });
}

test('every hook is valid POSIX shell, as shipped and as installed', async () => {
  for (const name of ALL_HOOKS) {
    execFileSync('sh', ['-n', join(packageRoot(), 'hooks', name)]);
    const script = await hookScript(name);
    assert.doesNotMatch(script, /@node@|@program@/);
    execFileSync('sh', ['-n'], { input: script });
  }
});

test('install, install again, status and remove leave exactly what was there', async (t) => {
  const { directory, git } = repository(t);
  const hooks = join(directory, '.git', 'hooks');
  writeFileSync(join(hooks, 'pre-push'), '#!/bin/sh\nexit 0\n');
  chmodSync(join(hooks, 'pre-push'), 0o751);
  symlinkSync('../description', join(hooks, 'prepare-commit-msg'));
  const before = picture(hooks);

  for (let round = 0; round < 2; round += 1) {
    const { code, stdout } = await commandLine(['hooks', 'install', '--json'], { cwd: directory });
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), {
      directory: hooks,
      hooks: [
        { name: 'reference-transaction', state: 'installed', chained: false },
        { name: 'prepare-commit-msg', state: 'installed', chained: true },
        { name: 'pre-push', state: 'installed', chained: true },
      ],
    });
  }
  assert.equal(lstatSync(join(hooks, 'pre-push')).mode & 0o777, 0o755);
  git('commit', '-q', '--allow-empty', '-m', 'With hooks');

  writeFileSync(join(hooks, 'pre-push'), `${readFileSync(join(hooks, 'pre-push'), 'utf8')}# older\n`);
  const status = await commandLine(['hooks', 'status'], { cwd: directory });
  assert.match(status.stdout, /reference-transaction {2}installed\n/);
  assert.match(status.stdout, /pre-push {15}installed by another version: install again, calls pre-push/);
  assert.match(status.stdout, /pre-receive {12}not installed\n/);

  const removed = await commandLine(['hooks', 'remove'], { cwd: directory });
  assert.match(removed.stdout, /removed reference-transaction, prepare-commit-msg, pre-push\n/);
  assert.deepEqual(picture(hooks), before);
  assert.match((await commandLine(['hooks', 'remove'], { cwd: directory })).stdout, /no hook of ours/);
  assert.deepEqual(picture(hooks), before);
});

test('a hook someone put in the place of ours is never lost', async (t) => {
  const { directory } = repository(t);
  const hooks = join(directory, '.git', 'hooks');
  writeFileSync(join(hooks, 'pre-push'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  await commandLine(['hooks', 'install'], { cwd: directory });
  writeFileSync(join(hooks, 'pre-push'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const before = picture(hooks);
  for (const action of ['install', 'remove']) {
    const { code, stderr } = await commandLine(['hooks', action], { cwd: directory });
    assert.equal(code, 1);
    assert.match(stderr, /pre-push is not ours, and pre-push\.before-ailang-world is there/);
  }
  assert.deepEqual(picture(hooks), before);
});

test('core.hooksPath of the repository is respected, one for all repositories is refused', async (t) => {
  const { base, directory, git } = repository(t);
  git('config', 'core.hooksPath', 'tools/hooks');
  const installed = await commandLine(['hooks', 'install'], { cwd: directory });
  assert.match(installed.stdout, /\/repo\/tools\/hooks\n/);
  assert.deepEqual(readdirSync(join(directory, 'tools/hooks')).sort(), [
    'pre-push',
    'prepare-commit-msg',
    'reference-transaction',
  ]);
  git('config', '--unset', 'core.hooksPath');
  writeFileSync(join(base, 'global'), `[core]\n\thooksPath = ${base}/everywhere\n`);
  git('config', 'include.path', join(base, 'global'));
  // An include of the repository's own configuration is the repository's choice.
  assert.match((await commandLine(['hooks', 'status'], { cwd: directory })).stdout, /\/everywhere\n/);
  git('config', '--unset', 'include.path');
  const home = process.env.HOME;
  process.env.HOME = join(base, 'home');
  atEnd(t, () => {
    process.env.HOME = home;
  });
  git('config', '--global', 'core.hooksPath', join(base, 'everywhere'));
  const shared = await commandLine(['hooks', 'install'], { cwd: directory });
  assert.equal(shared.code, 1);
  assert.match(shared.stderr, /core\.hooksPath is .*everywhere for all repositories \(global\)\n.*--local/);
});

test('a linked worktree and a bare repository have their hooks where git looks for them', async (t) => {
  const { base, directory, git } = repository(t);
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  git('worktree', 'add', '-q', join(base, 'linked'));
  const linked = await commandLine(['hooks', 'install'], { cwd: join(base, 'linked') });
  assert.ok(linked.stdout.startsWith(`${join(directory, '.git', 'hooks')}\n`));
  const bare = repository(t, '--bare');
  const { stdout } = await commandLine(['hooks', 'install', '--json'], { cwd: bare.directory });
  const names = (JSON.parse(stdout) as { hooks: { name: string }[] }).hooks.map(({ name }) => name);
  assert.deepEqual(names, ['reference-transaction', 'pre-receive']);
  const wrong = await commandLine(['hooks', 'instal'], { cwd: directory });
  assert.match(wrong.stderr, /unknown hooks verb "instal"\n.*did you mean "hooks install"/);
});
