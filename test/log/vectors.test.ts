import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeCanonical, encodeInput } from '../../src/log/canonical-json.js';
import { sha256Ref } from '../../src/log/hash.js';
import { operatorTransitionFn } from '../../src/log/operator-record.js';
import {
  decodeEffectRecord,
  decodeEntry,
  decodeInvocationRecord,
  decodeWorld,
  encodeEffectRecord,
  encodeEntry,
  encodeInvocationRecord,
  encodeWorld,
  entryHashInput,
} from '../../src/log/records.js';
import { decodeRequest, encodeRequest } from '../../src/log/request-framing.js';
import { meaningOf } from '../../src/log/semantic-id.js';
import type { EffectRecord, EntryHeader, EntryIndex, EpisodeId, JsonObject, JsonValue } from '../../src/log/types.js';

const ref = sha256Ref;
const effect = (name: string, payload: JsonObject): JsonValue => ({
  id: 'e1',
  effect: name,
  scope: 'worktree',
  cost: 1,
  payload,
});
const plan = (effects: readonly JsonValue[], finish = false, result: JsonValue = null) =>
  encodeCanonical({ plan: 'world/effect-plan/v1', effects, finish, result });

test('refs of inputs come out as published', () => {
  assert.match(ref(encodeInput({ path: 'data.txt' })), /^sha256:db1faa2d.*c29a$/);
  assert.match(ref(encodeInput({ path: 'hello.ail' })), /^sha256:d3527c92.*cb0f$/);
});

test('refs of plans come out as published', () => {
  const read = plan([effect('Workspace.Read', { op: 'read', path: 'data.txt' })]);
  assert.equal(read.length, 180);
  assert.equal(ref(read), 'sha256:a1f0feb6b661e46646dab346043e8c144bf3d2be7733df0e520506119b2b773f');
  assert.equal(
    ref(plan([effect('Ailang.Run', { path: 'hello.ail' })])),
    'sha256:5d0d3fde7279f852a15332cf7ca5f093a70a0e128cc8e22c0700173e5b20b78d',
  );
  assert.match(ref(plan([effect('Workspace.Read', { op: 'read', path: 'hello.ail' })])), /^sha256:ce4340a1/);
  assert.match(ref(plan([effect('Ailang.Check', { op: 'ai_check', path: 'hello.ail' })], true)), /^sha256:414ed668/);
});

test('the refusal plan comes out as published', () => {
  const refusal = plan([], false, { ok: false, refused: 'unknown argument "limit"; ailang-read admits only: path' });
  assert.equal(refusal.length, 151);
  assert.equal(ref(refusal), 'sha256:e3c2848e0b4daabd0ac00fe399789a56e85f4dd130ddc6a2ea9a205c7a2aee2d');
});

test('an effect request has the published framing', () => {
  const request = encodeRequest({
    effect: 'Workspace.Read',
    scope: 'worktree',
    cost: 1,
    now: 1_791_024_750,
    payload: encodeCanonical({ op: 'read', path: 'data.txt' }),
  });
  assert.equal(request.toString(), '14:Workspace.Read8:worktree1:1791024750:{"op":"read","path":"data.txt"}');
  assert.equal(request.length, 71);
});

test('handler result and output have the published sizes', () => {
  // The published digests cover a tool and a policy digest that were not published; the sizes pin the encoding.
  const handler = { ok: true, content: 'hello from ep1\n', tool: ref('tool'), policy_digest: 'a'.repeat(64) };
  assert.equal(encodeInput(handler).length, 204);
  const world = { effects: [{ id: 'e1', status: 'ok', record: ref('record') }], plan: ref('plan') };
  assert.equal(encodeCanonical({ ...handler, world }).length, 416);
});

const header: EntryHeader = {
  entryIndex: 1 as EntryIndex,
  semanticsEpoch: 1,
  transitionFn: ref('fn'),
  interpreter: ref('interp'),
  prevEntryHash: ref('genesis'),
  writtenBy: 'coordinator:mcp',
};
const entryHash = ref(entryHashInput(header, ref('record')));

test('entry hash and world ref come out as recomputed', () => {
  assert.equal(entryHashInput(header, ref('record')).length, 422);
  assert.equal(entryHash, 'sha256:d4bec588a2485880d27082faa6682a9e5c9ddac65e91d64de940b0aa7cfbdb54');
  const world = encodeWorld({ revision: 1, stateRoot: ref('output'), logHead: entryHash });
  assert.equal(world.length, 184);
  assert.equal(ref(world), 'sha256:6ff2f2414dbff5e3774fb1042acdb5de44737028e7f43560eb5c706609f1d4c7');
});

