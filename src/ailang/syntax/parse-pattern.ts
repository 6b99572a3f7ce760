import type { FieldPattern, Name, Pattern } from './ast.js';
import { type Cursor, quote } from './cursor.js';

const examples = 'Patterns: _, name, 1, "text", Some(x), [], [x, ...rest], x :: rest, (a, b), {name}, {name: n}.';

export function parsePattern(c: Cursor): Pattern {
  return c.nested(() => {
    const start = c.token.start;
    const head = basePattern(c);
    if (!c.accept('::')) {
      refuseAfterPattern(c, head);
      return head;
    }
    const tail = parsePattern(c);
    return { k: 'cons', head, tail, ...c.span(start) };
  });
}

/** Parts of patterns in other languages. */
function refuseAfterPattern(c: Cursor, head: Pattern): void {
  if (c.is('|') && !c.token.newline) refuseBar(c, head);
  if (c.isWord('as') || c.is('@'))
    c.fail(
      'PAR008',
      c.token,
      `patterns have no ${quote(c.token.text)}`,
      'Use the value that is matched, or bind it with let before the match.',
    );
  if (c.is(':') && c.peek(1).kind === 'name' && head.k === 'name' && c.peek(1).end !== c.token.start)
    if (c.is(')', 2))
      c.fail('PAR008', c.token, 'a list is taken apart with `::`', `Write ${head.name} :: ${c.peek(1).text}.`);
  if ((c.is('..') || c.is('...')) && head.k === 'int' && c.peek(1).kind === 'int')
    c.fail(
      'PAR008',
      c.token,
      'patterns have no ranges',
      `Write n if n >= ${head.value} && n <= ${c.peek(1).text} => value.`,
    );
}

function refuseBar(c: Cursor, head: Pattern): never {
  let offset = 1;
  while (!c.is('=>', offset) && !c.is('->', offset) && offset < 20) {
    if (['==', '!=', '<', '>', '<=', '>=', '&&', '||'].some((operator) => c.is(operator, offset)))
      c.fail('PAR008', c.token, 'a guard begins with `if`', 'Write pattern if condition => value.');
    offset++;
  }
  const list = c.is(']', 2) ? 'The rest of a list is written [x, ...rest].' : null;
  const shown = head.k === 'int' || head.k === 'name' ? (head.k === 'int' ? head.value : head.name) : 'A';
  const other = c.is('=>', 2) ? c.peek(1).text : 'B';
  return c.fail(
    'PAR008',
    c.token,
    'patterns have no alternatives',
    list ?? `Write one arm for each pattern: ${shown} => e, ${other} => e.`,
  );
}

function basePattern(c: Cursor): Pattern {
  const token = c.token;
  const start = token.start;
  switch (token.kind) {
    case 'name':
      return namePattern(c);
    case 'int':
      c.advance();
      return { k: 'int', value: token.int ?? 0n, ...c.span(start) };
    case 'float':
      c.advance();
      return { k: 'float', value: token.float ?? 0, ...c.span(start) };
    case 'string':
      c.advance();
      return { k: 'string', value: token.text, ...c.span(start) };
    default:
  }
  if (c.is('true') || c.is('false')) {
    c.advance();
    return { k: 'bool', value: token.text === 'true', ...c.span(start) };
  }
  if (c.is('-') && (c.peek(1).kind === 'int' || c.peek(1).kind === 'float')) {
    c.advance();
    const number = c.advance();
    if (number.int !== undefined) return { k: 'int', value: BigInt.asIntN(64, -number.int), ...c.span(start) };
    return { k: 'float', value: -(number.float ?? 0), ...c.span(start) };
  }
  if (c.is('(')) return tuplePattern(c);
  if (c.is('[')) return listPattern(c);
  if (c.is('{')) return recordPattern(c);
  if (c.is('::')) return prefixCons(c);
  if (c.is('|'))
    c.fail(
      'PAR008',
      token,
      'a match arm does not begin with `|`',
      'Write match x { Some(v) => v, None => 0 }: arms are separated by commas.',
    );
  if (token.kind === 'keyword') c.name('a pattern variable', 'PAR008');
  return c.unexpected('expected a pattern', 'PAR008', examples);
}

