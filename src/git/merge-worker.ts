// Entry of the worker thread that merges packs, so that hashing and copying never hold up an append.
import { parentPort } from 'node:worker_threads';
import { type MergeResult, mergePacks } from './merge-step.js';
import type { Repository } from './types.js';

export interface MergeTask {
  readonly repository: Repository;
  readonly names: readonly string[];
  /** Level of the new pack. */
  readonly level: number;
}

export type MergeReply =
  | { readonly ok: true; readonly result: MergeResult }
  | { readonly ok: false; readonly message: string };

parentPort?.on('message', async (task: MergeTask) => {
  let reply: MergeReply;
  try {
    reply = { ok: true, result: await mergePacks(task.repository, task.names, task.level) };
  } catch (error) {
    reply = { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});
