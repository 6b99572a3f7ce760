/** A small seeded generator (splitmix32): the same seed gives the same cases on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A generator for one property, independent of the others and of their order. */
  static for(seed: number, name: string): Random {
    let mixed = seed >>> 0;
    for (const char of name) mixed = Math.imul(mixed ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
    return new Random(mixed);
  }

  /** From 0 up to, not including, 2^32. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    const span = high - low + 1;
    if (span <= 0x1_0000_0000) return low + (this.next() % span);
    const fraction = (this.next() * 0x20_0000 + (this.next() >>> 11)) / 0x20_0000_0000_0000;
    return Math.min(high, low + Math.floor(fraction * span));
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}
