import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { decodeRequest, encodeRequest } from '../../../src/log/request-framing.js';
import type { EpisodeId } from '../../../src/log/types.js';
import { temporaryDirectory } from '../../cleanup.js';
import { changeAct, type Draft, Forge, type Forgery, replaceIn } from './forge.js';
import { failing, gitIn, levelOf, makeWorld, put, type TestWorld, verifyIn, WRITER } from './world.js';

/** One honest history that uses every kind of entry; each test forges a copy of its repository. */
let honest: string;
const at: Record<string, number> = {};
const hooks: (() => unknown)[] = [];
const context = { after: (hook: () => unknown) => void hooks.push(hook) } as never;

before(async () => {
  const world = await makeWorld(context, {
    files: {
      'a.txt': 'one\ntwo\nthree\n',
      'writer.ail': WRITER,
      'src/keep.txt': 'kept\n',
      '.gitignore': 'ignored.txt\n',
    },
    prepare: (_, repository) => symlinkSync('a.txt', join(repository, 'link.txt')),
  });
  const mark = (name: string): void => {
    at[name] = world.world.log.head.index;
  };
  await world.open('ep1');
  mark('mint');
  await world.call('ailang-write', { path: 'src/b.txt', content: 'first\n' });
  mark('write');
  await world.call('ailang-edit', { path: 'a.txt', old_text: 'two', new_text: 'zwei' });
  mark('edit');
  await world.call('ailang-read', { path: 'a.txt' });
  mark('read');
  await world.call('ailang-write', { path: 'link.txt', content: 'through the link\n' });
  mark('link');
  await world.call('ailang-write', { path: 'ignored.txt', content: 'x' });
  await world.call('ailang-write', { path: 'src/./b.txt', content: 'second\n' });
  assert.equal((await world.call('ailang-run', { path: 'writer.ail' })).exit_code, 0);
  mark('run');
  await world.call('ailang-read', { zebra: 1, apple: 2 });
  mark('refused');
  await world.call('ailang-check', { path: 'writer.ail' });
  mark('check');
  await world.call('builtins-search', { query: 'println' });
  assert.equal((await world.call('ailang-write', { path: '.github/x', content: 'x' })).ok, false);
  mark('policy');
  put(world.worktree, { 'by-hand.txt': 'by hand\n' });
  await world.call('ailang-read', { path: 'a.txt' });
  mark('after-drift');
  const poor = await world.mint('ep1', [{ effect: 'Ailang.CLI', scope: 'worktree', budget: 1 }]);
  await world.call('ailang-cli', { op: 'version' }, poor);
  mark('cli');
  await world.call('ailang-cli', { op: 'version' }, poor);
  mark('denied');
  await two(world);
  await world.world.desk.closeEpisode('ep1' as EpisodeId);
  mark('close');
  await world.close();
  // Bare and packed: cheap to copy for each forgery.
  honest = join(world.repository, '..', 'bare.git');
  world.git('clone', '-q', '--bare', '.', honest);
  gitIn(honest, honest)('fetch', '-q', world.repository, 'refs/world/log:refs/world/log');
  gitIn(honest, honest)('repack', '-q', '-a', '-d');
});
after(async () => {
  for (const hook of hooks.reverse()) await hook();
});

/** A second episode in between, so that the chain holds more than one. */
async function two(world: TestWorld): Promise<void> {
  await world.open('ep2');
  await world.call('ailang-write', { path: 'a.txt', content: 'of ep2\n' });
}

function copyOf(t: TestContext): string {
  const copy = join(temporaryDirectory(t), 'copy');
  cpSync(honest, copy, { recursive: true });
  return copy;
}

async function forged(t: TestContext, forgery: Forgery) {
  const copy = copyOf(t);
  await Forge.rewrite(copy, forgery);
  return verifyIn(copy);
}

