/** A small generator of random numbers that a seed determines (mulberry32). */
export class Random {
  #state: number;

  constructor(...seeds: readonly number[]) {
    this.#state = seeds.reduce((state, seed) => Math.imul(state ^ seed, 0x9e3779b1) + 0x7f4a7c15, 1) >>> 0;
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}
