import { createHash } from 'node:crypto';
import type { EntryHeader, Sha256Ref, World } from '../log/types.js';

/**
 * The hash constructions of world-formats 9, written a second time on purpose: a check that shares its code with the
 * writer would agree with the writer's mistakes.
 */
export function refOf(bytes: Buffer | string): Sha256Ref {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}` as Sha256Ref;
}

/** Compact JSON of the six header fields and `transitionRef`, in this order (world-formats 9.2). */
export function entryHashOf(header: EntryHeader, transitionRef: Sha256Ref): Sha256Ref {
  const { entryIndex, semanticsEpoch, transitionFn, interpreter, prevEntryHash, writtenBy } = header;
  return refOf(
    JSON.stringify({ entryIndex, semanticsEpoch, transitionFn, interpreter, prevEntryHash, writtenBy, transitionRef }),
  );
}

/** Compact JSON of the three fields, in this order (world-formats 9.3). */
export function worldRefOf({ revision, stateRoot, logHead }: World): Sha256Ref {
  return refOf(JSON.stringify({ revision, stateRoot, logHead }));
}