test('an honest log holds on every level', async () => {
  const verdict = await verifyIn(honest);
  assert.deepEqual(
    verdict.logs.flatMap((log) => log.levels.flatMap((level) => level.findings)),
    [],
  );
  assert.equal(verdict.ok, true);
  const [log] = verdict.logs;
  assert.equal(log?.entries, (at.close ?? 0) + 1);
  assert.deepEqual(log?.signatures, { present: 0, checked: 0 });
  const counts = levelOf(verdict, 'trees').counts;
  assert.equal(counts['writes and edits'], 5);
  assert.equal(counts['writes git ignores'], 1);
  assert.equal(counts['paths changed by programs'], 1);
  assert.equal(counts['paths changed outside World'], 1);
  assert.match(levelOf(verdict, 'trees').notes.join('\n'), /not made through World: by-hand\.txt added/);
  const replay = levelOf(verdict, 'replay').counts;
  assert.equal(replay['outputs replayed'], replay.calls);
  assert.equal(replay['not replayable here'], undefined);
  const authority = levelOf(verdict, 'authority').counts;
  assert.deepEqual([authority.denials, authority['refused plans'], authority.sessions], [1, 1, 3]);
});

test('the same log in a clone that fetched only the shared ref, with the network cut', async (t) => {
  const clone = temporaryDirectory(t);
  const git = gitIn(clone, clone);
  git('init', '-q', '-b', 'main');
  const world = (await verifyIn(honest)).logs[0]?.world ?? '';
  git('fetch', '-q', honest, `refs/world/log:refs/world/logs/${world}`);
  const verdict = await verifyIn(clone);
  assert.equal(verdict.ok, true);
  assert.deepEqual(
    verdict.logs.map((log) => [log.ref, log.world]),
    [[`refs/world/logs/${world}`, world]],
  );
});

/** Name, what is forged, the levels that must fail, and what the first finding says. */
const only =
  (index: () => number | undefined, change: (draft: Draft, forge: Forge) => void) =>
  (draft: Draft, forge: Forge): undefined => {
    if (draft.index === index()) change(draft, forge);
  };

