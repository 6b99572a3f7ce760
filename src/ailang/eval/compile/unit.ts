import type { Callable, Constructor, Value } from '../values.js';

/** What generated code of one program shares: constants are passed in by number, so no text of a program becomes code. */
export class CompilationUnit {
  readonly constants: unknown[] = [];
  private readonly numbers = new Map<unknown, string>();
  private names = 0;

  /** The name under which generated code finds this value. */
  constant(value: unknown): string {
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    const name = `k${this.constants.length}`;
    this.constants.push(value);
    this.numbers.set(value, name);
    return name;
  }

  /** A name used nowhere else. */
  fresh(prefix: string): string {
    this.names += 1;
    return `${prefix}${this.names}`;
  }
}

/** How the compiler resolves names outside the function it is in. */
export interface Globals {
  readonly unit: CompilationUnit;
  /** Natives by name. */
  native(name: string): Callable;
  /** The generated name of a top-level function or value. */
  name(key: string): string;
  /** A function that only passes its parameters on to a native: that native. */
  alias(key: string): Callable | null;
  isFunction(key: string): boolean;
  mayTail(key: string): boolean;
  inCycle(from: string, to: string): boolean;
  /** The value of a nullary constructor, else the function that builds one. */
  constructorValue(name: string, arity: number): Value;
  /** What matching compares. */
  descriptor(name: string, arity: number): Constructor;
}
