import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorldError } from '../../src/errors.js';
import { sha256Ref } from '../../src/log/hash.js';
import { encodeEffectRecord } from '../../src/log/records.js';
import type { EntryDraft, InvocationDraft, JsonObject } from '../../src/log/types.js';
import type { EffectPlan, JsonRecord, Tool } from '../../src/tools/types.js';
import { gate, grant, OTHER_TREE, settle, TREE } from '../broker/doubles.js';
import { read } from '../tools/all-tools.js';
import { sessionWith, setup } from './setup.js';

const invocationOf = (draft: EntryDraft | undefined): InvocationDraft =>
  draft?.kind === 'invocation' ? draft : assert.fail('not an invocation');

test('a read is committed with exactly the bytes the caller gets', async () => {
  const { invoker, toolchain, log, call } = setup();
  toolchain.answer = async () => ({ ok: true, content: 'hello from ep1\n' });
  const done = await invoker.invoke(call('ailang-read', { path: 'data.txt' }));
  const draft = invocationOf(log.drafts[0]);
  assert.equal(done.invocationId, 'a2a:ep1:t1');
  assert.ok(draft.output.equals(done.outputBytes));
  assert.deepEqual(JSON.parse(draft.output.toString()), done.output);
  assert.equal(draft.output.length, 416);
  const record = draft.effects[0]?.record ?? assert.fail();
  assert.deepEqual(done.output.world, {
    effects: [{ id: 'e1', status: 'ok', record: sha256Ref(encodeEffectRecord(record)) }],
    plan: 'sha256:a1f0feb6b661e46646dab346043e8c144bf3d2be7733df0e520506119b2b773f',
  });
  assert.deepEqual([draft.status, draft.detail, draft.skillId], ['ok', 'data.txt', 'ailang-read']);
});

test('a refused plan is committed with no effects, costs nothing and repeats the recorded tree', async () => {
  const { invoker, worktree, log, call } = setup();
  const done = await invoker.invoke(call('ailang-read', { path: 'a', limit: 1 }));
  assert.deepEqual(done.output.refused, 'unknown argument "limit"; ailang-read admits only: path');
  assert.deepEqual((done.output.world as JsonObject).effects, []);
  const draft = invocationOf(log.drafts[0]);
  assert.deepEqual([draft.status, draft.effects, draft.worktree.tree], ['refused', [], TREE]);
  assert.deepEqual([log.intents.length, worktree.locked, worktree.snapshots], [0, 0, 0]);
});

test('a denied call says why, with the effect’s record', async () => {
  const { invoker, log, call } = setup();
  const session = sessionWith([grant('Workspace.Write', 0)]);
  const done = await invoker.invoke(call('ailang-write', { path: 'a', content: '' }, { session }));
  assert.equal(done.output.refused, 'denied:budget: Workspace.Write at scope worktree has no calls left (budget 0)');
  assert.equal(done.output.ok, false);
  assert.equal(invocationOf(log.drafts[0]).status, 'denied:budget');
});

test('a denied check is reshaped by its finish phase', async () => {
  const { invoker, call } = setup();
  const session = sessionWith([grant('Ailang.Check', 0)]);
  const { output } = await invoker.invoke(call('ailang-check', { path: 'a.ail' }, { session }));
  const { world, ...rest } = output;
  assert.deepEqual(rest, { ok: false, status: 'denied', refused: 'the Ailang.Check effect ended denied' });
  assert.equal((world as { effects: { status: string }[] }).effects[0]?.status, 'denied');
});

test('a failed effect is committed and names the failure', async () => {
  const { invoker, toolchain, log, call } = setup();
  toolchain.answer = async () => {
    throw new Error('secret /home path');
  };
  const { output } = await invoker.invoke(call('ailang-read', { path: 'a' }));
  assert.equal(output.refused, 'failed: the Workspace.Read handler failed');
  assert.equal(invocationOf(log.drafts[0]).status, 'failed');
});

