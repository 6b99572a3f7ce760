import { type Cursor, quote } from './cursor.js';
import { refuseDoubledOperator } from './foreign-operators.js';
import { refuseForeignWord } from './foreign-words.js';
import { restOfStatement } from './source-text.js';

/** At a name or a token that begins no expression: recognises what other languages write there. */
export function refuseForeignPrefix(c: Cursor): void {
  refuseForeignWord(c);
  if (c.token.kind === 'keyword') refuseReserved(c);
  if (c.token.kind === 'operator') refuseDoubledOperator(c);
}

function refuseReserved(c: Cursor): void {
  const { text } = c.token;
  if (text === 'then' || text === 'else' || text === 'in') return;
  if (text === 'class' || text === 'instance') {
    c.fail(
      'PAR001',
      c.token,
      'there are no user-defined classes',
      'Write type Name = { … } and functions that take a Name.',
    );
  }
  if (text === 'and' || text === 'or') return;
  if (text === 'type' || text === 'import' || text === 'module' || text === 'export' || text === 'pure') {
    c.fail(
      'PAR001',
      c.token,
      `${quote(text)} stands at the top level only`,
      'Move it out of the function, and check that every `{` before it is closed.',
    );
  }
  const next = c.peek(1);
  if (next.kind === 'operator' && ['(', '=', ',', ')', ';', '.', '}', '+', ':'].includes(next.text)) {
    c.fail(
      'PAR012',
      c.token,
      `${quote(text)} is a reserved word and cannot be a name`,
      `Choose another name, such as ${quote(`${text}_`)}.`,
    );
  }
}

/** After a statement: `x = 1` without let. */
export function refuseAssignment(c: Cursor): void {
  if (!c.is('=')) {
    const name = c.peek(-1);
    if (c.is('=>') && name.kind === 'name')
      c.fail('PAR001', c.token, 'a lambda is not written with `=>`', `Write \\${name.text}. e.`);
    if (c.is('->') || c.is('=>')) {
      c.fail(
        'PAR001',
        c.token,
        `${quote(c.token.text)} does not belong here`,
        'A lambda is \\x. e, a match arm pattern => value, inside match e { … }.',
      );
    }
    return;
  }
  const before = c.peek(-1);
  const start = c.peek(-2);
  const plain = before.kind === 'name' && (start.text === ';' || start.text === '{' || before.newline);
  const record = c.peek(-3);
  const field = before.kind === 'name' && start.text === '.' && record.kind === 'name';
  const value = restOfStatement(c, c.token.end);
  const changed = field ? `{ ${record.text} | ${before.text}: ${value} }` : '{ r | field: value }';
  const hint = plain
    ? `Write let ${restOfStatement(c, before.start)}; a value never changes, a new value gets a new let.`
    : `Values never change: write let changed = ${changed}, and use the new name from here on.`;
  c.fail('PAR015', plain ? before : c.token, 'this is an assignment, which does not exist', hint);
}

/** Where a statement should end: two operands side by side that mean something elsewhere. */
export function refuseJuxtaposed(c: Cursor): void {
  const before = c.peek(-1);
  if (c.token.newline || !c.is('{') || before.kind !== 'name') return;
  const field = c.peek(1);
  if (field.kind !== 'name' || !(c.is('=', 2) || c.is(':', 2))) return;
  if (/^\p{Lu}/u.test(before.text))
    c.fail(
      'PAR020',
      c.token,
      'a record is written without the name of its type',
      `Write { ${field.text}: value }; a constructor has parentheses, ${before.text}({ ${field.text}: value }).`,
    );
  c.fail('PAR020', c.token, 'a record is not changed this way', `Write { ${before.text} | ${field.text}: value }.`);
}
