import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BrokerCall, type BrokerOutcome, createBroker } from '../../src/broker/broker.js';
import { createTimers } from '../../src/broker/timers.js';
import { WorldError } from '../../src/errors.js';
import { sha256Ref } from '../../src/log/hash.js';
import type { JsonObject } from '../../src/log/types.js';
import type { JsonRecord } from '../../src/tools/types.js';
import { FakeTime, gate, grant, MemoryLog, MemoryWorktree, ScriptedToolchain, settle } from './doubles.js';

function setup(options: { examples?: boolean } = {}) {
  const log = new MemoryLog();
  const toolchain = new ScriptedToolchain();
  const time = new FakeTime();
  const reports: string[] = [];
  const broker = createBroker({
    log,
    report: (line) => reports.push(line),
    toolchain,
    examples: options.examples ?? false,
    timers: createTimers(time.after),
  });
  const worktree = new MemoryWorktree();
  const call = (effect: string, payload: JsonRecord, budget: number, extra: Partial<BrokerCall> = {}): BrokerCall => ({
    invocationId: 'mcp:ep1:t',
    grants: [grant(effect, budget)],
    planned: { id: 'e1', effect, scope: 'worktree', cost: 1, payload },
    now: 1_791_024_750,
    worktree,
    handlerMs: 10_000,
    onSpent: () => undefined,
    ...extra,
  });
  return { log, toolchain, time, broker, worktree, call, reports };
}

const READ = { op: 'read', path: 'data.txt' };
const outputOf = (outcome: BrokerOutcome): JsonObject =>
  outcome.status === 'ok' ? outcome.output : assert.fail(outcome.reason);
const reasonOf = (outcome: BrokerOutcome): string => (outcome.status === 'ok' ? assert.fail('it ran') : outcome.reason);

test('the published read: request of 71 bytes, result of 204, budget 20 to 19', async () => {
  const { broker, toolchain, call } = setup();
  toolchain.answer = async () => ({ ok: true, content: 'hello from ep1\n' });
  const { evidence } = await broker.perform(call('Workspace.Read', READ, 20));
  assert.equal(evidence.request.length, 71);
  assert.equal(evidence.result?.length, 204);
  assert.deepEqual(
    [evidence.record.budgetBefore, evidence.record.budgetAfter, evidence.record.resultRef],
    [20, 19, sha256Ref(evidence.result ?? '')],
  );
});

test('the handler starts only when the intent is durable', async () => {
  const { broker, toolchain, log, call } = setup();
  const durable = gate();
  log.beforeDurable = () => durable.promise;
  const outcome = broker.perform(call('Workspace.Read', READ, 1));
  await settle();
  assert.equal(toolchain.requests.length, 0);
  durable.open();
  assert.equal((await outcome).status, 'ok');
  assert.equal(toolchain.requests.length, 1);
});

test('an intent that cannot be made durable is an error, and no handler runs', async () => {
  const { broker, toolchain, log, call } = setup();
  log.beforeDurable = async () => {
    throw new WorldError('log-write-failed', 'disk full');
  };
  await assert.rejects(broker.perform(call('Workspace.Read', READ, 1)), { code: 'log-write-failed' });
  assert.equal(toolchain.requests.length, 0);
});

test('N calls at once on a budget of 1: exactly one is ok', async () => {
  const { broker, toolchain, call } = setup();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => broker.perform(call('Workspace.Read', READ, 1))));
  assert.equal(outcomes.filter((outcome) => outcome.status === 'ok').length, 1);
  assert.equal(outcomes.filter((outcome) => outcome.evidence.record.denial === 'denied:budget').length, 19);
  assert.equal(toolchain.requests.length, 1);
});

test('a denial spends nothing, journals nothing and says which budget is used up', async () => {
  const { broker, log, call } = setup();
  const outcome = await broker.perform(call('Workspace.Write', { op: 'write', path: 'a', content: '' }, 0));
  assert.equal(reasonOf(outcome), 'denied:budget: Workspace.Write at scope worktree has no calls left (budget 0)');
  assert.deepEqual(log.intents, []);
  assert.equal(outcome.evidence.intent, null);
  assert.deepEqual([outcome.evidence.record.budgetBefore, outcome.evidence.record.budgetAfter], [0, 0]);
});

test('a failed handler is spent; its inner message goes to the operator and no further', async () => {
  const { broker, toolchain, log, call, reports } = setup();
  toolchain.answer = async () => {
    throw new WorldError('toolchain-died', 'child /home/me/secret died', { hint: 'start it again' });
  };
  const outcome = await broker.perform(call('Workspace.Read', READ, 1));
  assert.equal(reasonOf(outcome), 'failed: the Workspace.Read handler failed (toolchain-died)');
  assert.deepEqual(reports, [
    'ailang-worldd: Workspace.Read failed mcp:ep1:t: "child /home/me/secret died; what to do: start it again"',
  ]);
  assert.deepEqual([outcome.evidence.record.budgetAfter, outcome.evidence.record.failed], [0, true]);
  assert.equal(log.intents.length, 1);
});

test('a handler that never ends fails at its deadline', async () => {
  const { broker, toolchain, time, call } = setup();
  toolchain.answer = () => new Promise(() => undefined);
  const outcome = broker.perform(call('Workspace.Read', READ, 1));
  await settle();
  await time.pass(10_500);
  assert.match(reasonOf(await outcome), /did not end within 10000 ms/);
});

