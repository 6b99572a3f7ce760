import assert from 'node:assert/strict';
import { encodeTree, makeObject } from '../../../src/git/objects.js';
import { encodeCanonical } from '../../../src/log/canonical-json.js';
import { sha256Ref } from '../../../src/log/hash.js';
import { encodeEffectRecord } from '../../../src/log/records.js';
import { encodeRequest } from '../../../src/log/request-framing.js';
import type { EffectRecord, EpisodeId, JsonObject } from '../../../src/log/types.js';
import type { TestWorld } from './world.js';

/** Adds so many entries to a log, writes of ep1, as calls would have made them but without running any. */
export async function fillLog(world: TestWorld, entries: number): Promise<void> {
  await world.open('ep1', [{ effect: 'Workspace.Write', scope: 'worktree', budget: entries }]);
  const { log } = world.world;
  const program = log.state.tools() ?? assert.fail();
  const transitionFn = (program.tools['ailang-write'] as { transitionFn: never }).transitionFn;
  const now = Math.floor(Date.now() / 1000);
  const appended: Promise<unknown>[] = [];
  for (let n = 0; n < entries; n++) {
    const payload = { content: `text ${n}\n`, op: 'write', path: 'a.txt' };
    const plan = encodeCanonical({
      effects: [{ cost: 1, effect: 'Workspace.Write', id: 'e1', payload, scope: 'worktree' }],
      finish: false,
      plan: 'world/effect-plan/v1',
      result: null,
    });
    const ask = { effect: 'Workspace.Write', scope: 'worktree', cost: 1 };
    const request = encodeRequest({ ...ask, now, payload: encodeCanonical(payload) });
    const requestRef = sha256Ref(request);
    const invocationId = `mcp:ep1:n${n}`;
    const { intent } = log.recordIntent({
      ...ask,
      invocationId,
      episodeId: 'ep1' as EpisodeId,
      requestRef,
      logicalTime: now,
    });
    const result = Buffer.from('{"ok":true}');
    const record: EffectRecord = {
      ...ask,
      budgetBefore: entries - n,
      budgetAfter: entries - n - 1,
      allowed: true,
      failed: false,
      denial: '',
      requestRef,
      resultRef: sha256Ref(result),
    };
    const effects = [{ id: 'e1', status: 'ok', record: sha256Ref(encodeEffectRecord(record)) }];
    const output = encodeCanonical({ ok: true, world: { effects, plan: sha256Ref(plan) } } as JsonObject);
    const blob = makeObject('sha1', 'blob', Buffer.from(payload.content));
    const tree = makeObject('sha1', 'tree', encodeTree('sha1', [{ mode: '100644', name: 'a.txt', oid: blob.oid }]));
    appended.push(
      log.append({
        kind: 'invocation',
        surface: 'mcp',
        invocationId,
        episodeId: 'ep1' as EpisodeId,
        skillId: 'ailang-write',
        transitionFn,
        interpreter: program.toolchain.sha256,
        input: encodeCanonical({ content: payload.content, path: payload.path }),
        plan,
        output,
        effects: [{ id: 'e1', request, result, record, intent }],
        worktree: { tree: tree.oid, objects: [blob, tree] },
        status: 'ok',
        detail: 'a.txt',
      }),
    );
    if (appended.length % 500 === 0) await appended.at(-1);
  }
  await Promise.all(appended);
}
