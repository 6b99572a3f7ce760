import type { EpisodeWorktree } from '../episode/types.js';
import { WorldError } from '../errors.js';
import type { JsonObject } from '../log/types.js';
import type { Toolchain } from '../toolchain/types.js';

/** What a handler is given: the planned payload and where to carry it out. */
export interface HandlerCall {
  readonly effect: string;
  readonly payload: JsonObject;
  readonly worktree: EpisodeWorktree;
  /** Milliseconds the toolchain may take. */
  readonly deadlineMs: number;
}

export interface HandlerContext {
  readonly toolchain: Toolchain;
  /** Whether the operator named an examples corpus. */
  readonly examples: boolean;
}

/** The process boundary of one effect. Resolves with the handler's output; rejects when the effect failed. */
export type Handler = (context: HandlerContext, call: HandlerCall) => Promise<JsonObject>;

/** A handler that would not or could not do what was asked; its message may be shown to the agent. */
export class HandlerFailure extends WorldError {
  constructor(message: string, cause?: unknown) {
    super('handler-failed', message, { cause });
    this.name = 'HandlerFailure';
  }
}
