import fc, { type Arbitrary } from 'fast-check';
import type {
  BinaryOperator,
  Declaration,
  EffectRow,
  Expr,
  Field,
  File,
  Name,
  Parameter,
  Pattern,
  Statement,
  TypeExpr,
} from '../../../src/ailang/syntax/ast.js';

const span = { start: 0, end: 0 };
const lower = fc.constantFrom('x', 'y', 'foo', "a'", '_z', 'lengthOf', 'é');
const upper = fc.constantFrom('A', 'Some', 'Node', 'Ünit');
const name = (text: Arbitrary<string>): Arbitrary<Name> => text.map((value) => ({ text: value, ...span }));
const few = <T>(item: Arbitrary<T>, minLength = 0): Arbitrary<T[]> => fc.array(item, { minLength, maxLength: 3 });
const maybe = <T>(item: Arbitrary<T>): Arbitrary<T | null> => fc.option(item, { nil: null });
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('${', '\\', '"', '\u0301', '\0', '\n', '-- no'),
);
const int = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const float = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0));

const effects: Arbitrary<EffectRow> = fc
  .record({
    effects: fc.uniqueArray(fc.constantFrom('IO', 'FS', 'Net'), { maxLength: 2 }),
    limit: maybe(fc.nat(9)),
    min: maybe(fc.nat(9)),
    variables: fc.uniqueArray(fc.constantFrom('e', 'f'), { maxLength: 1 }),
  })
  .map(({ effects: names, limit, min, variables }) => ({
    effects: names.map((effect) => ({ name: effect, parameters: [], limit, min, ...span })),
    variables: variables.map((variable) => ({ text: variable, ...span })),
    ...span,
  }));

const type: Arbitrary<TypeExpr> = fc.letrec<{ type: TypeExpr }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('int', 'string', 'a').map((text) => ({ k: 'name' as const, name: text, arguments: [], ...span })),
    fc.constant({ k: 'unit' as const, ...span }),
    few(tie('type'), 1).map((args) => ({ k: 'name' as const, name: 'Result', arguments: args, ...span })),
    tie('type').map((item) => ({ k: 'list' as const, item, ...span })),
    fc.array(tie('type'), { minLength: 2, maxLength: 3 }).map((items) => ({ k: 'tuple' as const, items, ...span })),
    fc
      .record({ fields: few(fc.record({ name: name(lower), type: tie('type') })), rest: maybe(maybe(lower)) })
      .map(({ fields, rest }) => ({
        k: 'record' as const,
        fields,
        rest: rest === null ? null : { name: rest, ...span },
        ...span,
      })),
    fc
      .record({ parameters: few(tie('type')), result: tie('type'), effects: maybe(effects) })
      .map((parts) => ({ k: 'function' as const, ...parts, ...span })),
    fc.boolean().map((refused) => ({
      k: 'label' as const,
      type: { k: 'name' as const, name: 'string', arguments: [], ...span },
      label: 'secret',
      refused,
      ...span,
    })),
  ),
})).type;

const pattern: Arbitrary<Pattern> = fc.letrec<{ pattern: Pattern }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant({ k: 'wildcard' as const, ...span }),
    fc.oneof(lower, upper).map((text) => ({ k: 'name' as const, name: text, ...span })),
    fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }).map((value) => ({ k: 'int' as const, value, ...span })),
    float.map((value) => ({ k: 'float' as const, value, ...span })),
    text.map((value) => ({ k: 'string' as const, value: value.normalize('NFC'), ...span })),
    fc.boolean().map((value) => ({ k: 'bool' as const, value, ...span })),
    fc.constant({ k: 'unit' as const, ...span }),
    fc
      .record({ name: name(upper), arguments: few(tie('pattern')) })
      .map((parts) => ({ k: 'constructor' as const, ...parts, ...span })),
    fc
      .record({ head: tie('pattern'), tail: tie('pattern') })
      .map((parts) => ({ k: 'cons' as const, ...parts, ...span })),
    fc
      .record({ items: few(tie('pattern')), rest: maybe(name(lower)) })
      .map((parts) => ({ k: 'list' as const, ...parts, ...span })),
    fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((items) => ({ k: 'tuple' as const, items, ...span })),
    fc
      .record({ fields: few(fc.record({ name: name(lower), pattern: tie('pattern') })), open: fc.boolean() })
      .map((parts) => ({ k: 'record' as const, ...parts, ...span })),
  ),
})).pattern;

