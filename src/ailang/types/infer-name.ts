import type { ExprOf } from '../syntax/ast.js';
import { nearest } from '../syntax/edit-distance.js';
import { foreignName } from './foreign-names.js';
import type { Inference, Resolution } from './inference.js';
import { instantiate } from './scheme.js';
import { errorType, type Type } from './type.js';

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
  if (c.scope.lost.has(expr.name) || c.reporter.full) return errorType;
  const hint = unknownNameHint(c, expr.name);
  c.reporter.error('TC002', expr.start, `undefined variable: \`${expr.name}\``, hint);
  return errorType;
}

function unknownNameHint(c: Inference, name: string): string {
  if (c.scope.aliases.has(name)) return `\`${name}\` is a module: write ${name}.function(…).`;
  if (c.defining.includes(name)) return `let is not recursive: write letrec ${name} = …, or a top-level func.`;
  const foreign = foreignName(name);
  if (foreign !== null) return foreign;
  if (name === 'result') return 'In ensures, `result` is what the function returns; elsewhere bind it with let.';
  const std = c.reporter.whereDefined(name);
  if (std !== null) return std;
  const short = name.toLowerCase();
  if (c.reporter.isStdModule(short)) return `There is a module std/${short}: add import std/${short} as ${name}.`;
  if (c.scope.type(name) !== null)
    return `\`${name}\` is a type: call one of its constructors by name, or write a record { field: value }.`;
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