test('what changed outside a call is recorded as drift, just before the call that found it', async () => {
  const { invoker, worktree, log, call } = setup();
  worktree.tree = OTHER_TREE;
  await invoker.invoke(call('ailang-read', { path: 'a' }));
  const [drift, invocation] = log.drafts;
  assert.ok(drift?.kind === 'operator' && drift.act.act === 'drift' && drift.act.previousTree === TREE);
  assert.equal(drift.worktree?.tree, OTHER_TREE);
  assert.equal(invocationOf(invocation).worktree.tree, OTHER_TREE);
  await invoker.invoke(call('ailang-read', { path: 'a' }));
  assert.equal(log.drafts.length, 3);
});

test('a write’s own change is in its entry, and no drift for the next call', async () => {
  const { invoker, worktree, toolchain, log, call } = setup();
  toolchain.answer = async () => {
    worktree.tree = OTHER_TREE;
    return { ok: true };
  };
  await invoker.invoke(call('ailang-write', { path: 'a', content: 'x' }));
  assert.equal(invocationOf(log.drafts[0]).worktree.tree, OTHER_TREE);
  await invoker.invoke(call('ailang-read', { path: 'a' }));
  assert.deepEqual(
    log.drafts.map((draft) => draft.kind),
    ['invocation', 'invocation'],
  );
});

test('calls of an episode run one after the other, in order of arrival', async () => {
  const { invoker, toolchain, worktree, log, call } = setup();
  const first = gate();
  toolchain.answer = async (request) => {
    assert.equal(worktree.locked, 1);
    if (request.path === 'a') await first.promise;
    return { ok: true };
  };
  const calls = ['a', 'b', 'c'].map((path) => invoker.invoke(call('ailang-read', { path })));
  await settle();
  assert.equal(toolchain.requests.length, 1);
  first.open();
  await Promise.all(calls);
  assert.deepEqual(
    log.drafts.map((draft) => invocationOf(draft).detail),
    ['a', 'b', 'c'],
  );
});

test('N calls at once on a budget of 1: one ok, the others denied, all committed', async () => {
  const { invoker, log, call } = setup();
  const session = sessionWith([grant('Workspace.Read', 1)]);
  const done = await Promise.all(
    Array.from({ length: 10 }, () => invoker.invoke(call('ailang-read', { path: 'a' }, { session }))),
  );
  assert.equal(done.filter(({ output }) => output.ok === true).length, 1);
  assert.equal(log.drafts.length, 10);
});

test('a resent task id returns the committed bytes and runs nothing', async () => {
  const { invoker, toolchain, log, call } = setup();
  const once = call('ailang-write', { path: 'a', content: 'x' });
  const first = await invoker.invoke(once);
  const again = await invoker.invoke(once);
  assert.ok(again.reconciled && !first.reconciled);
  assert.ok(again.outputBytes.equals(first.outputBytes));
  assert.deepEqual(again.entry, first.entry);
  assert.deepEqual([toolchain.requests.length, log.drafts.length, log.intents.length], [1, 1, 1]);
});

test('a task id that stands for another call is refused', async () => {
  const { invoker, call } = setup();
  await invoker.invoke(call('ailang-read', { path: 'a' }, { taskId: 'same' }));
  for (const other of [call('ailang-read', { path: 'b' }), call('ailang-check', { path: 'a' })]) {
    await assert.rejects(invoker.invoke({ ...other, taskId: 'same' }), { kind: 'id-used' });
  }
});

test('a task id whose call is still running is refused, whichever call it is', async () => {
  const { invoker, toolchain, call } = setup();
  const running = gate();
  toolchain.answer = async () => {
    await running.promise;
    return { ok: true };
  };
  const once = call('ailang-read', { path: 'a' });
  const first = invoker.invoke(once);
  await settle();
  await assert.rejects(invoker.invoke(once), { kind: 'in-flight' });
  running.open();
  assert.equal((await first).output.ok, true);
});

test('damaged bytes are never returned as the committed result', async () => {
  const { invoker, log, call } = setup();
  const once = call('ailang-read', { path: 'a' });
  const { entry } = await invoker.invoke(once);
  const stored = log.committed[entry.index] ?? assert.fail();
  log.committed[entry.index] = { ...stored, files: new Map([...stored.files, ['output.json', Buffer.from('{}')]]) };
  await assert.rejects(invoker.invoke(once), { kind: 'unconfirmed' });
});

