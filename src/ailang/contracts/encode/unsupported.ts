import type { Position } from '../../diagnostic.js';
import type { RejectionCode } from '../types.js';

/** Thrown while encoding when a construct has no exact encoding. */
export class Unsupported extends Error {
  constructor(
    readonly code: RejectionCode,
    message: string,
    readonly hint: string,
    readonly position: Position | null = null,
  ) {
    super(message);
  }
}

export const unencodable = (what: string, position: Position | null = null): Unsupported =>
  new Unsupported(
    'UNENCODABLE_TYPE',
    `${what} cannot be encoded`,
    'Keep contracts and what they call to ints, bools, strings, records, sum types and lists.',
    position,
  );

/** Thrown when inlining and unrolling grow beyond what is worth a proof. */
export class TooLarge extends Error {}