test('budgets: whatever the order of calls and failures, never more units than granted are spent', async () => {
  const step = fc.record({
    effect: fc.constantFrom('Workspace.Read', 'Ailang.Check'),
    fails: fc.boolean(),
    wait: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(6), async (steps, budget) => {
      const { broker, toolchain, log, call } = setup();
      const running: Promise<BrokerOutcome>[] = [];
      for (const { effect, fails, wait } of steps) {
        toolchain.answer = async () => {
          if (fails) throw new Error('no');
          return { ok: true };
        };
        const op = effect === 'Workspace.Read' ? 'read' : 'ai_check';
        running.push(broker.perform(call(effect, { op, path: 'a' }, budget)));
        if (wait) await running.at(-1);
      }
      const outcomes = await Promise.all(running);
      for (const effect of ['Workspace.Read', 'Ailang.Check']) {
        const asked = steps.filter((one) => one.effect === effect).length;
        assert.equal(log.state.spent('ep1' as never, effect, 'worktree'), Math.min(asked, budget));
        const spent = outcomes.filter((o) => o.evidence.record.effect === effect && o.evidence.record.allowed);
        assert.deepEqual(
          spent.map((o) => o.evidence.record.budgetBefore),
          spent.map((_, i) => budget - i),
        );
      }
    }),
    { numRuns: 50 },
  );
});

const ANSWERS: readonly (readonly [string, JsonRecord, object, JsonObject])[] = [
  ['Workspace.Read', { op: 'read', path: 'a' }, { ok: true }, { ok: true, content: '' }],
  ['Workspace.Read', { op: 'read', path: 'a' }, { ok: false, refused: 'no' }, { ok: false, refused: 'no' }],
  ['Workspace.Write', { op: 'write', path: 'a', content: '' }, { ok: true, content: '' }, { ok: true }],
  [
    'Ailang.CLI',
    { op: 'version' },
    { ok: true, argv: ['version'], stdout: 'v' },
    { ok: true, argv: ['version'], exit_code: 0, stdout: 'v', stderr: '' },
  ],
  ['Ailang.CLI', { op: 'check', flags: { zz: '' } }, { ok: false, refused: 'no' }, { ok: false, refused: 'no' }],
];

for (const [effect, payload, response, expected] of ANSWERS) {
  test(`${effect} answers ${JSON.stringify(expected)} with tool and policy digest`, async () => {
    const { broker, toolchain, call } = setup();
    toolchain.answer = async () => response as { ok: boolean };
    const stamp = { tool: toolchain.identity.ref, policy_digest: 'd'.repeat(64) };
    assert.deepEqual(outputOf(await broker.perform(call(effect, payload, 1))), { ...expected, ...stamp });
  });
}

const REFUSED_BY_HANDLER: readonly (readonly [string, JsonRecord])[] = [
  ['Workspace.Read', { op: 'write', path: 'a', content: '' }],
  ['Workspace.Read', { op: 'read', PATH: 'a' }],
  ['Ailang.CLI', { op: 'read', path: 'a' }],
  ['Ailang.CLI', { op: 'fmt', path: 'a', flags: { write: 'false' } }],
  ['Ailang.CLI', { op: 'fmt', path: 'a', FLAGS: { write: '' } }],
  ['Ailang.Run', { path: '../a' }],
  ['Ailang.Run', { path: 'a', env: 'x' }],
  ['Ailang.Run', { path: 'a', caps: ['Env', 'IO'] }],
  ['Ailang.RunNet', { path: 'a' }],
];

for (const [effect, payload] of REFUSED_BY_HANDLER) {
  test(`the ${effect} handler fails ${JSON.stringify(payload)} before the toolchain sees it`, async () => {
    const { broker, toolchain, call } = setup();
    assert.equal((await broker.perform(call(effect, payload, 1))).status, 'failed');
    assert.deepEqual([toolchain.requests, toolchain.runs], [[], []]);
  });
}

test('a capability the operator has not enabled fails the effect by name', async () => {
  const { broker, worktree, call } = setup();
  const message = 'capability "Declassify" is not enabled by the operator (serve --run-allow-caps)';
  worktree.runPolicy = async () => {
    throw new WorldError('capability-not-enabled', message);
  };
  const outcome = await broker.perform(call('Ailang.Run', { path: 'a', caps: ['Declassify', 'IO'] }, 1));
  assert.equal(reasonOf(outcome), `failed: ${message}`);
});

test('without a corpus every examples operation is refused before the toolchain', async () => {
  const { broker, toolchain, call } = setup();
  const output = outputOf(await broker.perform(call('Ailang.Discover', { op: 'examples_search', query: 'x' }, 1)));
  assert.match(
    String(output.refused),
    /^no examples corpus configured: start ailang-worldd serve with --examples-dir DIR/,
  );
  assert.deepEqual(toolchain.requests, []);
  const served = setup({ examples: true });
  await served.broker.perform(served.call('Ailang.Discover', { op: 'examples_search', query: 'x' }, 1));
  assert.equal(served.toolchain.requests.length, 1);
});

test('a result beyond the output cap fails the effect instead of losing the entry', async () => {
  const { broker, toolchain, call } = setup();
  toolchain.answer = async () => ({ ok: true, content: 'x'.repeat(1024 * 1024) });
  assert.match(reasonOf(await broker.perform(call('Workspace.Read', READ, 1))), /the limit is/);
});