const CHAIN: readonly (readonly [string, Forgery['change'], RegExp])[] = [
  [
    'a byte of an output',
    only(
      () => at.read,
      (draft) => replaceIn(draft, 'output.json', 'zwei', 'drei'),
    ),
    /SHA-256 is not the one named as/,
  ],
  [
    'a byte of an input',
    only(
      () => at.write,
      (draft) => replaceIn(draft, 'input.json', 'first', 'fIrst'),
    ),
    /named as record\.input/,
  ],
  [
    'a byte of a plan',
    only(
      () => at.write,
      (draft) => replaceIn(draft, 'plan.json', 'first', 'fIrst'),
    ),
    /named as record\.plan/,
  ],
  [
    'a byte of a request',
    only(
      () => at.write,
      (draft) => replaceIn(draft, 'effects/e1/request', 'first', 'fIrst'),
    ),
    /named as requestRef/,
  ],
  [
    'a byte of a result',
    only(
      () => at.read,
      (draft) => replaceIn(draft, 'effects/e1/result.json', 'zwei', 'drei'),
    ),
    /named as resultRef/,
  ],
  [
    'a budget in a record',
    only(
      () => at.edit,
      (draft) => {
        replaceIn(
          draft,
          'effects/e1/record.json',
          '"budgetBefore":49,"budgetAfter":48',
          '"budgetBefore":50,"budgetAfter":49',
        );
      },
    ),
    /named as record\.effects\[0\]/,
  ],
  [
    'a record that contradicts itself',
    only(
      () => at.edit,
      (draft) => replaceIn(draft, 'effects/e1/record.json', '"budgetAfter":48', '"budgetAfter":49'),
    ),
    /not what its name promises/,
  ],
  [
    'an invocation record',
    only(
      () => at.edit,
      (draft) => replaceIn(draft, 'record.json', '"ep1"', '"ep2"'),
    ),
    /named as transitionRef/,
  ],
  [
    'an operator record',
    only(
      () => at.mint,
      (draft) =>
        changeAct(draft, (act) => {
          act.expiresAt = 9_999_999_999;
        }),
    ),
    /named as transitionRef/,
  ],
  [
    'a tool source',
    only(
      () => 0,
      (draft) => replaceIn(draft, 'transitions/ailang-read.js', /^/, '//\n'),
    ),
    /named as transitionFn of ailang-read/,
  ],
  [
    'an index',
    only(
      () => at.read,
      (draft) => replaceIn(draft, 'entry.json', `"entryIndex":${at.read}`, `"entryIndex":${(at.read ?? 0) + 1}`),
    ),
    /its index is not its place/,
  ],
  [
    'a previous hash',
    only(
      () => at.read,
      (draft) => replaceIn(draft, 'entry.json', /"prevEntryHash":"sha256:./, '"prevEntryHash":"sha256:f'),
    ),
    /prevEntryHash is not/,
  ],
  [
    'an entry hash',
    only(
      () => at.read,
      (draft) => replaceIn(draft, 'entry.json', /"entryHash":"sha256:../, '"entryHash":"sha256:ff'),
    ),
    /entryHash is not/,
  ],
  [
    'a writer',
    only(
      () => at.read,
      (draft) => replaceIn(draft, 'entry.json', 'coordinator:a2a', 'coordinator:b2b'),
    ),
    /entryHash is not/,
  ],
  [
    'a world',
    only(
      () => at.read,
      (draft) => replaceIn(draft, 'world.json', /"stateRoot":"sha256:../, '"stateRoot":"sha256:ff'),
    ),
    /named as stateRoot/,
  ],
  ['an entry left out', (draft) => (draft.index === at.read ? false : undefined), /its index is not its place/],
  [
    'a second parent',
    only(
      () => at.read,
      (draft) => {
        draft.parents = [...draft.parents, ...draft.parents];
      },
    ),
    /other parents/,
  ],
  [
    'a parent cut off',
    only(
      () => at.read,
      (draft) => {
        draft.parents = [];
      },
    ),
    /its index is not its place|other parents/,
  ],
  [
    'a file too many',
    only(
      () => at.read,
      (draft) => {
        draft.files.set('extra.txt', Buffer.from('x'));
      },
    ),
    /no ref names/,
  ],
  [
    'a file taken out',
    only(
      () => at.read,
      (draft) => {
        draft.files.delete('input.json');
      },
    ),
    /a file of the entry is absent/,
  ],
  [
    'the worktree taken out',
    only(
      () => at.read,
      (draft) => {
        draft.worktree = null;
      },
    ),
    /a file of the entry is absent/,
  ],
];

for (const [name, change, pattern] of CHAIN) {
  test(`chain: ${name} is found`, async (t) => {
    const verdict = await forged(t, { change, consistent: 'bytes' });
    assert.equal(verdict.ok, false);
    const report = levelOf(verdict, 'chain');
    assert.equal(report.holds, false);
    assert.match(report.findings.map((finding) => finding.what).join('\n'), pattern);
    for (const { what, expected, found, meaning, where } of report.findings)
      for (const text of [what, expected, found, meaning, where]) assert.notEqual(text, '');
  });
}

test('chain: a message is for people and proves nothing', async (t) => {
  const change = only(
    () => at.write,
    (draft) => {
      draft.message = 'ailang-write ok lies\n\nWorld-Index: 99\n';
    },
  );
  assert.equal((await forged(t, { change, consistent: 'bytes' })).ok, true);
});

test('chain: an object whose bytes git stores under another id is found', async (t) => {
  const copy = copyOf(t);
  const git = gitIn(copy, copy);
  const commits = git('rev-list', '--reverse', 'refs/world/log').split('\n');
  const real = git('rev-parse', `${commits[at.read ?? 0]}:output.json`).trim();
  const other = execFileSync('git', ['cat-file', 'blob', `${commits[at.edit ?? 0]}:output.json`], { cwd: copy });
  // Everything loose, so that one object can be put in the place of another.
  const packs = readdirSync(join(copy, 'objects/pack')).filter((file) => file.endsWith('.pack'));
  const bytes = packs.map((file) => readFileSync(join(copy, 'objects/pack', file)));
  rmSync(join(copy, 'objects/pack'), { recursive: true });
  for (const input of bytes) execFileSync('git', ['unpack-objects', '-q'], { cwd: copy, input });
  const file = join(copy, 'objects', real.slice(0, 2), real.slice(2));
  rmSync(file, { force: true });
  writeFileSync(file, deflateSync(Buffer.concat([Buffer.from(`blob ${other.length}\0`), other])));
  const report = levelOf(await verifyIn(copy), 'chain');
  assert.match(report.findings[0]?.what ?? '', /git’s own object is not sound/);
});

/** Forgeries whose hashes all agree: only what the entries say is false. */
const MEANING: readonly (readonly [string, Forgery['change'], readonly string[], RegExp])[] = [
  [
    'a budget that was never granted',
    only(
      () => at.edit,
      (draft) => {
        replaceIn(
          draft,
          'effects/e1/record.json',
          '"budgetBefore":49,"budgetAfter":48',
          '"budgetBefore":90,"budgetAfter":89',
        );
      },
    ),
    ['authority'],
    /does not follow from grants and spending/,
  ],
  [
    'a unit given back',
    only(
      () => at.edit,
      (draft) => {
        replaceIn(
          draft,
          'effects/e1/record.json',
          '"budgetBefore":49,"budgetAfter":48',
          '"budgetBefore":50,"budgetAfter":49',
        );
      },
    ),
    ['authority'],
    /does not follow/,
  ],
  [
    'a denial that was none',
    only(
      () => at.denied,
      (draft) => {
        replaceIn(draft, 'effects/e1/record.json', 'denied:budget', 'denied:scope');
      },
    ),
    ['authority', 'replay'],
    /does not follow/,
  ],
  [
    'an allowed effect turned out of a denial',
    only(
      () => at.denied,
      (draft) => {
        replaceIn(
          draft,
          'effects/e1/record.json',
          '"allowed":false,"failed":false,"denial":"denied:budget"',
          '"allowed":true,"failed":true,"denial":""',
        );
        replaceIn(
          draft,
          'effects/e1/record.json',
          '"budgetBefore":0,"budgetAfter":0',
          '"budgetBefore":1,"budgetAfter":0',
        );
      },
    ),
    ['authority', 'replay'],
    /does not follow/,
  ],
  [
    'the session taken out of the log',
    (draft) => (draft.index === at.mint ? false : undefined),
    ['authority'],
    /no session of its episode could see the tool/,
  ],
  [
    'a grant made larger',
    only(
      () => at.mint,
      (draft) =>
        changeAct(draft, (act) => {
          for (const grant of act.grants as { budget: number }[]) grant.budget = 51;
        }),
    ),
    ['authority'],
    /does not follow/,
  ],
  [
    'a grant that had ended',
    only(
      () => at.mint,
      (draft) =>
        changeAct(draft, (act) => {
          for (const grant of act.grants as { expiresAt: number }[]) grant.expiresAt = 5;
        }),
    ),
    ['authority'],
    /does not follow/,
  ],
  [
    'another tool source',
    only(
      () => at.read,
      (draft) => {
        replaceIn(draft, 'record.json', /"transitionFn":"sha256:../, '"transitionFn":"sha256:ff');
        replaceIn(draft, 'entry.json', /"transitionFn":"sha256:../, '"transitionFn":"sha256:ff');
      },
    ),
    ['authority'],
    /had another source/,
  ],
  [
    'an entry twice',
    only(
      () => at.check,
      (draft) => {
        replaceIn(draft, 'record.json', /"invocationId":"mcp:ep1:t\d+"/, '"invocationId":"mcp:ep1:t1"');
      },
    ),
    ['authority'],
    /invocation id was used before/,
  ],
  [
    'another cost in the request',
    only(
      () => at.edit,
      (draft) => {
        const request = decodeRequest(draft.files.get('effects/e1/request') ?? Buffer.alloc(0));
        draft.files.set('effects/e1/request', encodeRequest({ ...request, cost: 0 }));
      },
    ),
    ['authority'],
    /plan, request and record disagree/,
  ],
  [
    'another content in the request',
    only(
      () => at.write,
      (draft) => {
        replaceIn(draft, 'effects/e1/request', 'first', 'fIrst');
      },
    ),
    ['authority', 'trees'],
    /plan, request and record disagree/,
  ],
  [
    'an output the effect did not give',
    only(
      () => at.read,
      (draft) => {
        replaceIn(draft, 'output.json', 'zwei', 'drei');
      },
    ),
    ['replay'],
    /finish gives another output/,
  ],
  [
    'a check that says it passed',
    only(
      () => at.check,
      (draft) => {
        replaceIn(draft, 'output.json', '"passed":true', '"passed":false');
      },
    ),
    ['replay'],
    /finish gives another output/,
  ],
  [
    'arguments that were not given',
    only(
      () => at.write,
      (draft) => {
        replaceIn(draft, 'input.json', 'first', 'fIrst');
      },
    ),
    ['replay'],
    /plan gives another plan/,
  ],
  [
    'a refusal in other words',
    only(
      () => at.refused,
      (draft) => {
        replaceIn(draft, 'plan.json', /unknown argument \\"\w+\\"/, 'unknown argument \\"lemon\\"');
      },
    ),
    ['replay'],
    /plan gives another plan/,
  ],
];

for (const [name, change, levels, pattern] of MEANING) {
  test(`${levels.join(', ')}: ${name} is found although every hash agrees`, async (t) => {
    const verdict = await forged(t, { change, consistent: 'hashes' });
    const said = verdict.logs.flatMap((log) =>
      log.levels.flatMap((level) =>
        level.findings.map((finding) => `${finding.where}: ${finding.what} (${finding.expected} / ${finding.found})`),
      ),
    );
    assert.deepEqual(failing(verdict), levels, said.join('\n'));
    assert.match(said.join('\n'), pattern);
  });
}

/** What the worktree of an entry is changed to. */
const TREES: readonly (readonly [string, () => number | undefined, string, string | null, RegExp])[] = [
  ['a write that smuggles a second file', () => at.write, 'backdoor.txt', 'x', /other files changed than/],
  ['a read that changes a file', () => at.read, 'a.txt', 'changed\n', /files changed although nothing may have/],
  ['an edit with another result', () => at.edit, 'a.txt', 'one\nzwei!\nthree\n', /does not hold what the call wrote/],
  [
    'a write through a link with another result',
    () => at.link,
    'a.txt',
    'not this\n',
    /does not hold what the call wrote/,
  ],
  ['a write that removes its file', () => at.link, 'a.txt', null, /does not hold what the call wrote/],
  ['a refused plan that changes a file', () => at.refused, 'a.txt', 'x', /files changed although nothing may have/],
  ['a denied call that changes a file', () => at.denied, 'a.txt', 'x', /files changed although nothing may have/],
  ['a write the policy refused that changes a file', () => at.policy, 'a.txt', 'x', /although the write was refused/],
];

for (const [name, index, file, content, pattern] of TREES) {
  test(`trees: ${name} is found`, async (t) => {
    const copy = copyOf(t);
    // Needs the tree before the rewrite, which is synchronous.
    const trees = new Map<number, string>();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: copy, encoding: 'utf8' });
    const commits = git('rev-list', '--reverse', 'refs/world/log').split('\n').filter(Boolean);
    const commit = commits[index() ?? 0] ?? '';
    const env = { ...process.env, GIT_INDEX_FILE: join(copy, 'forged-index') };
    execFileSync('git', ['read-tree', `${commit}:worktree`], { cwd: copy, env });
    if (content === null)
      execFileSync('git', ['update-index', '--index-info'], {
        cwd: copy,
        env,
        input: `0 ${'0'.repeat(40)}\t${file}\n`,
      });
    else {
      const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
        cwd: copy,
        input: content,
        encoding: 'utf8',
      }).trim();
      execFileSync('git', ['update-index', '--add', '--cacheinfo', `100644,${blob},${file}`], { cwd: copy, env });
    }
    trees.set(index() ?? 0, execFileSync('git', ['write-tree'], { cwd: copy, env, encoding: 'utf8' }).trim());
    await Forge.rewrite(copy, {
      consistent: 'bytes',
      change: (draft) => {
        draft.worktree = (trees.get(draft.index) as never) ?? draft.worktree;
        return undefined;
      },
    });
    const verdict = await verifyIn(copy);
    const report = levelOf(verdict, 'trees');
    assert.deepEqual(failing(verdict), ['trees']);
    assert.match(report.findings[0]?.what ?? '', pattern);
    assert.equal(report.findings[0]?.entry, index());
  });
}

test('a range reports on its entries only', async (t) => {
  const copy = copyOf(t);
  const change = only(
    () => at.read,
    (draft) => replaceIn(draft, 'output.json', 'zwei', 'drei'),
  );
  await Forge.rewrite(copy, { change, consistent: 'hashes' });
  const read = at.read ?? 0;
  assert.deepEqual(failing(await verifyIn(copy, { range: { first: read, last: read } })), ['replay']);
  assert.deepEqual(failing(await verifyIn(copy, { range: { first: read + 1, last: read + 9 } })), []);
  assert.deepEqual(failing(await verifyIn(copy, { range: { first: 0, last: read - 1 } })), []);
  await assert.rejects(verifyIn(copy, { range: { first: 900, last: 901 } }), { code: 'not-found' });
});