function namePattern(c: Cursor): Pattern {
  const token = c.advance();
  const name: Name = { text: token.text, start: token.start, end: token.end };
  const literal = ['name', 'int', 'float', 'string'].includes(c.token.kind) || c.is('true') || c.is('false');
  if (token.text === 'case' && literal && !c.token.newline) {
    c.fail('PAR008', token, 'a match arm has no `case`', 'Write match x { Some(v) => v, None => 0 }.');
  }
  if (token.text === '_') return { k: 'wildcard', ...c.span(token.start) };
  if (c.is('.') && c.peek(1).kind === 'name') {
    c.fail('PAR008', c.token, 'a constructor is named without its type or module', `Write ${c.peek(1).text}.`);
  }
  if (c.is('(') && !c.token.newline) {
    const opener = c.token.start;
    c.advance();
    const args = patterns(c, ')');
    c.close(')', opener);
    return { k: 'constructor', name, arguments: args, ...c.span(token.start) };
  }
  if (/^\p{Lu}/u.test(token.text) && (c.token.kind === 'name' || c.is('{')) && !c.token.newline && !c.isWord('as')) {
    const fix = c.is('{') ? `${token.text}({ field })` : `${token.text}(${c.token.text})`;
    c.fail(
      'PAR008',
      c.token,
      `the arguments of the constructor ${quote(token.text)} need parentheses`,
      `Write ${fix}.`,
    );
  }
  return { k: 'name', name: token.text, ...c.span(token.start) };
}

function patterns(c: Cursor, end: string): Pattern[] {
  const items: Pattern[] = [];
  while (!c.is(end)) {
    items.push(parsePattern(c));
    if (!c.accept(',')) break;
  }
  return items;
}

function tuplePattern(c: Cursor): Pattern {
  const opener = c.advance().start;
  const items = patterns(c, ')');
  c.close(')', opener);
  const [only] = items;
  if (only === undefined) return { k: 'unit', ...c.span(opener) };
  if (items.length === 1) return only;
  return { k: 'tuple', items, ...c.span(opener) };
}

function listPattern(c: Cursor): Pattern {
  const opener = c.advance().start;
  const items: Pattern[] = [];
  let rest: Name | null = null;
  while (!c.is(']')) {
    if (c.is('*') && c.peek(1).kind === 'name')
      c.fail(
        'PAT_SPREAD_NEEDS_IDENT',
        c.token,
        'the rest of a list needs `...` and a name',
        `Write ...${c.peek(1).text}.`,
      );
    if (c.is('...') || c.is('..')) {
      const mark = c.advance();
      const token = c.token;
      const shape = 'Write [first, ...rest], or [first, ..._] to ignore the rest.';
      if (token.kind !== 'name' || mark.text === '..')
        c.fail('PAT_SPREAD_NEEDS_IDENT', mark, 'the rest of a list needs `...` and a name', shape);
      c.advance();
      rest = { text: token.text, start: token.start, end: token.end };
      c.accept(',');
      if (!c.is(']')) c.unexpected('the rest pattern must be the last one', 'PAR008', shape);
      break;
    }
    items.push(parsePattern(c));
    if (c.is('|')) c.fail('PAR008', c.token, 'a list pattern has no `|`', 'Write [x, ...rest] or x :: rest.');
    if (!c.accept(',')) break;
  }
  c.close(']', opener);
  return { k: 'list', items, rest, ...c.span(opener) };
}

function recordPattern(c: Cursor): Pattern {
  const opener = c.advance().start;
  const fields: FieldPattern[] = [];
  let open = false;
  while (!c.is('}')) {
    if (c.accept('...')) {
      open = true;
      break;
    }
    const name = c.name('a field name', 'PAR008');
    if (c.is('='))
      c.fail('PAR008', c.token, 'a field pattern is written with a colon', `Write { ${name.text}: pattern }.`);
    const pattern: Pattern = c.accept(':')
      ? parsePattern(c)
      : name.text === '_'
        ? { k: 'wildcard', ...name }
        : { k: 'name', name: name.text, start: name.start, end: name.end };
    fields.push({ name, pattern });
    if (!c.accept(',')) break;
  }
  c.accept(',');
  c.close('}', opener);
  return { k: 'record', fields, open, ...c.span(opener) };
}

/** `::(head, tail)`. */
function prefixCons(c: Cursor): Pattern {
  const start = c.advance().start;
  const opener = c.expect('(', 'after `::` in a pattern', 'PAT_INVALID_CONS', 'Write head :: tail.').start;
  const [head, tail, ...more] = patterns(c, ')');
  if (head === undefined || tail === undefined || more.length > 0)
    c.fail('PAT_INVALID_CONS', { start }, '`::` takes a head and a tail', 'Write head :: tail.');
  c.close(')', opener);
  return { k: 'cons', head, tail, ...c.span(start) };
}
