import type { Parameter } from './ast.js';
import type { Cursor } from './cursor.js';
import { parseExpr } from './parse-expr.js';
import { parseType, refuseUnion } from './parse-type.js';

/** `(a: int, b)`; the cursor is at the parenthesis. */
export function parseParameters(c: Cursor): Parameter[] {
  const opener = c.advance().start;
  const parameters: Parameter[] = [];
  while (!c.is(')')) {
    if (c.is('(') && c.is(')', 1) && parameters.length === 0) {
      c.index += 2;
      break;
    }
    const name = c.name('a parameter name', 'PAR003', 'Parameters are written name: type.');
    const token = c.token;
    if (token.kind === 'name')
      c.fail(
        'PAR009',
        token,
        `expected \`:\` between a parameter and its type, found \`${token.text}\``,
        foreignOrder(name.text, token.text),
      );
    const type = c.accept(':') ? parseType(c) : null;
    if (c.is('=') && type?.k === 'function' && c.source.text[type.start] !== '(') c.close(')', opener);
    if (c.is('=')) {
      c.mend(
        'PAR003',
        c.token,
        'parameters have no default values',
        'Remove the default and pass the value at every call.',
      );
      c.advance();
      parseExpr(c);
    }
    refuseUnion(c);
    parameters.push({ name, type });
    if (!c.accept(',')) break;
  }
  c.close(')', opener);
  return parameters;
}

function foreignOrder(first: string, second: string): string {
  const typeFirst = /^(int|float|string|bool|String|Int)$/.test(first);
  return typeFirst ? `Write ${second}: ${first.toLowerCase()}.` : `Write ${first}: ${second}.`;
}
