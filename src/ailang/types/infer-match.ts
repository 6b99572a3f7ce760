import type { ExprOf, Pattern } from '../syntax/ast.js';
import { nearest } from '../syntax/edit-distance.js';
import { reportCoverage } from './coverage.js';
import { expectBool, infer, lastExpr } from './infer-expr.js';
import type { Inference, Origin } from './inference.js';
import { printType } from './print.js';
import { substitute } from './scheme.js';
import {
  boolType,
  errorType,
  floatType,
  listOf,
  resolve,
  stringType,
  type Type,
  type TypeConstructor,
  unitType,
  type VariantInfo,
} from './type.js';
import { differs } from './unify.js';

export function inferMatch(c: Inference, expr: ExprOf<'match'>, expected: Type | null): Type {
  const scrutinee = infer(c, expr.scrutinee);
  let result: Type | null = null;
  let matched = scrutinee;
  let first: Origin | null = null;
  const where = 'in this match arm, which must have the type of the first arm';
  for (const arm of expr.arms) {
    const bindings = new Map<string, Type>();
    const before = c.reporter.errors.length;
    inferPattern(c, arm.pattern, matched, bindings);
    // One wrong pattern says it all: the others are mostly wrong in the same way.
    if (c.reporter.errors.length > before) matched = errorType;
    const type = c.withTypes(bindings, () => {
      if (arm.guard !== null) expectBool(c, arm.guard, 'in a guard');
      return infer(c, arm.body, expected ?? result);
    });
    const { start } = lastExpr(arm.body);
    if (result === null) {
      result = type;
      first = { what: 'the first arm', start };
    } else if (expected !== null && first !== null && onlySecondFits(result, type, expected)) {
      // The first arm is the one to correct.
      c.fit(result, type, first.start, 'in the first match arm', undefined, { what: 'this arm', start });
      result = errorType;
    } else if (!c.fit(type, result, start, where, undefined, first)) result = errorType;
  }
  if (c.coverage && matched === scrutinee && resolve(scrutinee) !== errorType) reportCoverage(c, expr, scrutinee);
  return result ?? c.fresh();
}

const onlySecondFits = (first: Type, second: Type, expected: Type): boolean =>
  differs(first, expected) && differs(first, second) && !differs(second, expected);

/** What is matched decides what a pattern can be. */
function patternHint(matched: Type, pattern: Type): string | undefined {
  const type = resolve(matched);
  if (!differs(pattern, matched)) return undefined;
  if (type.k === 'named' && type.constructor.variants.length > 0) {
    const names = type.constructor.variants.map((variant) => variant.name).join(', ');
    return `The value matched is of type ${printType(type)}: its constructors are ${names}.`;
  }
  return `The value matched is of type ${printType(type)}: write a pattern of that type.`;
}

/** Types a pattern against `type` and collects the variables it binds. */
export function inferPattern(c: Inference, pattern: Pattern, type: Type, bindings: Map<string, Type>): void {
  const fit = (found: Type) => c.fit(found, type, pattern.start, 'in a pattern', patternHint(type, found));
  c.facts.nodes?.set(pattern, type);
  switch (pattern.k) {
    case 'wildcard':
      return;
    case 'name': {
      const variant = constructorNamed(c, pattern.name);
      if (variant !== null) constructorPattern(c, pattern, variant, [], type, bindings);
      else if (/^\p{Lu}/u.test(pattern.name)) unknownConstructor(c, pattern.name, pattern.start, type);
      else bind(c, pattern.name, pattern.start, type, bindings);
      return;
    }
    case 'constructor': {
      const variant = constructorNamed(c, pattern.name.text);
      if (variant !== null) {
        constructorPattern(c, pattern, variant, pattern.arguments, type, bindings);
        return;
      }
      unknownConstructor(c, pattern.name.text, pattern.name.start, type);
      for (const argument of pattern.arguments) inferPattern(c, argument, errorType, bindings);
      return;
    }
    case 'int': {
      const literal = c.number(true);
      c.facts.types.set(pattern, literal);
      fit(literal);
      return;
    }
    case 'float':
      fit(floatType);
      return;
    case 'string':
      fit(stringType);
      return;
    case 'bool':
      fit(boolType);
      return;
    case 'unit':
      fit(unitType);
      return;
    case 'cons': {
      const item = c.fresh();
      fit(listOf(item));
      inferPattern(c, pattern.head, item, bindings);
      inferPattern(c, pattern.tail, listOf(item), bindings);
      return;
    }
    case 'list': {
      const item = c.fresh();
      fit(listOf(item));
      for (const part of pattern.items) inferPattern(c, part, item, bindings);
      if (pattern.rest !== null) c.facts.nodes?.set(pattern.rest, listOf(item));
      if (pattern.rest !== null && pattern.rest.text !== '_')
        bind(c, pattern.rest.text, pattern.rest.start, listOf(item), bindings);
      return;
    }
    case 'tuple': {
      const items = pattern.items.map(() => c.fresh());
      fit({ k: 'tuple', items });
      for (const [index, part] of pattern.items.entries()) inferPattern(c, part, items[index] as Type, bindings);
      return;
    }
    case 'record': {
      const fields = new Map(pattern.fields.map(({ name }) => [name.text, c.fresh()]));
      fit({ k: 'record', fields, rest: c.fresh() });
      for (const { name, pattern: part } of pattern.fields)
        inferPattern(c, part, fields.get(name.text) as Type, bindings);
      return;
    }
  }
}