const operators: readonly BinaryOperator[] = [
  ...(['||', '&&', '^', '&', '==', '!=', '<', '>', '<=', '>='] as const),
  ...(['<<', '>>', '::', '++', '+', '-', '*', '/', '%'] as const),
];

const parameters: Arbitrary<Parameter[]> = few(fc.record({ name: name(lower), type: maybe(type) }));
const bareParameters = few(name(lower), 1).map((names) => names.map((one) => ({ name: one, type: null })));

/** Before `=>` the parser takes names in parentheses for a lambda of another language, so an argument list ends these. */
const closedCall = (argument: Expr): Expr => ({
  k: 'call',
  callee: { k: 'name', name: 'f', ...span },
  arguments: [argument],
  ...span,
});

type Trees = {
  expr: Expr;
  statement: Statement;
  fields: Field[];
  block: Expr;
};

const trees = fc.letrec<Trees>((tie) => ({
  fields: fc.array(fc.record({ name: name(fc.oneof(lower, fc.constantFrom('if', 'two words'))), value: tie('expr') }), {
    minLength: 1,
    maxLength: 3,
  }),
  statement: fc.oneof(
    tie('expr').map((value) => ({ k: 'expression' as const, value })),
    fc
      .record({ recursive: fc.boolean(), name: name(lower), type: maybe(type), value: tie('expr') })
      .map((parts) => ({ k: 'let' as const, ...parts })),
  ),
  block: few(tie('statement')).map((statements) => ({ k: 'block' as const, statements, ...span })),
  expr: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    int.map((value) => ({ k: 'int' as const, value, ...span })),
    float.map((value) => ({ k: 'float' as const, value, ...span })),
    text.map((value) => ({ k: 'string' as const, value, ...span })),
    fc.boolean().map((value) => ({ k: 'bool' as const, value, ...span })),
    fc.constant({ k: 'unit' as const, ...span }),
    lower.map((text) => ({ k: 'name' as const, name: text, ...span })),
    fc.record({ before: text, hole: tie('expr'), after: text }).map(({ before, hole, after }) => ({
      k: 'interpolation' as const,
      parts: [before, hole, after].filter((part) => part !== ''),
      ...span,
    })),
    few(tie('expr')).map((items) => ({ k: 'list' as const, items, ...span })),
    few(tie('expr')).map((items) => ({ k: 'array' as const, items, ...span })),
    few(tie('expr'), 1).map((items) => ({ k: 'tuple' as const, items, ...span })),
    tie('fields').map((fields) => ({ k: 'record' as const, fields, ...span })),
    fc
      .record({ base: tie('expr'), fields: tie('fields') })
      .map((parts) => ({ k: 'update' as const, ...parts, ...span })),
    fc
      .record({ parameters: bareParameters, body: tie('expr'), effects: maybe(effects) })
      .map((parts) => ({ k: 'lambda' as const, form: 'backslash' as const, result: null, ...parts, ...span })),
    fc.record({ parameters, body: tie('expr') }).map((parts) => ({
      k: 'lambda' as const,
      form: 'arrow' as const,
      result: null,
      effects: null,
      ...parts,
      ...span,
    })),
    fc
      .record({ parameters, result: maybe(type), effects: maybe(effects), body: tie('block') })
      .map((parts) => ({ k: 'lambda' as const, form: 'func' as const, ...parts, ...span })),
    fc
      .record({ callee: tie('expr'), arguments: few(tie('expr')) })
      .map((parts) => ({ k: 'call' as const, ...parts, ...span })),
    fc.record({ base: tie('expr'), name: name(lower) }).map((parts) => ({ k: 'field' as const, ...parts, ...span })),
    fc
      .record({ operator: fc.constantFrom(...operators), left: tie('expr'), right: tie('expr') })
      .map((parts) => ({ k: 'binary' as const, ...parts, operatorStart: 0, ...span })),
    fc.record({ operator: fc.constantFrom('-', '!', '~', 'not'), value: tie('expr') }).map(
      ({ operator, value }): Expr => ({
        k: 'unary',
        operator: operator === '-' || operator === '~' ? operator : '!',
        word: operator === 'not',
        value,
        ...span,
      }),
    ),
    fc
      .record({ condition: tie('expr'), then: tie('expr'), otherwise: tie('expr') })
      .map((parts) => ({ k: 'if' as const, ...parts, ...span })),
    fc
      .record({ recursive: fc.boolean(), name: name(lower), type: maybe(type), value: tie('expr'), body: tie('expr') })
      .map((parts) => ({ k: 'let' as const, ...parts, ...span })),
    fc
      .record({
        scrutinee: tie('expr'),
        arms: few(fc.record({ pattern, guard: maybe(tie('expr').map(closedCall)), body: tie('expr') }), 1),
      })
      .map(({ scrutinee, arms }) => ({
        k: 'match' as const,
        scrutinee,
        arms: arms.map((arm) => ({ ...arm, ...span })),
        ...span,
      })),
    tie('block'),
    fc
      .record({ name: name(lower), low: tie('expr'), high: tie('expr').map(closedCall), body: tie('expr') })
      .map((parts) => ({ k: 'forall' as const, ...parts, ...span })),
    fc
      .record({ condition: tie('expr'), message: maybe(text) })
      .map((parts) => ({ k: 'assert' as const, ...parts, ...span })),
  ),
}));

