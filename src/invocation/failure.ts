import { WorldError } from '../errors.js';
import type { Sha256Ref } from '../log/types.js';
import type { InvocationFailureKind } from './types.js';

/** A call that ended without a committed result. `effectRecords` names effects that ran all the same. */
export class InvocationFailure extends WorldError {
  readonly kind: InvocationFailureKind;
  readonly invocationId: string;
  readonly effectRecords: readonly Sha256Ref[];

  constructor(
    kind: InvocationFailureKind,
    invocationId: string,
    message: string,
    options: { effectRecords?: readonly Sha256Ref[]; cause?: unknown } = {},
  ) {
    super(`invocation-${kind}`, message, {
      data: { invocationId, effectRecords: options.effectRecords ?? [] },
      cause: options.cause,
    });
    this.name = 'InvocationFailure';
    this.kind = kind;
    this.invocationId = invocationId;
    this.effectRecords = options.effectRecords ?? [];
  }
}
