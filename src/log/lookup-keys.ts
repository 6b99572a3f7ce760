import { createHash } from 'node:crypto';
import type { EntryFacts } from './entry-facts.js';
import type { LogEntry, Sha256Ref } from './types.js';

/** 16 bytes of a SHA-256: what the lookup index knows refs and invocation ids by. */
export const keyBytes = 16;

export function refKey(ref: Sha256Ref): Buffer {
  return Buffer.from(ref.slice('sha256:'.length, 'sha256:'.length + 2 * keyBytes), 'hex');
}

export function invocationKey(invocationId: string): Buffer {
  return hash(`invocation\0${invocationId}`);
}

/** Every key an entry is found by: its hash, the bytes of each of its files, its invocation id. */
export function entryKeys(entry: LogEntry, facts: EntryFacts): readonly Buffer[] {
  const keys = new Map<string, Buffer>();
  const add = (key: Buffer) => keys.set(key.toString('latin1'), key);
  add(refKey(entry.entryHash));
  for (const body of entry.files.values()) add(hash(body));
  if (facts.kind === 'invocation') add(invocationKey(facts.record.invocationId));
  return [...keys.values()];
}

function hash(bytes: Buffer | string): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, keyBytes);
}
