import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import git from 'isomorphic-git';
import { connect } from './client.js';
import { makeSandbox, startDaemon, worldd } from './world.js';

/** What every repository must give: git's own tools read the log, and agree with what the daemon answered. */
for (const [name, objectFormat, linked] of [
  ['a SHA-1 repository', 'sha1', false],
  ['a SHA-256 repository', 'sha256', false],
  ['a linked worktree of a SHA-1 repository', 'sha1', true],
  ['a linked worktree of a SHA-256 repository', 'sha256', true],
] as const) {
  test(`in ${name}, git alone reads the log and agrees with the answers`, async (t) => {
    const sandbox = makeSandbox(t, { objectFormat });
    let cwd = sandbox.repository;
    if (linked) {
      cwd = join(sandbox.repository, '..', 'linked');
      sandbox.git('worktree', 'add', '-q', '-b', 'elsewhere', cwd);
    }
    const daemon = await startDaemon(t, sandbox, { cwd });
    const world = await connect(t, daemon);
    const answers: { index: number; text: string }[] = [];
    for (const [tool, args] of [
      ['ailang-read', { path: 'hello.ail' }],
      ['ailang-write', { path: 'notes.txt', content: 'one\n' }],
      ['ailang-edit', { path: 'notes.txt', old_text: 'one', new_text: 'two' }],
      ['ailang-run', { path: 'hello.ail' }],
      ['ailang-read', { path: '../no' }],
    ] as const) {
      const { text, meta } = await world.call(tool, args);
      const index = /"(?:index|entryIndex)":(\d+)/.exec(JSON.stringify(meta))?.[1];
      answers.push({ index: Number(index), text });
    }
    assert.equal(await daemon.stop(), 0);

    sandbox.git('fsck', '--strict');
    const commits = sandbox.git('log', '--reverse', '--format=%H', 'refs/world/log').trim().split('\n');
    for (const { index, text } of answers) {
      const commit = commits[index] ?? '';
      const output = sandbox.git('show', `${commit}:output.json`);
      assert.equal(output, text, `entry ${index}`);
      const world = JSON.parse(sandbox.git('show', `${commit}:world.json`)) as { revision: number; stateRoot: string };
      assert.equal(world.revision, index);
      assert.equal(world.stateRoot, `sha256:${createHash('sha256').update(output).digest('hex')}`);
    }
    const wrote = commits[answers[1]?.index ?? 0] ?? '';
    assert.equal(sandbox.git('show', `${wrote}:worktree/notes.txt`), 'one\n');
    assert.equal(
      sandbox.git('diff', '--name-only', `${wrote}~1:worktree`, `${wrote}:worktree`).trim(),
      'notes.txt',
      'the difference of two snapshots is what the call changed',
    );
    assert.match(sandbox.git('log', '-1', '--format=%B', 'refs/world/log'), /^World-Episode: ep1$/m);

    for (const { index } of answers) {
      const why = await worldd(sandbox, ['why', String(index)], { cwd });
      assert.equal(why.code, 0, why.stdout + why.stderr);
    }
    const provenance = await worldd(sandbox, ['provenance', '--episode', 'ep1'], { cwd });
    assert.equal(provenance.code, 0, provenance.stderr);
    assert.match(
      provenance.stdout,
      /^World-Provenance: store=refs\/world\/log world=[0-9a-f]{16} episode=ep1 entries=\d+-\d+ head=sha256:[0-9a-f]{64} tree=[0-9a-f]+$/m,
    );

    if (objectFormat === 'sha1') {
      const log = await git.log({ fs, dir: sandbox.repository, ref: 'refs/world/log' });
      assert.deepEqual(log.map(({ oid }) => oid).reverse(), commits, 'isomorphic-git sees the same chain');
      for (const { index, text } of answers) {
        const { blob } = await git.readBlob({
          fs,
          dir: sandbox.repository,
          oid: commits[index] ?? '',
          filepath: 'output.json',
        });
        assert.equal(Buffer.from(blob).toString(), text);
      }
    }
  });
}
