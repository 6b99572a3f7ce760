import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { git } from '../../src/git/child.js';
import { openRepository } from '../../src/git/repository.js';
import { atEnd, temporaryDirectory } from '../cleanup.js';
import { formats, gitText, initRepository } from './temporary-repository.js';

it('finds the repository from a directory below, through links, in either format', async (t) => {
  for (const format of formats) {
    const repository = await initRepository(t, format);
    const root = repository.worktree ?? assert.fail();
    const below = join(root, 'à b', 'c');
    await mkdir(below, { recursive: true });
    const link = join(temporaryDirectory(t), 'link');
    await symlink(below, link);
    const expected = {
      gitDir: join(root, '.git'),
      commonDir: join(root, '.git'),
      worktree: root,
      objectFormat: format,
      refStorage: 'files',
    };
    assert.deepEqual(await openRepository(link), expected);
  }
});

it('answers a bare repository with no worktree', async (t) => {
  const directory = temporaryDirectory(t);
  await git(['init', '-q', '--bare', '.'], { cwd: directory });
  const repository = await openRepository(directory);
  assert.deepEqual([repository.worktree, repository.gitDir], [null, directory]);
});

it('tells the git directory of a linked worktree from the common one', async (t) => {
  const repository = await initRepository(t);
  await gitText(repository, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
  const path = join(temporaryDirectory(t), 'linked');
  await gitText(repository, 'worktree', 'add', '-q', path);
  const linked = await openRepository(path);
  assert.equal(linked.commonDir, repository.commonDir);
  assert.equal(linked.gitDir, join(repository.commonDir, 'worktrees', 'linked'));
  assert.equal(linked.worktree, path);
});

it('refuses with a name and a hint', async (t) => {
  const directory = temporaryDirectory(t);
  await assert.rejects(openRepository(directory), { code: 'not-a-repository', hint: /git init/ });
  await assert.rejects(openRepository(join(directory, 'none')), { code: 'not-a-repository' });
  const repository = await initRepository(t);
  const root = repository.worktree ?? assert.fail();
  await gitText(repository, 'config', 'core.repositoryFormatVersion', '1');
  await gitText(repository, 'config', 'extensions.worktreeConfig', 'true');
  await openRepository(root);
  const config = join(repository.commonDir, 'config');
  for (const extension of ['refStorage = reftable', 'fromTheFuture = 1']) {
    await writeFile(config, `[core]\nrepositoryformatversion = 1\n[extensions]\n${extension}\n`);
    const opened = openRepository(root).then((found) => assert.equal(found.refStorage, 'reftable'));
    if (extension.startsWith('ref')) await opened.catch((error) => assert.equal(error.code, 'repository-unsupported'));
    else await assert.rejects(opened, { code: 'repository-unsupported' });
  }
});

it('refuses a git that is too old, and says when there is none', async (t) => {
  const directory = temporaryDirectory(t);
  const path = process.env.PATH;
  atEnd(t, () => {
    process.env.PATH = path;
  });
  process.env.PATH = directory;
  await assert.rejects(openRepository(directory), { code: 'git-missing' });
  await writeFile(join(directory, 'git'), '#!/bin/sh\necho git version 2.38.1\n', { mode: 0o755 });
  await assert.rejects(openRepository(directory), { code: 'git-too-old' });
});
