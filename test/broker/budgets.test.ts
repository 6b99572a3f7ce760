import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createBroker } from '../../src/broker/broker.js';
import { createTimers } from '../../src/broker/timers.js';
import type { Repository } from '../../src/git/types.js';
import type { EntryStatus, WorldLog } from '../../src/log/types.js';
import { assertHealthy, gitText, initRepository, logRef } from '../git/temporary-repository.js';
import { ep1, invocation, openSample } from '../log/sample-log.js';
import { FakeTime, grant, MemoryWorktree, ScriptedToolchain } from './doubles.js';

const EFFECTS = ['Workspace.Read', 'Ailang.Check'] as const;

const call = fc.record({
  kind: fc.constant('call' as const),
  effect: fc.constantFrom(...EFFECTS),
  /** The session at hand; all of an episode's sessions draw on one account. */
  budget: fc.nat(4),
  handler: fc.constantFrom('works', 'fails'),
  /** The process ends between effect and entry. */
  lost: fc.boolean(),
});
const refusal = fc.record({ kind: fc.constant('refusal' as const) });
const restart = fc.record({ kind: fc.constantFrom('stop' as const, 'kill' as const) });
const history = fc.array(
  fc.oneof({ arbitrary: call, weight: 4 }, { arbitrary: refusal, weight: 1 }, { arbitrary: restart, weight: 1 }),
  { minLength: 3, maxLength: 14 },
);

/** What is on disk now is what the next process finds: the entries of the last moments are only in the journal. */
async function kill(repository: Repository, log: WorldLog): Promise<void> {
  const journal = join(repository.commonDir, 'world', 'journal');
  const ref = await gitText(repository, 'rev-parse', logRef);
  await cp(journal, `${journal}.kept`);
  await log.close();
  await cp(`${journal}.kept`, journal);
  await gitText(repository, 'update-ref', logRef, ref);
}

test('budgets: any history of calls, denials, failures, losses, stops and kills spends what a count says', async (t) => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const repository = await initRepository(t);
      let log = await openSample(repository);
      await log.flush();
      const toolchain = new ScriptedToolchain();
      const worktree = new MemoryWorktree();
      const spent = new Map<string, number>(EFFECTS.map((effect) => [effect, 0]));
      let serial = 0;
      for (const step of steps) {
        if (step.kind === 'refusal') await log.append(invocation('sha1', `r${++serial}`, null));
        else if (step.kind === 'call') {
          const { effect, budget, handler } = step;
          const invocationId = `c${++serial}`;
          toolchain.answer = async () => {
            if (handler === 'fails') throw new Error('no');
            return { ok: true };
          };
          const broker = createBroker({
            ...{ log, toolchain, examples: false, report: () => undefined },
            timers: createTimers(new FakeTime().after),
          });
          const outcome = await broker.perform({
            invocationId,
            grants: [grant(effect, budget)],
            planned: {
              ...{ id: 'e1', effect, scope: 'worktree', cost: 1 },
              payload: { op: effect === 'Workspace.Read' ? 'read' : 'ai_check', path: 'a' },
            },
            now: 1_791_024_750,
            worktree,
            handlerMs: 10_000,
            onSpent: () => undefined,
          });
          const before = spent.get(effect) ?? 0;
          const expected = before >= budget ? 'denied' : handler === 'fails' ? 'failed' : 'ok';
          assert.equal(outcome.status, expected);
          assert.equal(outcome.evidence.record.budgetBefore, Math.max(0, budget - before));
          if (expected !== 'denied') spent.set(effect, before + 1);
          const status: EntryStatus = expected === 'denied' ? 'denied:budget' : expected;
          if (!(step.lost && expected !== 'denied'))
            await log.append(invocation('sha1', invocationId, null, { effects: [outcome.evidence], status }));
        } else {
          await (step.kind === 'stop' ? log.close() : kill(repository, log));
          log = await openSample(repository);
        }
        for (const effect of EFFECTS) assert.equal(log.state.spent(ep1, effect, 'worktree'), spent.get(effect));
      }
      await log.close();
      await assertHealthy(repository);
    }),
    { numRuns: 12 },
  );
});
