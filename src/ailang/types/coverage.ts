import type { ExprOf, Pattern } from '../syntax/ast.js';
import type { Inference } from './inference.js';
import { any, CoverageBudgetExceeded, type Head, PatternMatrix, type Shape } from './pattern-matrix.js';
import { printType } from './print.js';
import { isNamed, listItem, resolve, type Type, type TypeConstructor } from './type.js';

const listHeads: readonly Head[] = [
  { name: '[]', arity: 0 },
  { name: '::', arity: 2 },
];
const boolHeads: readonly Head[] = [
  { name: 'true', arity: 0 },
  { name: 'false', arity: 0 },
];

/** Thrown where an error elsewhere hides what a constructor is: then nothing is said about the arms. */
class UnknownConstructor extends Error {}

const heads = new WeakMap<TypeConstructor, readonly Head[]>();

/** All constructors of a type, listed once for all its patterns. */
function headsOf(type: TypeConstructor): readonly Head[] {
  const known = heads.get(type) ?? type.variants.map(({ name, fields }) => ({ name, arity: fields.length }));
  heads.set(type, known);
  return known;
}

/** Warns about values no arm covers and about arms no value reaches. */
export function reportCoverage(c: Inference, expr: ExprOf<'match'>, scrutinee: Type): void {
  const matrix = new PatternMatrix();
  const rows: Shape[][] = [];
  try {
    for (const arm of expr.arms) {
      const row = [shapeOf(c, arm.pattern)];
      if (!matrix.useful(rows, row)) {
        c.reporter.warning(
          'TC_MATCH_004',
          arm.pattern.start,
          'this arm is never reached: the arms before it cover all its values',
          'Remove it, or move it up.',
        );
      }
      if (arm.guard === null) rows.push(row);
    }
    const missing = matrix.uncovered(rows, 1);
    if (missing === null) return;
    const example = printShape(missing[0] ?? any, scrutinee);
    const guards = expr.arms.some((arm) => arm.guard !== null) ? ' (arms with a guard may not match)' : '';
    const every = example === '_';
    c.reporter.warning(
      'TC_MATCH_003',
      expr.start,
      `this match does not cover ${every ? `all values of type ${printType(scrutinee)}` : example}${guards}`,
      every ? 'Add a last arm _ => ….' : `Add an arm such as ${example} => …, or _ => ….`,
    );
  } catch (error) {
    if (!(error instanceof CoverageBudgetExceeded) && !(error instanceof UnknownConstructor)) throw error;
  }
}

function shapeOf(c: Inference, pattern: Pattern): Shape {
  const variant = c.facts.patterns.get(pattern);
  if (variant !== undefined) {
    const args = pattern.k === 'constructor' ? pattern.arguments.map((argument) => shapeOf(c, argument)) : [];
    const padded = variant.fields.map((_, index) => args[index] ?? any);
    return {
      k: 'constructor',
      name: variant.name,
      args: padded,
      signature: headsOf(variant.type),
    };
  }
  switch (pattern.k) {
    case 'constructor':
      throw new UnknownConstructor(pattern.name.text);
    case 'name':
      if (/^\p{Lu}/u.test(pattern.name)) throw new UnknownConstructor(pattern.name);
      return any;
    case 'wildcard':
      return any;
    case 'int':
    case 'float':
      return { k: 'constructor', name: String(pattern.value), args: [], signature: null };
    case 'string':
      return { k: 'constructor', name: JSON.stringify(pattern.value), args: [], signature: null };
    case 'bool':
      return { k: 'constructor', name: String(pattern.value), args: [], signature: boolHeads };
    case 'unit':
      return { k: 'constructor', name: '()', args: [], signature: [{ name: '()', arity: 0 }] };
    case 'tuple':
      return {
        k: 'constructor',
        name: '(,)',
        args: pattern.items.map((item) => shapeOf(c, item)),
        signature: [{ name: '(,)', arity: pattern.items.length }],
      };
    case 'cons':
      return cons(shapeOf(c, pattern.head), shapeOf(c, pattern.tail));
    case 'list': {
      const end: Shape = pattern.rest === null ? { k: 'constructor', name: '[]', args: [], signature: listHeads } : any;
      return pattern.items.reduceRight((tail, item) => cons(shapeOf(c, item), tail), end);
    }
    case 'record': {
      const fields = pattern.fields.map(({ name }) => name.text);
      return {
        k: 'constructor',
        name: '{}',
        fields,
        args: pattern.fields.map((field) => shapeOf(c, field.pattern)),
        signature: [{ name: '{}', arity: fields.length, fields }],
      };
    }
  }
}

function cons(head: Shape, tail: Shape): Shape {
  return { k: 'constructor', name: '::', args: [head, tail], signature: listHeads };
}

/** A missing value in pattern syntax. */
function printShape(shape: Shape, type: Type | null, depth = 0): string {
  if (shape.k === 'any' || depth > 20) return emptyExample(type) ?? '_';
  const args = shape.args.map((arg) => printShape(arg, null, depth + 1));
  switch (shape.name) {
    case '::':
      return `${args[0] ?? '_'} :: ${args[1] ?? '_'}`;
    case '(,)':
      return `(${args.join(', ')})`;
    case '{}':
      return `{${(shape.fields ?? []).map((name, index) => `${name}: ${args[index] ?? '_'}`).join(', ')}}`;
    default:
      return args.length === 0 ? shape.name : `${shape.name}(${args.join(', ')})`;
  }
}

function emptyExample(type: Type | null): string | null {
  if (type === null) return null;
  const found = resolve(type);
  return isNamed(found, 'int') || isNamed(found, 'string') || listItem(found) !== null ? '_' : null;
}
