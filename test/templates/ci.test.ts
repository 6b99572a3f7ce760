import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { temporaryDirectory } from '../cleanup.js';
import { gitIn, makeWorld, put, type TestWorld } from '../provenance/verify/world.js';

const templates = join(packageRoot(), 'templates');
const action = join(templates, 'github', 'verify-provenance');

/** The command of a step, as the file of the action or pipeline holds it. */
function commandOf(file: string, wanted: RegExp): string {
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .map((text) => text.replace(/^\s*(?:run:|-)\s+/, ''))
    .find((text) => wanted.test(text));
  return line ?? assert.fail(`${file} has no such step`);
}

interface Remote {
  readonly world: TestWorld;
  /** A bare repository with the branches, and the log unless `log` is false. */
  readonly url: string;
  readonly base: string;
}

/** An operator's repository whose branch `work` holds what an agent did, pushed with its log. */
async function pushed(
  t: TestContext,
  { change = () => {}, log = true }: { change?: (world: TestWorld) => void; log?: boolean } = {},
): Promise<Remote> {
  const world = await makeWorld(t, {
    files: { 'a.txt': 'one\ntwo\nthree\n', signers: 'olga@example.org ssh-ed25519 AAAA\n' },
  });
  await world.open('ep1');
  await world.call('ailang-edit', { path: 'a.txt', old_text: 'two\n', new_text: 'two and a half\n' });
  const trailer = await world.trailer();
  world.git('checkout', '-q', '-b', 'work');
  world.git('checkout', '-q', /tree=([0-9a-f]+)/.exec(trailer)?.[1] ?? '', '--', 'a.txt');
  change(world);
  world.git('add', '-A');
  world.git('commit', '-q', '-m', `Say it precisely\n\n${trailer}`);
  const base = temporaryDirectory(t);
  const url = join(base, 'remote.git');
  world.git('init', '-q', '--bare', url);
  world.git('push', '-q', url, 'main', 'work');
  const id = /world=([0-9a-f]+)/.exec(trailer)?.[1];
  if (log) world.git('push', '-q', url, `refs/world/log:refs/world/logs/${id}`);
  return { world, url, base };
}

/** What a runner does: a clone with both commits, the programs installed, the step's command with its variables. */
function runStep(
  { url, base }: Remote,
  variables: Readonly<Record<string, string>> = {},
  command = commandOf(join(action, 'action.yml'), /verify-pull-request/),
): SpawnSyncReturns<string> {
  const [home, bin, clone] = [join(base, 'home'), join(base, 'bin'), join(base, 'clone')];
  for (const directory of [home, bin]) mkdirSync(directory);
  gitIn(base, home)('clone', '-q', url, clone);
  // Stands for `npm install --global`, which needs a registry: the same program under the same name.
  const program = join(bin, 'ailang-worldd');
  writeFileSync(
    program,
    `#!/bin/sh\nexec "${process.execPath}" "${join(packageRoot(), 'dist', 'ailang-worldd.js')}" "$@"\n`,
  );
  chmodSync(program, 0o755);
  return spawnSync('sh', ['-eu', '-c', command], {
    cwd: clone,
    encoding: 'utf8',
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: home,
      GITHUB_ACTION_PATH: action,
      BASE: 'origin/main',
      HEAD: 'origin/work',
      ...variables,
    },
  });
}

test('the workflow ends green for an honest pull request', async (t) => {
  const { status, stdout, stderr } = runStep(await pushed(t));
  assert.deepEqual({ status, annotations: /::error/.test(stdout) }, { status: 0, annotations: false }, stdout + stderr);
});

test('the workflow ends red for a smuggled line, with an annotation on that line', async (t) => {
  const smuggle = ({ repository }: TestWorld): void =>
    put(repository, { 'a.txt': 'one\ntwo and a half\nthree\nsmuggled\n' });
  const { status, stdout } = runStep(await pushed(t, { change: smuggle }));
  assert.equal(status, 3);
  assert.deepEqual(stdout.match(/^::error file=[^:]*/gm), [
    '::error file=a.txt,line=4,endLine=4,title=Not made through World',
  ]);
});

test('a pull request whose log was pushed nowhere is red; one of a fork that holds its log is green', async (t) => {
  const remote = await pushed(t, { log: false });
  assert.equal(runStep(remote).status, 3);
  const fork = await pushed(t);
  const upstream = { ...fork, url: join(fork.base, 'upstream.git') };
  fork.world.git('clone', '-q', '--bare', fork.url, upstream.url);
  const { status, stdout, stderr } = runStep(upstream, { LOG_REMOTES: `origin ${fork.url}` });
  assert.equal(status, 0, stdout + stderr);
});

test('without a trailer there is nothing to prove, unless one is required; the text of the pull request may hold it', async (t) => {
  const remote = await pushed(t);
  const trailer = remote.world.git('log', '-1', '--format=%(trailers)', 'work').trim();
  remote.world.git('commit', '-q', '--amend', '-m', 'No trailer');
  remote.world.git('push', '-q', '--force', remote.url, 'work');
  for (const [variables, expected] of [
    [{}, 0],
    [{ TRAILER: 'required' }, 3],
    [{ TRAILER: 'required', BODY: `A text\r\n\r\n${trailer}\r\n` }, 0],
  ] as const) {
    const again = { ...remote, base: temporaryDirectory(t) };
    assert.equal(runStep(again, variables).status, expected);
  }
});

test('a commit that is not there is an error, not a pull request without trailer', async (t) => {
  const { status, stderr } = runStep(await pushed(t), { BASE: '1'.repeat(40) });
  assert.notEqual(status, 0);
  assert.notEqual(status, 3);
  assert.match(stderr, /1{40}/);
});

test('allowed signers are read from the base, not from what the pull request makes of them', async (t) => {
  const remote = await pushed(t, { change: ({ repository }) => put(repository, { signers: 'mallory\n' }) });
  const { status, stdout } = runStep(remote, { SIGNERS: 'signers' });
  assert.equal(status, 3);
  assert.match(stdout, /signature/);
});

test('the GitLab job runs the same script', async (t) => {
  const command = commandOf(join(templates, 'gitlab', 'world-provenance.yml'), /verify-pull-request/).replace(
    '$(npm root --global)/ailang-world',
    packageRoot(),
  );
  const { status, stdout, stderr } = runStep(await pushed(t), { FORMAT: 'text' }, command);
  assert.equal(status, 0, stdout + stderr);
});

test('the workflow has read rights only, keeps no credentials and knows no secret', () => {
  const text = readFileSync(join(templates, 'github', 'world-provenance.yml'), 'utf8');
  assert.match(text, /^permissions:\n {2}contents: read\njobs:/m);
  assert.match(text, /persist-credentials: false/);
  assert.match(text, /^ {2}pull_request:/m);
  for (const file of [
    'github/world-provenance.yml',
    'github/verify-provenance/action.yml',
    'gitlab/world-provenance.yml',
  ])
    assert.doesNotMatch(readFileSync(join(templates, file), 'utf8'), /secrets\.|pull_request_target|run:.*\$\{\{/);
});
