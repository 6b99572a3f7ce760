import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryIndex, LogEntry } from '../../src/log/types.js';
import { findResult, findTarget } from '../../src/provenance/target.js';
import { walk } from '../../src/provenance/why.js';
import { whyText } from '../../src/provenance/why-text.js';
import { type Forgery, makeGenesis, makeRead, readerOver, ref } from './hand-made-log.js';

const genesis = makeGenesis();
const read = makeRead(genesis);

const at = (index: number) => ({ index: index as EntryIndex, matchedBy: 'index' });

test('a sound call verifies link by link', async () => {
  const chain = await walk(readerOver([genesis, read]), at(1));
  assert.deepEqual(
    chain.links.map((link) => link.name),
    ['world', 'entry', 'record', 'input', 'plan', 'effect', 'output'],
  );
  assert.equal(chain.ok, true);
  assert.equal(chain.coordinator, true);
  assert.equal(chain.note, undefined);
});

test('the text names what each link holds', async () => {
  const lines = whyText(await walk(readerOver([genesis, read]), at(1)), false).split('\n');
  assert.equal(lines[0], 'why: entry 1 (matched by index)');
  assert.match(lines[1] ?? '', /^✓ world {4}sha256:[0-9a-f]{64} {2}revision 1 stateRoot sha256:.* logHead sha256:/);
  assert.match(
    lines[2] ?? '',
    /^✓ entry .* #1 coordinator:a2a prev sha256:.* transitionFn sha256:.* interpreter sha256:/,
  );
  assert.match(lines[3] ?? '', /world\/invocation-record\/v2 invocation mcp:ep1:1 episode ep1 skill ailang-read$/);
  assert.match(lines[4] ?? '', /^✓ input .* {2}\{"path":"data.txt"\}$/);
  assert.match(lines[5] ?? '', / {2}1 effect\(s\): e1 Workspace\.Read@worktree cost 1$/);
  assert.match(lines[6] ?? '', / {2}e1 allowed Workspace\.Read@worktree cost 1 budget 20→19 request 71 B result 29 B$/);
  assert.match(lines[7] ?? '', / B = world\.stateRoot$/);
  assert.equal(lines[8], 'all 7 link(s) verified');
});

test('a denial is sound and says why', async () => {
  const chain = await walk(readerOver([genesis, makeRead(genesis, { denied: true })]), at(1));
  assert.equal(chain.ok, true);
  assert.match(
    chain.links[5]?.detail ?? '',
    /^e1 denied:budget Workspace\.Read@worktree cost 1 budget 0→0 request 71 B$/,
  );
});

const replace = (path: string, from: string, to: string) => (files: Map<string, Buffer>) => {
  const old = files.get(path)?.toString('utf8') ?? '';
  assert.ok(old.includes(from));
  files.set(path, Buffer.from(old.replace(from, to)));
};

const TAMPERED: readonly (readonly [string, (files: Map<string, Buffer>) => void, readonly string[]])[] = [
  ['another input', replace('input.json', 'data', 'date'), ['input']],
  ['another plan', replace('plan.json', '"finish":false', '"finish":true'), ['plan']],
  ['another output', replace('output.json', 'hello', 'jello'), ['output']],
  ['another budget', replace('effects/e1/record.json', '"budgetAfter":19', '"budgetAfter":20'), ['effect']],
  ['another request', replace('effects/e1/request', 'data.txt', 'data.bin'), ['effect']],
  ['another result', replace('effects/e1/result.json', 'hello', 'jello'), ['effect']],
  ['no result', (files) => files.delete('effects/e1/result.json'), ['effect']],
  ['no request', (files) => files.delete('effects/e1/request'), ['effect']],
  ['no effect record', (files) => files.delete('effects/e1/record.json'), ['effect']],
  ['another skill', replace('record.json', 'ailang-read', 'ailang-edit'), ['record']],
  ['a record that is none', replace('record.json', '"episodeId"', '"episode"'), ['record']],
  ['another world', replace('world.json', '"revision":1', '"revision":2'), ['world']],
];

for (const [what, tamper, broken] of TAMPERED) {
  test(`tampering is found: ${what}`, async () => {
    const chain = await walk(readerOver([genesis, makeRead(genesis, { tamper })]), at(1));
    assert.deepEqual(
      chain.links.filter((link) => !link.ok).map((link) => link.name),
      broken,
    );
    assert.equal(chain.ok, false);
    assert.match(whyText(chain, false), new RegExp(`1 of ${chain.links.length} link\\(s\\) BROKEN: ${broken[0]}\n$`));
  });
}

