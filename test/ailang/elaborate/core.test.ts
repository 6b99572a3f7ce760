import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Core } from '../../../src/ailang/core/types.js';
import { checkText } from '../checking.js';

/** Core of the body of `f`. */
function bodyOf(text: string): Core {
  const { diagnostics, program } = checkText(text);
  assert.deepEqual(diagnostics, []);
  const body = program?.modules.at(-1)?.functions.find((fn) => fn.name === 'f')?.body;
  assert.ok(body !== undefined);
  return body;
}

test('an integer literal in a float position is a float node', () => {
  const body = bodyOf('func f(x: float) -> float = x + 1');
  assert.equal(body.k === 'binary' && body.operand, 'float');
  assert.deepEqual(body.k === 'binary' && body.right, { k: 'float', value: 1 });
});

test('operands say the type where it is known', () => {
  const operand = (text: string) => {
    const body = bodyOf(text);
    return body.k === 'binary' ? body.operand : body.k;
  };
  assert.equal(operand('func f(x: int) -> bool = x < 1'), 'int');
  assert.equal(operand('func f(x: string) -> bool = x == "a"'), 'string');
  assert.equal(operand('func f(x: a) -> bool = x == x'), 'dynamic');
  assert.equal(operand('func f(x: [int]) -> bool = x == x'), 'dynamic');
});

test('operands of a generalised lambda are decided by the value', () => {
  const body = bodyOf('func f() { let double = \\x. x + x - x; (double(21), double(1.25)) }');
  assert.ok(body.k === 'let' && body.value.k === 'lambda' && body.value.body.k === 'binary');
  assert.equal(body.value.body.operand, 'dynamic');
});

test('names are resolved to locals, globals, primitives and constructors', () => {
  const body = bodyOf(
    'import std/list (length)\ntype T = A(int) | B\nfunc g() -> int = 1\nfunc f(x: [int]) = (x, g, length, show, A, B)',
  );
  assert.equal(body.k, 'tuple');
  if (body.k !== 'tuple') return;
  assert.deepEqual(body.items, [
    { k: 'local', name: 'x' },
    { k: 'global', module: 'm', name: 'g' },
    { k: 'global', module: 'std/list', name: 'length' },
    { k: 'builtin', name: 'show' },
    { k: 'constructor', type: 'T', name: 'A', arity: 1 },
    { k: 'constructor', type: 'T', name: 'B', arity: 0 },
  ]);
});

test('the hidden unit parameter is neither declared nor passed', () => {
  const { program } = checkText('func g() -> int = 1\nfunc f() -> int = g() + g(())');
  const [, f] = program?.modules.at(-1)?.functions ?? [];
  assert.deepEqual(f?.parameters, []);
  assert.ok(f?.body.k === 'binary' && f.body.left.k === 'call' && f.body.right.k === 'call');
  assert.deepEqual(f.body.left.args, []);
  assert.deepEqual(f.body.right.args, []);
});

test('field access through a one-constructor wrapper unwraps', () => {
  const body = bodyOf('type U = U({ n: int })\nfunc f(u: U) -> int = u.n');
  assert.equal(body.k === 'field' && body.unwrap, true);
  const plain = bodyOf('func f(u: { n: int }) -> int = u.n');
  assert.equal(plain.k === 'field' && plain.unwrap, false);
});

test('an update through a one-constructor wrapper takes the record out and wraps the new one', () => {
  const body = bodyOf('type U = U({ n: int, s: string })\nfunc f(u: U) -> U = { u | n: 2 }');
  assert.ok(body.k === 'match' && body.arms[0]?.pattern.k === 'constructor');
  const { body: call } = body.arms[0];
  assert.ok(call.k === 'call' && call.callee.k === 'constructor' && call.args[0]?.k === 'update');
});

test('consecutive letrecs are one group; statements nest', () => {
  const body = bodyOf(
    'func f() -> int {\n g()\n letrec a = \\x. b(x)\n letrec b = \\x. x\n a(1)\n}\nfunc g() -> int = 1',
  );
  assert.ok(body.k === 'sequence' && body.rest.k === 'letrec');
  assert.deepEqual(
    body.rest.bindings.map((binding) => binding.name),
    ['a', 'b'],
  );
});

test('contract clauses keep their text and place', () => {
  const { program } = checkText('func f(x: int) -> int requires { x >  0 } ensures { result > x } { x + 1 }');
  const clauses = program?.modules.at(-1)?.functions[0]?.clauses ?? [];
  assert.deepEqual(
    clauses.map(({ kind, text, position }) => [kind, text, position.line, position.column]),
    [
      ['requires', 'x >  0', 2, 34],
      ['ensures', 'result > x', 2, 53],
    ],
  );
});
