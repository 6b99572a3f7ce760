import type { ExprOf } from '../syntax/ast.js';
import { nearest } from '../syntax/edit-distance.js';
import type { Inference, Resolution } from './inference.js';
import { instantiate } from './scheme.js';
import { errorType, type Type } from './type.js';

/** What other languages call things AILANG names otherwise. */
const foreignNames: Readonly<Record<string, string>> = {
  True: 'Write true.',
  False: 'Write false.',
  null: 'Use Option: None, or Some(value).',
  nil: 'Use [] for an empty list, None for a missing value.',
  undefined: 'Use Option: None, or Some(value).',
  Nothing: 'Write None.',
  Just: 'Write Some(value).',
  Error: 'Write Err(message).',
  str: 'Write show(value).',
  toString: 'Write show(value).',
  to_string: 'Write show(value).',
  int: 'Write floatToInt(x), or stringToInt(s) from std/string.',
  len: 'Write length(xs), from std/list or std/string.',
  size: 'Write length(xs), from std/list or std/string.',
  printf: 'Write println("value: ${x}").',
  console: 'Write println(text).',
  puts: 'Write println(text).',
  putStrLn: 'Write println(text).',
  echo: 'Write println(text).',
  fold: 'Write foldl(\\acc x. e, start, xs), with import std/list (foldl).',
  reduce: 'Write foldl(\\acc x. e, start, xs), with import std/list (foldl).',
  each: 'Write forEachE(\\x. e, xs), with import std/list (forEachE).',
  forEach: 'Write forEachE(\\x. e, xs), with import std/list (forEachE).',
  sum: 'Write foldl(\\acc x. acc + x, 0, xs), with import std/list (foldl).',
  all: 'Write not any(\\x. not p(x), xs), with import std/list (any).',
  sort: 'Write sortBy(\\a b. if a < b then -1 else if a > b then 1 else 0, xs), with import std/list (sortBy).',
  self: 'There are no methods: pass the value as a parameter.',
  this: 'There are no methods: pass the value as a parameter.',
  for: 'There are no loops: use map, foldl or forEachE from std/list, or a recursive function.',
  while: 'There are no loops: write a recursive function.',
  return: 'The last expression of a block is its value: remove the word.',
};

/** Looks a name up: locals, then the module, then the prelude and the primitives. */
export function resolveName(c: Inference, name: string): Resolution | null {
  if (c.locals.has(name)) return { k: 'local' };
  return c.scope.value(name);
}

export function inferName(c: Inference, expr: ExprOf<'name'>, called = false): Type {
  const local = c.locals.get(expr.name);
  if (local !== undefined) {
    c.facts.resolutions.set(expr, { k: 'local' });
    return instantiate(local, c.unifier, !called && local.variables.length + local.effectVariables.length > 0);
  }
  const entry = c.scope.value(expr.name);
  if (entry !== null) {
    c.facts.resolutions.set(expr, entry);
    const recursive = entry.k === 'global' && entry.module === c.scope.module && c.group.has(entry.name);
    return instantiate(entry.scheme, c.unifier, !called, (variable, type) => {
      if (recursive) c.recursiveUses.push({ variable, type, start: expr.start, name: expr.name });
    });
  }
  if (c.scope.lost.has(expr.name)) return errorType;
  const hint = unknownNameHint(c, expr.name);
  c.reporter.error('TC002', expr.start, `undefined variable: \`${expr.name}\``, hint);
  return errorType;
}

function unknownNameHint(c: Inference, name: string): string {
  if (c.scope.aliases.has(name)) return `\`${name}\` is a module: write ${name}.function(…).`;
  if (c.defining.includes(name)) return `let is not recursive: write letrec ${name} = …, or a top-level func.`;
  if (Object.hasOwn(foreignNames, name)) return foreignNames[name] ?? '';
  const std = c.reporter.whereDefined(name);
  if (std !== null) return std;
  const short = name.toLowerCase();
  if (c.reporter.isStdModule(short)) return `There is a module std/${short}: add import std/${short} as ${name}.`;
  const near = nearest(name, visibleNames(c));
  if (near !== null) return `Did you mean \`${near}\`?`;
  if (/^\p{Lu}/u.test(name)) return `Declare the constructor: type T = ${name}, or import it by name beside its type.`;
  return 'Declare it with let or func, or import it. A let … in reaches only to the end of its expression.';
}

function* visibleNames(c: Inference): Iterable<string> {
  yield* c.locals.keys();
  yield* c.scope.values.keys();
  yield* c.scope.prelude.values.keys();
  yield* ['show', 'println', 'print'];
}
