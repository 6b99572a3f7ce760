import type { Broker } from '../broker/broker.js';
import type { Timers } from '../broker/timers.js';
import type { Episodes } from '../episode/episodes.js';
import type { Identity } from '../git/types.js';
import type { Sha256Ref, WorldLog } from '../log/types.js';
import type { LoadedTool } from './transitions.js';
import type { Call } from './types.js';

/** What invocations are made with. */
export interface InvokerDeps {
  readonly log: WorldLog;
  readonly tools: ReadonlyMap<string, LoadedTool>;
  readonly broker: Broker;
  readonly episodes: Episodes;
  /** The toolchain's ref, for entry headers. */
  readonly interpreter: Sha256Ref;
  /** Author of drift entries. */
  readonly daemon: Identity;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly timers: Timers;
}

/** Milliseconds (world-formats 13). */
export const DEADLINES = {
  call: 20_000,
  plan: 2_000,
  handler: 10_000,
  /** Finish, snapshot and commit. */
  finishing: 4_000,
} as const;

/** One admitted call on its way through the phases. */
export interface Invocation {
  readonly call: Call;
  readonly invocationId: string;
  readonly loaded: LoadedTool;
  /** Canonical JSON of the arguments. */
  readonly input: Buffer;
  /** Unix milliseconds of arrival. */
  readonly arrivedAt: number;
  readonly progress: Progress;
}

/** How far a call has got, as its deadline needs to know. */
export class Progress {
  private state: 'waiting' | 'abandoned' | 'dispatched' = 'waiting';

  /** The caller's deadline passed. False when an effect has been dispatched: then the call goes on to its end. */
  abandon(): boolean {
    if (this.state === 'waiting') this.state = 'abandoned';
    return this.state === 'abandoned';
  }

  dispatch(): void {
    if (this.state === 'waiting') this.state = 'dispatched';
  }

  get abandoned(): boolean {
    return this.state === 'abandoned';
  }
}
