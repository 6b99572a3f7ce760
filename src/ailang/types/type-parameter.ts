import type { Name } from '../syntax/ast.js';
import type { Reporter } from './report.js';
import { builtinTypes } from './type.js';

/** A type parameter is a small name that no type has, listed once. */
export function reportTypeParameter(c: { readonly reporter: Reporter }, name: Name, known: boolean): void {
  if (known)
    c.reporter.error('TC005', name.start, `the type parameter \`${name.text}\` is listed twice`, 'Remove one of them.');
  else if (/^\p{Lu}/u.test(name.text) || builtinTypes.has(name.text))
    c.reporter.error(
      'TC005',
      name.start,
      `the type parameter \`${name.text}\` looks like a type`,
      'A type parameter begins with a small letter: [a], [key, value].',
    );
}