function bind(c: Inference, name: string, start: number, type: Type, bindings: Map<string, Type>): void {
  if (bindings.has(name))
    c.reporter.error(
      'TC_MATCH_002',
      start,
      `the pattern binds \`${name}\` twice`,
      'Give one of them another name and compare in a guard: (a, b) if a == b => …',
    );
  bindings.set(name, type);
}

/** Constructors are looked up before variables, whatever the case of the name. */
export function constructorNamed(c: Inference, name: string): VariantInfo | null {
  const entry = c.scope.value(name);
  return entry?.k === 'constructor' ? entry.variant : null;
}

function constructorPattern(
  c: Inference,
  pattern: Pattern,
  variant: VariantInfo,
  args: readonly Pattern[],
  type: Type,
  bindings: Map<string, Type>,
): void {
  c.facts.patterns.set(pattern, variant);
  const fresh = variant.parameters.map(() => c.fresh());
  const bound = new Map(variant.parameters.map((parameter, index) => [parameter, fresh[index] as Type]));
  const whole: Type = { k: 'named', constructor: variant.type, arguments: fresh };
  c.fit(whole, type, pattern.start, `in the pattern \`${variant.name}\``, patternHint(type, whole));
  if (args.length !== variant.fields.length) {
    const shape =
      variant.fields.length === 0
        ? variant.name
        : `${variant.name}(${variant.fields.map((_, index) => 'abcdefgh'[index] ?? 'x').join(', ')})`;
    const message = `the constructor \`${variant.name}\` has ${variant.fields.length} field${variant.fields.length === 1 ? '' : 's'}, the pattern ${args.length}`;
    c.reporter.error('TC_ARITY_001', pattern.start, message, `Write ${shape}.`);
  }
  for (const [index, argument] of args.entries()) {
    const field = variant.fields[index];
    inferPattern(
      c,
      argument,
      field === undefined ? errorType : substitute(field, bound, new Map(), c.unifier),
      bindings,
    );
  }
}

function unknownConstructor(c: Inference, name: string, start: number, type: Type): void {
  if (c.scope.lost.has(name) || c.reporter.full) return;
  const found = resolve(type);
  const own = found.k === 'named' ? found.constructor.variants.map((variant) => variant.name) : [];
  const near = nearest(name, own.length > 0 ? own : constructorNames(c));
  const std = c.reporter.whereDefined(name);
  const foreign: Readonly<Record<string, string>> = {
    True: 'Write true.',
    False: 'Write false.',
    Just: 'Write Some(x).',
    Nothing: 'Write None.',
    Error: 'Write Err(e).',
    Nil: 'Write [].',
    Cons: 'Write x :: xs.',
  };
  const missing = found.k === 'named' && own.includes(name) ? importHint(c, name, found.constructor) : null;
  const hint =
    missing ??
    std ??
    (near !== null ? `Did you mean \`${near}\`?` : null) ??
    (Object.hasOwn(foreign, name) ? foreign[name] : null) ??
    (own.length > 0 ? `Its constructors: ${own.join(', ')}.` : 'A variable in a pattern begins with a small letter.');
  c.reporter.error('TC_MATCH_001', start, `unknown constructor \`${name}\` in a pattern`, hint ?? undefined);
}

/** A constructor of the matched type that is not in scope; its companions are then mostly missing too. */
function importHint(c: Inference, name: string, { name: type, module, variants }: TypeConstructor): string {
  const names = variants.map((variant) => variant.name).filter((other) => constructorNamed(c, other) === null);
  for (const other of names) c.scope.lost.add(other);
  return `\`${name}\` is a constructor of ${type}: write import ${module} (${[type, ...names].join(', ')}).`;
}

function* constructorNames(c: Inference): Iterable<string> {
  for (const [name, entry] of [...c.scope.values, ...c.scope.prelude.values]) if (entry.k === 'constructor') yield name;
}
