/** The syntax tree. `start` and `end` are UTF-16 offsets into the normalised source (see `Source.position`). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Name extends Span {
  readonly text: string;
}

export interface File {
  readonly module: ModuleHeader | null;
  readonly imports: readonly Import[];
  readonly declarations: readonly Declaration[];
}

/** `path` is `a/b/c`. */
export interface ModuleHeader extends Span {
  readonly path: string;
}

export interface Import extends Span {
  /** As written: `std/list`, `./x`, `pkg/vendor/name/m`. */
  readonly path: string;
  readonly pathSpan: Span;
  readonly alias: Name | null;
  /** Null when there is no list. */
  readonly items: readonly ImportItem[] | null;
}

export interface ImportItem {
  readonly name: Name;
  readonly alias: Name | null;
}

export type Declaration =
  | FunctionDeclaration
  | TypeDeclaration
  | ExternDeclaration
  | TestDeclaration
  | PropertyDeclaration
  | ValueDeclaration
  | ExpressionDeclaration;

export interface Attribute extends Span {
  readonly name: Name;
  /** The text between the parentheses, null without them. */
  readonly arguments: string | null;
}

export interface Parameter {
  readonly name: Name;
  readonly type: TypeExpr | null;
}

export interface FunctionDeclaration extends Span {
  readonly k: 'function';
  readonly name: Name;
  readonly attributes: readonly Attribute[];
  readonly exported: boolean;
  readonly pure: boolean;
  readonly typeParameters: readonly Name[];
  readonly parameters: readonly Parameter[];
  readonly result: TypeExpr | null;
  readonly effects: EffectRow | null;
  /** Null when the clause is absent. */
  readonly requires: readonly Expr[] | null;
  readonly ensures: readonly Expr[] | null;
  readonly tests: readonly InlineTest[] | null;
  readonly properties: readonly InlineProperty[] | null;
  readonly body: Expr;
  /** `= e` rather than `{ … }`. */
  readonly equation: boolean;
}

/** `inputs` has one expression for each parameter. */
export interface InlineTest extends Span {
  readonly inputs: readonly Expr[];
  readonly expected: Expr;
}

export interface InlineProperty extends Span {
  readonly binders: readonly Parameter[];
  readonly body: Expr;
}

export interface Variant extends Span {
  readonly name: Name;
  readonly fields: readonly TypeExpr[];
}

export interface TypeDeclaration extends Span {
  readonly k: 'type';
  readonly name: Name;
  readonly exported: boolean;
  readonly parameters: readonly Name[];
  readonly body:
    | { readonly k: 'sum'; readonly variants: readonly Variant[] }
    | { readonly k: 'alias'; readonly type: TypeExpr };
  readonly deriving: readonly Name[];
}

export interface ExternDeclaration extends Span {
  readonly k: 'extern';
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly result: TypeExpr;
  readonly effects: EffectRow | null;
}

export interface TestDeclaration extends Span {
  readonly k: 'test';
  readonly title: string;
  readonly body: Expr;
}

export interface PropertyDeclaration extends Span {
  readonly k: 'property';
  readonly title: string;
  readonly binders: readonly Parameter[];
  readonly body: Expr;
}

/** A module-level `let` or `letrec`. */
export interface ValueDeclaration extends Span {
  readonly k: 'value';
  readonly recursive: boolean;
  readonly name: Name;
  readonly type: TypeExpr | null;
  readonly value: Expr;
}

export interface ExpressionDeclaration extends Span {
  readonly k: 'expression';
  readonly value: Expr;
}

export type TypeExpr = Span &
  (
    | { readonly k: 'name'; readonly name: string; readonly arguments: readonly TypeExpr[] }
    | { readonly k: 'unit' }
    | { readonly k: 'list'; readonly item: TypeExpr }
    | { readonly k: 'tuple'; readonly items: readonly TypeExpr[] }
    | { readonly k: 'record'; readonly fields: readonly FieldType[]; readonly rest: RowRest | null }
    | {
        readonly k: 'function';
        readonly parameters: readonly TypeExpr[];
        readonly result: TypeExpr;
        readonly effects: EffectRow | null;
      }
    /** `T<l>`, or `T{not l}` when `refused`. */
    | { readonly k: 'label'; readonly type: TypeExpr; readonly label: string; readonly refused: boolean }
  );

export interface FieldType {
  readonly name: Name;
  readonly type: TypeExpr;
}

/** `name` null for `...`. */
export interface RowRest extends Span {
  readonly name: string | null;
}