const done: EffectRecord = {
  effect: 'Workspace.Read',
  scope: 'worktree',
  cost: 1,
  budgetBefore: 20,
  budgetAfter: 19,
  allowed: true,
  failed: false,
  denial: '',
  requestRef: ref('request'),
  resultRef: ref('result'),
};

test('the fields of an effect record stand in the frozen order', () => {
  assert.equal(
    encodeEffectRecord(done).toString(),
    '{"effect":"Workspace.Read","scope":"worktree","cost":1,"budgetBefore":20,"budgetAfter":19,"allowed":true,' +
      `"failed":false,"denial":"","requestRef":"${ref('request')}","resultRef":"${ref('result')}"}`,
  );
});

test('an effect record is done, failed or denied, and nothing in between', () => {
  const failed: EffectRecord = { ...done, failed: true, resultRef: '' };
  const denied: EffectRecord = { ...done, allowed: false, denial: 'denied:budget', budgetAfter: 20, resultRef: '' };
  for (const record of [done, failed, denied]) assert.deepEqual(decodeEffectRecord(encodeEffectRecord(record)), record);
  const wrong: EffectRecord[] = [
    { ...done, budgetAfter: 20 },
    { ...done, resultRef: '' },
    { ...done, denial: 'denied:scope' },
    { ...failed, resultRef: ref('result') },
    { ...failed, budgetAfter: 20 },
    { ...denied, denial: '' },
    { ...denied, budgetAfter: 19 },
    { ...denied, resultRef: ref('result') },
    { ...denied, failed: true },
  ];
  for (const record of wrong) assert.throws(() => encodeEffectRecord(record), { code: 'record-inconsistent' });
});

test('records are decoded from exactly the bytes that are written', () => {
  const wire = { header, entryHash, transitionRef: ref('record') };
  const world = { revision: 1, stateRoot: ref('output'), logHead: entryHash };
  const record = {
    invocationId: 'mcp:1',
    episodeId: 'ep1' as EpisodeId,
    skillId: 'ailang-read',
    transitionFn: ref('fn'),
    interpreter: ref('interp'),
    semanticsEpoch: 1,
    input: ref('i'),
    output: ref('o'),
    plan: ref('p'),
    effects: [],
  };
  assert.deepEqual(decodeEntry(encodeEntry(wire)), wire);
  assert.deepEqual(decodeWorld(encodeWorld(world)), world);
  assert.deepEqual(decodeInvocationRecord(encodeInvocationRecord(record)), record);
  const spoil = (bytes: Buffer, change: (text: string) => string) => Buffer.from(change(bytes.toString()));
  for (const change of [
    (text: string) => ` ${text}`,
    (text: string) => text.replace('{', '{"more":1,'),
    (text: string) => text.replace('"entryIndex":1', '"entryIndex":1.0'),
    (text: string) => text.replace('"entryIndex":1,"semanticsEpoch":1', '"semanticsEpoch":1,"entryIndex":1'),
    (text: string) => text.replace(/"prevEntryHash":"[^"]*"/, '"prevEntryHash":"SHA256:00"'),
    (text: string) => text.replace(/"transitionFn":"[^"]*"/, '"transitionFn":""'),
    (text: string) => text.replace('"entryIndex":1', '"entryIndex":-1'),
  ]) {
    assert.throws(() => decodeEntry(spoil(encodeEntry(wire), change)), { code: 'record-malformed' });
  }
});

test('any effect request comes back from its framing, and nothing else is accepted', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(), fc.nat(), fc.uint8Array(), (name, scope, cost, now, payload) => {
      const request = { effect: name, scope, cost, now, payload: Buffer.from(payload) };
      const bytes = encodeRequest(request);
      assert.deepEqual(decodeRequest(bytes), request);
      assert.deepEqual(encodeRequest(decodeRequest(bytes)), bytes);
    }),
  );
  for (const text of [
    '',
    '1',
    '2:a',
    '01:a1:b1:1:',
    '1:a1:b1:1',
    '1:a1:b-1:1:',
    '1:a1:b+1:1:',
    '9999999999999999999:a',
  ]) {
    assert.throws(() => decodeRequest(Buffer.from(text)), { code: 'request-framing' }, text);
  }
});

test('paths of an entry carry their meaning', () => {
  assert.equal(operatorTransitionFn, ref('world/operator-record/v1'));
  assert.equal(meaningOf('record.json')?.semanticId, 'world/invocation-record/v2');
  assert.deepEqual(meaningOf('effects/e1/record.json'), {
    semanticId: 'world/effect-record/v1',
    provenance: 'host/broker',
    interfaceHash: ref('world/effect-record/v1'),
  });
  assert.equal(meaningOf('worktree/record.json'), null);
});
