import { sha256Ref } from './hash.js';
import type { Sha256Ref } from './types.js';

/** What the bytes at a path of an entry's tree are (world-behaviour 6.2). */
export interface ObjectMeaning {
  readonly semanticId: string;
  /** Who made the bytes; a label for people, never evidence. */
  readonly provenance: string;
  /** SHA-256 of the semantic id's text. */
  readonly interfaceHash: Sha256Ref;
}

const meanings: readonly (readonly [RegExp, string, string])[] = [
  [/^entry\.json$/, 'world/log-entry/v1', 'host/log'],
  [/^world\.json$/, 'world/world/v1', 'host/log'],
  [/^record\.json$/, 'world/invocation-record/v2', 'host/coordinator'],
  [/^input\.json$/, 'world/invocation-input/v1', 'host/coordinator'],
  [/^plan\.json$/, 'world/effect-plan/v1', 'host/coordinator'],
  [/^output\.json$/, 'world/invocation-output/v1', 'host/coordinator'],
  [/^effects\/[^/]+\/record\.json$/, 'world/effect-record/v1', 'host/broker'],
  [/^effects\/[^/]+\/request$/, 'world/effect-request/v1', 'host/broker'],
  [/^effects\/[^/]+\/result\.json$/, 'world/effect-result/v1', 'host/broker'],
  [/^operator\.json$/, 'world/operator-record/v1', 'host/operator'],
  [/^transitions\//, 'world/transition-source/v1', 'host/operator'],
];

/** Null for a path the format does not know. */
export function meaningOf(path: string): ObjectMeaning | null {
  for (const [pattern, semanticId, provenance] of meanings) {
    if (pattern.test(path)) return { semanticId, provenance, interfaceHash: sha256Ref(semanticId) };
  }
  return null;
}
