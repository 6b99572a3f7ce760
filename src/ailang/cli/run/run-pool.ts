import type { RunChild } from './child-process.js';

/** A child could not be had. */
export class PoolError extends Error {}

/** Runs at the same time; more would only share the processors and the memory. */
const maxBusy = 6;

/** Starting a process takes the processor from a run, which most often ends within this time. */
const shortRunMs = 50;

interface Waiting {
  readonly go: () => void;
  readonly giveUp: (error: PoolError) => void;
}

/**
 * Children that have loaded everything and wait for a request. Each serves one run; a successor starts when that run
 * has ended, or takes long.
 */
export class RunPool {
  readonly #start: () => RunChild;
  readonly #size: number;
  readonly #idle: RunChild[] = [];
  readonly #all = new Set<RunChild>();
  readonly #waiting = new Set<Waiting>();
  #busy = 0;
  #closed = false;

  /** @param size children kept ready */
  constructor(start: () => RunChild, size: number) {
    this.#start = start;
    this.#size = size;
    this.#refill();
  }

  get pids(): number[] {
    return [...this.#all].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** Settles when every idle child has rehearsed. */
  async warm(): Promise<void> {
    await Promise.all(this.#idle.map((child) => child.rehearsed));
  }

  /**
   * A child that is ready, for one run; it counts as busy until it is gone.
   * @param waitMs how long to wait for a turn
   * @throws PoolError when no turn comes, no child can be started, or the pool is closed
   */
  async take(waitMs: number): Promise<RunChild> {
    if (this.#busy >= maxBusy) await this.#turn(waitMs);
    this.#busy += 1;
    try {
      for (let attempt = 0; attempt < 3 && !this.#closed; attempt++) {
        const child = this.#idle.shift() ?? this.#started();
        if (!(await child.ready)) continue;
        const timer = setTimeout(() => this.#refill(), shortRunMs);
        child.ended.then(() => {
          clearTimeout(timer);
          this.#release();
          this.#refill();
        });
        return child;
      }
      throw new PoolError(this.#closed ? 'the toolchain is closed' : 'no run child could be started');
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  close(): void {
    this.#closed = true;
    for (const child of this.#all) child.kill();
    for (const { giveUp } of this.#waiting) giveUp(new PoolError('the toolchain is closed'));
  }

  async #turn(waitMs: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        go: () => {
          clearTimeout(timer);
          resolve();
        },
        giveUp: (error) => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          reject(error);
        },
      };
      const timer = setTimeout(() => waiting.giveUp(new PoolError('too many runs at the same time')), waitMs);
      this.#waiting.add(waiting);
    });
  }

  #release(): void {
    this.#busy -= 1;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    next.go();
  }

  #started(): RunChild {
    const child = this.#start();
    this.#all.add(child);
    child.ended.then(() => {
      this.#all.delete(child);
      const place = this.#idle.indexOf(child);
      if (place >= 0) this.#idle.splice(place, 1);
    });
    return child;
  }

  #refill(): void {
    while (!this.#closed && this.#idle.length < this.#size) this.#idle.push(this.#started());
  }
}
