import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { EntryIndex } from '../../../src/log/types.js';
import { failing, gitIn, makeWorld, put, type TestWorld, verifyIn, WRITER } from './world.js';

/** What `git add -A; git write-tree` gives for the worktree, in an index of its own. Bytes as they are, as snapshots have them. */
function gitTree(world: TestWorld): string {
  const index = join(world.repository, '.git', 'scratch-index');
  const env = { ...process.env, GIT_INDEX_FILE: index, GIT_CONFIG_NOSYSTEM: '1', HOME: world.repository };
  const run = (...args: string[]): string =>
    execFileSync('git', ['-c', 'core.autocrlf=false', ...args], {
      cwd: world.worktree,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  // Without stat data: every file is read, whatever the index thinks of it.
  run('read-tree', '--reset', 'HEAD');
  run('-c', 'advice.addEmbeddedRepo=false', 'add', '-A');
  return run('write-tree').trim();
}

const name = fc.constantFrom('a.txt', 'dir/b.txt', 'dir/größe.txt', 'dir/x.log', 'über/🐢.txt', 'crlf.txt', 'run.sh');
const text = fc.constantFrom('one\n', 'two\r\nthree\r\n', '', 'no end', '\u0000binary', 'ümlaut\n');
const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), name, text }),
  fc.record({ do: fc.constant('edit' as const), name, text }),
  fc.record({ do: fc.constant('run' as const) }),
  fc.record({ do: fc.constant('read' as const), name }),
  fc.record({ do: fc.constant('outside' as const), name, text }),
  fc.record({ do: fc.constant('remove' as const), name }),
  fc.record({ do: fc.constant('executable' as const), name }),
  fc.record({ do: fc.constant('rename' as const), name }),
  fc.record({ do: fc.constant('link' as const), name }),
  fc.record({ do: fc.constant('ignore' as const), pattern: fc.constantFrom('*.log', 'dir/', '!x.log', 'made.txt') }),
  fc.record({ do: fc.constant('repository' as const), name: fc.constantFrom('nested', 'dir/inner') }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Does the step; true when it was a call. What does not fit what is there is left undone. */
async function perform(world: TestWorld, one: Step): Promise<boolean> {
  const at = (path: string): string => join(world.worktree, path);
  try {
    switch (one.do) {
      case 'write':
        await world.call('ailang-write', { path: one.name, content: one.text });
        return true;
      case 'edit':
        await world.call('ailang-edit', { path: one.name, old_text: 'one', new_text: one.text });
        return true;
      case 'run':
        await world.call('ailang-run', { path: 'writer.ail' });
        return true;
      case 'read':
        await world.call('ailang-read', { path: one.name });
        return true;
      case 'outside':
        put(world.worktree, { [one.name]: one.text });
        break;
      case 'remove':
        rmSync(at(one.name), { recursive: true });
        break;
      case 'executable':
        chmodSync(at(one.name), 0o755);
        break;
      case 'rename':
        renameSync(at(one.name), at('moved.txt'));
        break;
      case 'link':
        symlinkSync('a.txt', at(one.name));
        break;
      case 'ignore':
        put(world.worktree, { '.gitignore': `${one.pattern}\n` });
        break;
      case 'repository': {
        mkdirSync(at(one.name), { recursive: true });
        const git = gitIn(at(one.name), world.repository);
        git('init', '-q');
        git('commit', '-q', '--allow-empty', '-m', 'Nested');
      }
    }
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error, String(error));
  }
  return false;
}

async function play(t: TestContext, steps: readonly Step[], autocrlf: boolean): Promise<void> {
  const world = await makeWorld(t, {
    files: {
      'a.txt': 'one\n',
      'crlf.txt': 'one\r\ntwo\r\n',
      'dir/b.txt': 'one\n',
      'run.sh': 'one\n',
      'writer.ail': WRITER,
    },
    prepare: (git) => {
      git('commit', '-q', '--allow-empty', '-m', 'Pointed at');
      git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},sub`);
      git('commit', '-q', '-m', 'With a submodule');
      execFileSync('mkdir', [join(git('rev-parse', '--show-toplevel').trim(), 'sub')]);
      if (autocrlf) git('config', 'core.autocrlf', 'true');
    },
  });
  await world.open('ep1');
  const { log } = world.world;
  const entryAt = async (index: number) => (await log.entry(index as EntryIndex)) ?? assert.fail(`no entry ${index}`);
  for (const one of steps) {
    const [index, recorded, found] = [log.head.index, log.state.episode('ep1' as never)?.tree, gitTree(world)];
    if (!(await perform(world, one))) continue;
    const drifted = recorded !== found;
    assert.equal(
      log.head.index,
      index + (drifted ? 2 : 1),
      `${JSON.stringify(one)} after ${drifted ? 'a' : 'no'} drift`,
    );
    if (drifted) {
      const drift = await entryAt(index + 1);
      const act = JSON.parse(drift.files.get('operator.json')?.toString() ?? '{}') as Record<string, unknown>;
      assert.deepEqual([act.act, act.previousTree, drift.worktree], ['drift', recorded, found]);
    }
    assert.equal((await entryAt(log.head.index)).worktree, gitTree(world), JSON.stringify(one));
  }
  await world.close();
  assert.deepEqual(failing(await verifyIn(world.repository)), []);
}

test('every entry holds the tree that git add -A would make, and what changed outside stands in a drift entry', async (t) => {
  const steps = fc.array(step, { minLength: 6, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), (drawn, autocrlf) => play(t, drawn, autocrlf)),
    { numRuns: 4 },
  );
});