test('an effect started by a call that never committed is not run again', async () => {
  const { invoker, toolchain, log, call } = setup();
  const once = call('ailang-write', { path: 'a', content: 'x' });
  log.receipts.set('a2a:ep1:t1', { state: 'indeterminate', intents: [] });
  await assert.rejects(invoker.invoke(once), { kind: 'not-committed' });
  assert.deepEqual(toolchain.requests, []);
});

test('a commit that fails after the effect names the effect’s record, and the unit stays spent', async () => {
  const { invoker, log, call } = setup();
  log.beforeAppend = async () => {
    throw new WorldError('log-write-failed', 'disk full');
  };
  await assert.rejects(invoker.invoke(call('ailang-write', { path: 'a', content: 'x' })), (error) => {
    assert.ok(error instanceof WorldError && 'kind' in error && error.kind === 'effects-unrecorded');
    assert.match(String((error.data.effectRecords as string[])[0]), /^sha256:[0-9a-f]{64}$/);
    return true;
  });
  assert.equal(log.intents.length, 1);
});

test('a commit that fails without an effect may be resent', async () => {
  const { invoker, log, call } = setup();
  const once = call('ailang-read', {});
  log.beforeAppend = async () => {
    throw new WorldError('log-write-failed', 'disk full');
  };
  await assert.rejects(invoker.invoke(once), { kind: 'unconfirmed' });
  log.beforeAppend = async () => undefined;
  assert.equal((await invoker.invoke(once)).output.ok, false);
});

test('a commit that takes longer than its bound is reported as unrecorded', async () => {
  const { invoker, log, time, call } = setup();
  log.beforeAppend = () => new Promise(() => undefined);
  const outcome = invoker.invoke(call('ailang-write', { path: 'a', content: 'x' }));
  const rejected = assert.rejects(outcome, { kind: 'effects-unrecorded' });
  await settle();
  await time.pass(4_000);
  await rejected;
});

test('calls that wait for the worktree, or for their turn, beyond the deadline end without running', async () => {
  const { invoker, toolchain, worktree, time, log, call } = setup();
  const held = gate();
  const release = await worktree.lock();
  worktree.lock = async () => {
    await held.promise;
    return release;
  };
  const waiting = ['ailang-read', 'ailang-check'].map((tool) => invoker.invoke(call(tool, { path: 'a' })));
  const rejected = waiting.map((one) => assert.rejects(one, { kind: 'deadline' }));
  await settle();
  await time.pass(20_000);
  await Promise.all(rejected);
  held.open();
  await settle();
  assert.deepEqual([toolchain.requests, log.intents, log.drafts], [[], [], []]);
});

test('once the effect is dispatched the caller’s deadline no longer ends the call', async () => {
  const { invoker, toolchain, time, log, call } = setup();
  const running = gate();
  toolchain.answer = async () => {
    await running.promise;
    return { ok: true };
  };
  const outcome = invoker.invoke(call('ailang-write', { path: 'a', content: 'x' }));
  await settle();
  await time.pass(9_000);
  running.open();
  time.now += 20_000;
  assert.equal((await outcome).output.ok, true);
  assert.equal(log.drafts.length, 1);
});

const INVALID: readonly (readonly [string, object, string])[] = [
  ['an empty task id', { taskId: '' }, 'invalid-call'],
  ['a task id with a colon', { taskId: 'a:b' }, 'invalid-call'],
  ['a task id of 129 characters', { taskId: 'x'.repeat(129) }, 'invalid-call'],
  ['arguments that are a list', { args: [] }, 'invalid-call'],
  ['arguments beyond 1 MiB', { args: { path: 'x'.repeat(1024 * 1024) } }, 'invalid-call'],
  ['a lone surrogate', { args: { path: '\ud800' } }, 'invalid-call'],
  ['an unknown tool', { tool: 'bash' }, 'unknown-tool'],
  ['a tool without a grant', { session: sessionWith([grant('Ailang.Run', 1)]) }, 'unknown-tool'],
  [
    'a tool whose grant has expired',
    { session: sessionWith([grant('Workspace.Read', 1, { expiresAt: 5 })]) },
    'unknown-tool',
  ],
  ['a pin of other source', { transitionFn: 'sha256:00' }, 'transition-mismatch'],
];

