import type { RunChild } from './child-process.js';

/** The next child could not be had. */
export class PoolError extends Error {}

/**
 * Children that have loaded everything and wait for a request. Each serves one run; a successor starts when that run
 * is over, or at once when nobody else waits ready.
 */
export class RunPool {
  readonly #start: () => RunChild;
  readonly #size: number;
  readonly #idle: RunChild[] = [];
  readonly #all = new Set<RunChild>();
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

  /** Settles when every idle child is ready. */
  async warm(): Promise<void> {
    await Promise.all(this.#idle.map((child) => child.ready));
  }

  /** @throws PoolError when children cannot be started or the pool is closed */
  async take(): Promise<RunChild> {
    for (let attempt = 0; attempt < 3 && !this.#closed; attempt++) {
      const child = this.#idle.shift() ?? this.#started();
      if (this.#idle.length === 0) this.#refill();
      child.ended.then(() => this.#refill());
      if (await child.ready) return child;
    }
    throw new PoolError(this.#closed ? 'the toolchain is closed' : 'no run child could be started');
  }

  close(): void {
    this.#closed = true;
    for (const child of this.#all) child.kill();
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
