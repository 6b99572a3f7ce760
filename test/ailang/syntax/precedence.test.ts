import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Expr, FunctionDeclaration } from '../../../src/ailang/syntax/ast.js';
import { parseFile } from '../../../src/ailang/syntax/parse-file.js';
import { Source } from '../../../src/ailang/syntax/source.js';

/** The expression with every operator in parentheses. */
function grouped(text: string): string {
  const { file, diagnostics } = parseFile(new Source('m.ail', `func f() -> int = ${text}`));
  assert.deepEqual(diagnostics, []);
  return shape((file.declarations[0] as FunctionDeclaration).body);
}

function shape(expr: Expr): string {
  switch (expr.k) {
    case 'binary':
      return `(${shape(expr.left)} ${expr.operator} ${shape(expr.right)})`;
    case 'unary':
      return `(${expr.operator}${shape(expr.value)})`;
    case 'call':
      return `${shape(expr.callee)}(${expr.arguments.map(shape).join(', ')})`;
    case 'field':
      return `${shape(expr.base)}.${expr.name.text}`;
    case 'name':
      return expr.name;
    case 'int':
      return String(expr.value);
    case 'lambda':
      return `\\${expr.parameters.map((parameter) => parameter.name.text).join(' ')}. ${shape(expr.body)}`;
    case 'if':
      return `if ${shape(expr.condition)} then ${shape(expr.then)} else ${shape(expr.otherwise)}`;
    default:
      return expr.k;
  }
}

const cases: readonly (readonly [string, string])[] = [
  ['a || b && c', '(a || (b && c))'],
  ['a && b ^ c', '(a && (b ^ c))'],
  ['a ^ b & c', '(a ^ (b & c))'],
  ['x & m == 0', '(x & (m == 0))'],
  ['a == b < c', '(a == (b < c))'],
  ['a < b << c', '(a < (b << c))'],
  ['a << b :: c', '(a << (b :: c))'],
  ['1 :: 2 :: xs', '(1 :: (2 :: xs))'],
  ['1 + 2 :: xs', '((1 + 2) :: xs)'],
  ['a :: b ++ c', '(a :: (b ++ c))'],
  ['a ++ b + c', '(a ++ (b + c))'],
  ['a - b - c', '((a - b) - c)'],
  ['a + b * c % d', '(a + ((b * c) % d))'],
  ['not a == b', '((!a) == b)'],
  ['-a * b', '((-a) * b)'],
  ['- -a', '(-(-a))'],
  ['~a + b', '((~a) + b)'],
  ['-f(x).y', '(-f(x).y)'],
  ['f(x)(y).z', 'f(x)(y).z'],
  ['\\x y. x + y', '\\x y. (x + y)'],
  ['\\x. \\y. x', '\\x. \\y. x'],
  ['if a then b else c + 1', 'if a then b else (c + 1)'],
  ['1 + if a then b else c', '(1 + if a then b else c)'],
  ['::(a, b)', '(a :: b)'],
];

for (const [text, expected] of cases) {
  test(`${text} groups as ${expected}`, () => assert.equal(grouped(text), expected));
}
