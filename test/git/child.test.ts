import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { filtersOff, git, gitIdentity } from '../../src/git/child.js';
import { atEnd, temporaryDirectory } from '../cleanup.js';
import { gitText, initRepository } from './temporary-repository.js';

it('runs nothing that the repository’s configuration or hooks name', async (t) => {
  const repository = await initRepository(t);
  const cwd = repository.worktree ?? assert.fail();
  const trap = join(repository.commonDir, 'trap');
  const sprung = join(repository.commonDir, 'sprung');
  await writeFile(trap, `#!/bin/sh\necho "$0 $@" >> '${sprung}'\ncat\n`);
  await chmod(trap, 0o755);
  const hooks = join(repository.commonDir, 'hooks');
  await mkdir(hooks, { recursive: true });
  const script = `#!/bin/sh\necho "$0" >> '${sprung}'\n`;
  for (const hook of ['reference-transaction', 'post-index-change', 'pre-commit', 'post-commit', 'post-checkout']) {
    await writeFile(join(hooks, hook), script, { mode: 0o755 });
  }
  for (const key of ['core.fsmonitor', 'core.pager', 'diff.external', 'diff.trap.textconv', 'filter.trap.clean']) {
    await gitText(repository, 'config', key, trap);
  }
  await writeFile(join(cwd, '.gitattributes'), '*.txt filter=trap diff=trap\n');
  await writeFile(join(cwd, 'a.txt'), 'one\n');
  const off = await filtersOff(cwd);
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
  await git([...off, ...identity, 'add', '-A'], { cwd });
  await git([...off, ...identity, 'commit', '-q', '-m', 'x'], { cwd });
  await writeFile(join(cwd, 'a.txt'), 'two\n');
  assert.match((await git([...off, 'diff'], { cwd })).stdout.toString(), /^\+two$/m);
  await git([...off, 'status'], { cwd });
  await git(['log', '-p'], { cwd });
  assert.ok(!(await readdir(repository.commonDir)).includes('sprung'));
});

it('does not listen to GIT_* of its own environment', async (t) => {
  const repository = await initRepository(t);
  process.env.GIT_DIR = '/nowhere';
  atEnd(t, () => delete process.env.GIT_DIR);
  assert.equal(await gitText(repository, 'rev-parse', '--git-dir'), '.git');
});

it('names the sub-command and git’s first line, without secrets', async (t) => {
  const cwd = temporaryDirectory(t);
  await assert.rejects(git(['-c', 'a.b=c', 'rev-parse', '--git-dir'], { cwd }), {
    code: 'git-failed',
    message: 'git rev-parse failed (exit 128): fatal: not a git repository (or any of the parent directories): .git',
  });
  const url = 'zzz://me:hunter2@localhost/x?token=hunter2';
  await assert.rejects(git(['ls-remote', url], { cwd }), (error: Error) => {
    assert.ok(!JSON.stringify({ ...error, message: error.message }).includes('hunter2'));
    return true;
  });
});

it('kills the whole process group at the timeout', async (t) => {
  const cwd = temporaryDirectory(t);
  const alias = ['-c', 'alias.wait=!sleep 60 & echo $! > pid; wait', 'wait'];
  await assert.rejects(git(alias, { cwd, timeoutMs: 300 }), { code: 'git-timeout' });
});

it('bounds the output', async (t) => {
  const repository = await initRepository(t);
  const options = { cwd: repository.commonDir, maxOutputBytes: 10 };
  await assert.rejects(git(['help', '-a'], options), { code: 'git-output-too-large' });
});

it('tells a missing directory from a missing git', async (t) => {
  const cwd = temporaryDirectory(t);
  await assert.rejects(git(['version'], { cwd: join(cwd, 'none') }), { code: 'directory-missing' });
  await assert.rejects(git(['version'], { cwd, env: { PATH: cwd } }), { code: 'git-missing' });
});

it('finds the identity in the environment, then the configuration, or says there is none', async (t) => {
  const repository = await initRepository(t);
  await gitText(repository, 'config', 'user.name', 'Ada Ü');
  await gitText(repository, 'config', 'user.email', 'ada@example.org');
  assert.deepEqual(await gitIdentity(repository, {}), { name: 'Ada Ü', email: 'ada@example.org' });
  const environment = { GIT_AUTHOR_NAME: 'Eve' };
  assert.deepEqual(await gitIdentity(repository, environment), { name: 'Eve', email: 'ada@example.org' });
  await gitText(repository, 'config', 'user.name', '');
  assert.equal(await gitIdentity(repository, {}), null);
});