for (const [name, change, kind] of INVALID) {
  test(`${name} is ${kind}, and nothing is committed`, async () => {
    const { invoker, log, call } = setup();
    await assert.rejects(invoker.invoke({ ...call('ailang-read', { path: 'a' }), ...change }), { kind });
    assert.deepEqual(log.drafts, []);
  });
}

test('a session sees the tools of its live grants, a budget of 0 included, in byte order', () => {
  const { invoker } = setup();
  const ids = (...grants: ReturnType<typeof grant>[]) => invoker.visibleTools(sessionWith(grants)).map(({ id }) => id);
  assert.deepEqual(ids(grant('Workspace.Write', 0)), ['ailang-edit', 'ailang-write']);
  assert.deepEqual(ids(grant('Ailang.RunNet', 1)), ['ailang-run']);
  assert.deepEqual(
    ids(grant('Workspace.Read', 1, { scope: 'elsewhere' }), grant('Ailang.CLI', 1, { expiresAt: 1 })),
    [],
  );
});

test('a tool that throws or breaks the calling convention runs nothing', async () => {
  const good = read.plan({ path: 'a' });
  const plans: readonly (() => unknown)[] = [
    () => assert.fail('inside'),
    () => null,
    () => ({ ...good, world: {} }),
    () => ({ ...good, effects: [...good.effects, ...good.effects] }),
    () => ({ ...good, effects: good.effects.map((effect) => ({ ...effect, effect: 'Ailang.Run' })) }),
    () => ({ ...good, result: { ok: true } }),
    () => ({ ...good, effects: [], result: { world: {} } }),
  ];
  for (const plan of plans) {
    const tool: Tool = { ...read, plan: plan as (args: JsonRecord) => EffectPlan };
    const loaded = { tool, transitionFn: sha256Ref('x'), source: Buffer.from('') };
    const { invoker, log, call } = setup({ tools: new Map([['ailang-read', loaded]]) });
    await assert.rejects(invoker.invoke(call('ailang-read', { path: 'a' })), { kind: 'execution' });
    assert.deepEqual([log.drafts, log.intents], [[], []]);
  }
});

test('draining waits for what is running and refuses what comes', async () => {
  const { invoker, toolchain, call } = setup();
  const running = gate();
  toolchain.answer = async () => {
    await running.promise;
    return { ok: true };
  };
  const first = invoker.invoke(call('ailang-read', { path: 'a' }));
  await settle();
  let drained = false;
  const drain = invoker.drain().then(() => {
    drained = true;
  });
  await assert.rejects(invoker.invoke(call('ailang-read', { path: 'b' })), { kind: 'capacity' });
  await settle();
  assert.equal(drained, false);
  running.open();
  await drain;
  assert.equal((await first).output.ok, true);
});

test('a closed episode runs nothing', async () => {
  const { invoker, log, call } = setup();
  log.open = false;
  await assert.rejects(invoker.invoke(call('ailang-read', { path: 'a' })), { kind: 'unsupported-effect' });
});

test('a session revoked while its call waits for its turn runs nothing', async () => {
  const { invoker, toolchain, log, call } = setup();
  const running = gate();
  toolchain.answer = async () => {
    await running.promise;
    return { ok: true };
  };
  const first = invoker.invoke(call('ailang-read', { path: 'a' }));
  const second = invoker.invoke(call('ailang-read', { path: 'b' }));
  const rejected = assert.rejects(second, { kind: 'unknown-tool' });
  await settle();
  log.session = { ...sessionWith([]), revoked: true };
  running.open();
  await rejected;
  await first;
  assert.equal(log.intents.length, 1);
});
