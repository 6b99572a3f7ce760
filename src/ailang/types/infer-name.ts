import type { TypeEntry } from '../modules/scope.js';
import type { ExprOf } from '../syntax/ast.js';
import { nearest } from '../syntax/edit-distance.js';
import { foreignName } from './foreign-names.js';
import type { Inference, Resolution } from './inference.js';
import { instantiate } from './scheme.js';
import { errorType, flattenRecord, resolve, type Type } from './type.js';

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
  // One missing import is one mistake, however often the name is used.
  if (c.reporter.whereDefined(expr.name) !== null) c.scope.lost.add(expr.name);
  return errorType;
}

function unknownNameHint(c: Inference, name: string): string {
  if (c.scope.aliases.has(name)) return `\`${name}\` is a module: write ${name}.function(…).`;
  if (c.defining.includes(name)) return `let is not recursive: write letrec ${name} = …, or a top-level func.`;
  const foreign = foreignName(name);
  if (foreign !== null) return foreign;
  if (name === 'result') return 'In ensures, `result` is what the function returns; elsewhere bind it with let.';
  for (const [alias, { module, values }] of c.scope.aliases)
    if (values.has(name)) return `\`${name}\` is in ${module}, imported as ${alias}: write ${alias}.${name}.`;
  const std = c.reporter.whereDefined(name);
  if (std !== null) return std;
  if (/^λ./u.test(name)) return `A lambda is written \\${name.slice(1)}. e.`;
  const short = name.toLowerCase();
  if (c.reporter.isStdModule(short)) return `There is a module std/${short}: add import std/${short} as ${name}.`;
  const type = c.scope.type(name);
  if (type !== null) return typeAsValue(name, type);
  const near = nearest(name, visibleNames(c));
  if (near !== null) return `Did you mean \`${near}\`?`;
  if (/^\p{Lu}/u.test(name)) return `Declare the constructor: type T = ${name}, or import it by name beside its type.`;
  return 'Declare it with let or func, or import it. A let … in reaches only to the end of its expression.';
}

/** A type stands where a value of it is made. */
function typeAsValue(name: string, entry: TypeEntry): string {
  const alias = entry.k === 'alias' ? resolve(entry.type) : null;
  if (alias?.k === 'record') {
    const fields = [...flattenRecord(alias).fields.keys()].map((field) => `${field}: …`);
    return `\`${name}\` is a record type: write { ${fields.join(', ')} }.`;
  }
  const variants = entry.k === 'constructor' ? entry.constructor.variants.map((variant) => variant.name) : [];
  return variants.length === 0
    ? `\`${name}\` is a type: write a value of it.`
    : `\`${name}\` is a type: write one of its constructors, ${variants.join(', ')}.`;
}

function* visibleNames(c: Inference): Iterable<string> {
  yield* c.locals.keys();
  yield* c.scope.values.keys();
  yield* c.scope.prelude.values.keys();
  yield* ['show', 'println', 'print'];
}