const FORGED: readonly (readonly [string, Forgery, string, RegExp])[] = [
  [
    'a unit given back',
    { record: (text) => text.replace('"budgetAfter":19', '"budgetAfter":20') },
    'effect',
    /contradict one another/,
  ],
  [
    'a failure with a result',
    { record: (text) => text.replace('"failed":false', '"failed":true') },
    'effect',
    /contradict one another/,
  ],
  [
    'a request for another effect',
    { request: (text) => text.replace('Workspace.Read', 'Workspace.Reed') },
    'effect',
    /asks for another effect/,
  ],
  [
    'an output that names no effect',
    { output: (text) => text.replace(/"effects":\[[^\]]*\]/, '"effects":[]') },
    'output',
    /names other effect records/,
  ],
  ['a header with another index', { headerIndex: 7 }, 'entry', /the header says index 7/],
];

for (const [what, forge, broken, detail] of FORGED) {
  test(`a forgery whose hashes all fit is found: ${what}`, async () => {
    const chain = await walk(readerOver([genesis, makeRead(genesis, { forge })]), at(1));
    const found = chain.links.filter((link) => !link.ok);
    assert.deepEqual(
      found.map((link) => link.name),
      [broken],
    );
    assert.match(found[0]?.detail ?? '', detail);
  });
}

test('a changed header, and an entry chained to another, are found', async () => {
  const header = { ...read.wire.header, writtenBy: 'coordinator:mcp' };
  const forged: LogEntry = { ...read, wire: { ...read.wire, header } };
  const names = async (entries: readonly LogEntry[]) =>
    (await walk(readerOver(entries), at(1))).links.filter((link) => !link.ok).map((link) => link.name);
  assert.deepEqual(await names([genesis, forged]), ['world', 'entry']);
  assert.deepEqual(await names([makeRead(genesis), read]), ['entry']);
});

test('operator entries are shown with their act', async () => {
  const chain = await walk(readerOver([genesis, read]), at(0));
  assert.deepEqual([chain.coordinator, chain.ok], [false, true]);
  assert.deepEqual(
    chain.links.map((link) => link.name),
    ['world', 'entry', 'operator'],
  );
  assert.match(chain.note ?? '', /operator:genesis entry/);
  assert.match(chain.links[2]?.detail ?? '', /^genesis /);
});

test('every kind of target finds its entry', async () => {
  const second = makeRead(read, { denied: true });
  const reader = readerOver([genesis, read, second]);
  const found = async (target: string) => {
    const { index, matchedBy } = await findTarget(reader, target);
    return [index, matchedBy];
  };
  assert.deepEqual(await found('1'), [1, 'index']);
  assert.deepEqual(await found('head'), [2, 'head']);
  assert.deepEqual(await found('mcp:ep1:1'), [1, 'invocation id']);
  assert.deepEqual(await found(read.world.stateRoot), [1, 'output.json']);
  assert.deepEqual(await found(read.worldRef), [1, 'world.json']);
  // Both reads share one input: the newest is meant, and the others are named.
  const input = await findTarget(reader, ref('{"path":"data.txt"}'));
  assert.deepEqual([input.index, input.note], [2, '1 earlier entry holds the same bytes']);
  await assert.rejects(findTarget(reader, '3'), { code: 'not-found' });
  await assert.rejects(findTarget(reader, `sha256:${'0'.repeat(64)}`), { code: 'not-found' });
  await assert.rejects(findTarget(reader, 'a2a:ep1:none'), { code: 'not-found' });
  await assert.rejects(findTarget(reader, 'yesterday'), { code: 'why-target' });
});

test('a result finds the entry that committed it, with or without its newline, else by its plan', async () => {
  const reader = readerOver([genesis, read]);
  const output = read.files.get('output.json') ?? Buffer.alloc(0);
  for (const bytes of [output, Buffer.concat([output, Buffer.from('\n')])]) {
    const found = await findResult(reader, bytes);
    assert.deepEqual([found.index, found.matchedBy], [1, 'output']);
    assert.equal((await walk(reader, found)).ok, true);
  }
  const other = Buffer.from(output.toString('utf8').replace('hello', 'jello'));
  const byPlan = await findResult(reader, other);
  assert.deepEqual([byPlan.index, byPlan.matchedBy], [1, 'plan']);
  const chain = await walk(reader, byPlan);
  assert.match(chain.links.at(-1)?.detail ?? '', /^the result given is not the committed output/);
  await assert.rejects(findResult(reader, Buffer.from('not JSON')), { code: 'not-found' });
});
