/** What a local name stands for in generated code. */
export interface Binding {
  readonly code: string;
  /** False for a function that always returns a value, never `TAIL`. */
  readonly mayTail: boolean;
}

/** Lexical scope; inner names hide outer ones. */
export class Scope {
  private constructor(
    private readonly parent: Scope | null,
    private readonly name: string,
    private readonly binding: Binding,
  ) {}

  static readonly empty: Scope = new Scope(null, '', { code: '', mayTail: true });

  bind(name: string, code: string, mayTail = true): Scope {
    return new Scope(this, name, { code, mayTail });
  }

  lookup(name: string): Binding {
    for (let scope: Scope | null = this; scope !== null && scope.parent !== null; scope = scope.parent) {
      if (scope.name === name) return scope.binding;
    }
    throw new Error(`the checker let the unbound name ${name} through`);
  }
}
