import type { Scheme, Type, TypeConstructor, TypeVariable, VariantInfo } from '../types/type.js';

/** What a value name means. */
export type ValueEntry =
  | { readonly k: 'global'; readonly module: string; readonly name: string; scheme: Scheme }
  | { readonly k: 'builtin'; readonly name: string; readonly scheme: Scheme }
  | { readonly k: 'constructor'; readonly variant: VariantInfo; readonly scheme: Scheme };

/** What a type name means. An alias is the type it stands for, written with its parameters; `rows` are fresh at every use. */
export type TypeEntry =
  | { readonly k: 'constructor'; readonly constructor: TypeConstructor }
  | {
      readonly k: 'alias';
      readonly name: string;
      readonly parameters: readonly TypeVariable[];
      readonly rows: readonly TypeVariable[];
      readonly type: Type;
    };

/** What a module offers. Constructors of exported types are exported values. */
export interface Exports {
  /** Names that syntax errors may have hidden. */
  readonly lost: ReadonlySet<string>;
  readonly module: string;
  readonly values: ReadonlyMap<string, ValueEntry>;
  readonly types: ReadonlyMap<string, TypeEntry>;
}

/** The names a module sees at top level; its own declarations hide imports, imports hide the prelude. */
export class ModuleScope {
  readonly values = new Map<string, ValueEntry>();
  readonly types = new Map<string, TypeEntry>();
  readonly aliases = new Map<string, Exports>();
  /** Names bound by imports, for MOD015. */
  readonly imported = new Set<string>();
  /** Names whose meaning an earlier error hides: their uses are not reported. */
  readonly lost = new Set<string>();
  /** Names the prelude gives, looked up last. */
  readonly prelude: { values: Map<string, ValueEntry>; types: Map<string, TypeEntry> } = {
    values: new Map(),
    types: new Map(),
  };

  constructor(
    readonly module: string,
    readonly builtinValue: (name: string) => ValueEntry | null,
  ) {}

  value(name: string): ValueEntry | null {
    return this.values.get(name) ?? this.prelude.values.get(name) ?? this.builtinValue(name);
  }

  type(name: string): TypeEntry | null {
    return this.types.get(name) ?? this.prelude.types.get(name) ?? null;
  }
}
