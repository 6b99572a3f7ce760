import { createHash } from 'node:crypto';
import type { Sha256Ref } from './types.js';

const shape = /^sha256:[0-9a-f]{64}$/;

/** The content address of some bytes: `sha256:` and 64 lower-case hex digits (world-formats 1). */
export function sha256Ref(bytes: Buffer | string): Sha256Ref {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}` as Sha256Ref;
}

/** True for a well-formed ref; the empty ref is not one. */
export function isSha256Ref(value: unknown): value is Sha256Ref {
  return typeof value === 'string' && shape.test(value);
}