const { expr, block } = trees;
const typed = few(fc.record({ name: name(lower), type }), 1);

const declaration: Arbitrary<Declaration> = fc.oneof(
  fc
    .record({
      name: name(lower),
      exported: fc.boolean(),
      pure: fc.boolean(),
      typeParameters: few(name(fc.constantFrom('a', 'b'))),
      parameters: fc.oneof(parameters, typed),
      result: maybe(type),
      effects: maybe(effects),
      requires: maybe(few(expr)),
      ensures: maybe(few(expr)),
      properties: maybe(few(fc.record({ binders: typed, body: expr }))),
      equation: fc.boolean(),
      expr,
      block,
    })
    .map(({ expr: equationBody, block: braced, properties, ...parts }) => ({
      k: 'function' as const,
      attributes: [],
      tests: null,
      ...parts,
      properties: properties?.map((one) => ({ ...one, ...span })) ?? null,
      body: parts.equation ? equationBody : braced,
      ...span,
    })),
  fc
    .record({
      name: name(upper),
      exported: fc.boolean(),
      parameters: few(name(fc.constantFrom('a', 'b'))),
      variants: few(fc.record({ name: name(upper), fields: few(type) }), 1),
    })
    .map(({ variants, ...parts }) => ({
      k: 'type' as const,
      ...parts,
      body: { k: 'sum' as const, variants: variants.map((one) => ({ ...one, ...span })) },
      deriving: [],
      ...span,
    })),
  fc
    .record({ recursive: fc.boolean(), name: name(lower), type: maybe(type), value: expr })
    .map((parts) => ({ k: 'value' as const, ...parts, ...span })),
  fc.record({ title: text, body: expr }).map((parts) => ({ k: 'test' as const, ...parts, ...span })),
  fc
    .record({ title: text, binders: typed, body: expr })
    .map((parts) => ({ k: 'property' as const, ...parts, ...span })),
);

/** Files as the parser could have read them; places are all zero. */
export const files: Arbitrary<File> = fc.array(declaration, { maxLength: 3 }).map((declarations) => ({
  module: { path: 'a/b', ...span },
  imports: [
    {
      path: 'std/list',
      pathSpan: span,
      alias: null,
      items: [{ name: { text: 'map', ...span }, alias: null }],
      ...span,
    },
  ],
  declarations,
}));