export interface EffectRow extends Span {
  readonly effects: readonly EffectItem[];
  readonly variables: readonly Name[];
}

export interface EffectItem extends Span {
  readonly name: string;
  readonly parameters: readonly { readonly key: Name; readonly value: Name }[];
  readonly limit: number | null;
  readonly min: number | null;
}

export type Pattern = Span &
  (
    | { readonly k: 'wildcard' }
    /** A variable, or a nullary constructor of that name. */
    | { readonly k: 'name'; readonly name: string }
    | { readonly k: 'constructor'; readonly name: Name; readonly arguments: readonly Pattern[] }
    | { readonly k: 'cons'; readonly head: Pattern; readonly tail: Pattern }
    | { readonly k: 'int'; readonly value: bigint }
    | { readonly k: 'float'; readonly value: number }
    | { readonly k: 'string'; readonly value: string }
    | { readonly k: 'bool'; readonly value: boolean }
    | { readonly k: 'unit' }
    | { readonly k: 'list'; readonly items: readonly Pattern[]; readonly rest: Name | null }
    | { readonly k: 'tuple'; readonly items: readonly Pattern[] }
    | { readonly k: 'record'; readonly fields: readonly FieldPattern[]; readonly open: boolean }
  );

export interface FieldPattern {
  readonly name: Name;
  readonly pattern: Pattern;
}

export interface Arm extends Span {
  readonly pattern: Pattern;
  readonly guard: Expr | null;
  readonly body: Expr;
}

export interface Field {
  readonly name: Name;
  readonly value: Expr;
}

export type Statement =
  | {
      readonly k: 'let';
      readonly recursive: boolean;
      readonly name: Name;
      readonly type: TypeExpr | null;
      readonly value: Expr;
    }
  | { readonly k: 'expression'; readonly value: Expr };

export type BinaryOperator =
  | '||'
  | '&&'
  | '^'
  | '&'
  | '=='
  | '!='
  | '<'
  | '>'
  | '<='
  | '>='
  | '<<'
  | '>>'
  | '::'
  | '++'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

export type Expr = Span &
  (
    | { readonly k: 'int'; readonly value: bigint }
    | { readonly k: 'float'; readonly value: number }
    | { readonly k: 'string'; readonly value: string }
    | { readonly k: 'bool'; readonly value: boolean }
    | { readonly k: 'unit' }
    | { readonly k: 'name'; readonly name: string }
    | { readonly k: 'interpolation'; readonly parts: readonly (string | Expr)[] }
    | { readonly k: 'list' | 'array' | 'tuple'; readonly items: readonly Expr[] }
    | { readonly k: 'record'; readonly fields: readonly Field[] }
    | { readonly k: 'update'; readonly base: Expr; readonly fields: readonly Field[] }
    | {
        readonly k: 'lambda';
        readonly parameters: readonly Parameter[];
        readonly result: TypeExpr | null;
        readonly effects: EffectRow | null;
        readonly body: Expr;
        /** `\x. e`, `func(x) -> T { e }` or `func(x) => e`. */
        readonly form: 'backslash' | 'func' | 'arrow';
      }
    | { readonly k: 'call'; readonly callee: Expr; readonly arguments: readonly Expr[] }
    | { readonly k: 'field'; readonly base: Expr; readonly name: Name }
    | {
        readonly k: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Expr;
        readonly right: Expr;
        readonly operatorStart: number;
      }
    | { readonly k: 'unary'; readonly operator: '-' | '!' | '~'; readonly value: Expr; readonly word: boolean }
    | { readonly k: 'if'; readonly condition: Expr; readonly then: Expr; readonly otherwise: Expr }
    | {
        readonly k: 'let';
        readonly recursive: boolean;
        readonly name: Name;
        readonly type: TypeExpr | null;
        readonly value: Expr;
        readonly body: Expr;
      }
    | { readonly k: 'match'; readonly scrutinee: Expr; readonly arms: readonly Arm[] }
    | { readonly k: 'block'; readonly statements: readonly Statement[] }
    /** `forall i: low..high => body`; `high` is exclusive. */
    | { readonly k: 'forall'; readonly name: Name; readonly low: Expr; readonly high: Expr; readonly body: Expr }
    | { readonly k: 'assert'; readonly condition: Expr; readonly message: string | null }
  );

export type ExprOf<K extends Expr['k']> = Extract<Expr, { k: K }>;
export type PatternOf<K extends Pattern['k']> = Extract<Pattern, { k: K }>;
