import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { List } from '../../../src/ailang/eval/list.js';
import { compareKeys } from '../../../src/ailang/eval/order.js';
import { show, showFloat } from '../../../src/ailang/eval/show.js';
import { emptyMap } from '../../../src/ailang/eval/sorted-map.js';
import {
  ArrayValue,
  type Callable,
  constructorValue,
  Float,
  recordClass,
  Tuple,
  type Value,
} from '../../../src/ailang/eval/values.js';

const list = (...items: Value[]): List => List.of(items);
const make = (name: string, ...args: Value[]): Value => (constructorValue(name, args.length) as Callable)(0, ...args);

const cases: readonly (readonly [name: string, value: Value, text: string])[] = [
  ['int', -42, '-42'],
  ['wide int', 2n ** 62n, '4611686018427387904'],
  ['whole float', new Float(5), '5.0'],
  ['float', new Float(0.1), '0.1'],
  ['negative zero', new Float(-0), '-0.0'],
  ['great float', new Float(1e21), '1000000000000000000000.0'],
  ['small float', new Float(1.5e-7), '0.00000015'],
  ['infinity', new Float(-Infinity), '-Inf'],
  ['not a number', new Float(NaN), 'NaN'],
  ['bool', true, 'true'],
  ['string', 'a "b"\n', 'a "b"\n'],
  ['string in a container', list('a', 'b c'), '[a, b c]'],
  ['unit', undefined, '()'],
  ['empty list', list(), '[]'],
  ['array', new ArrayValue([1, 2]), '#[1, 2]'],
  ['tuple', new Tuple([1, 'x']), '(1, x)'],
  ['record', new (recordClass(['age', 'name']))(3, 'x'), '{age: 3, name: x}'],
  ['empty record', new (recordClass([]))(), '{}'],
  ['nullary constructor', constructorValue('None', 0), 'None'],
  ['constructor', make('Pair', 1, 'b'), 'Pair(1, b)'],
  ['map', emptyMap.insert(10, 'x', compareKeys).insert(9, 'y', compareKeys), 'Map{9: y, 10: x}'],
  ['function', () => undefined, '<function>'],
  ['constructor as function', constructorValue('Some', 1), '<function>'],
  ['three levels', list(list(list(1))), '[[[1]]]'],
  ['four levels', list(list(list(list(1)))), '[[[[...]]]]'],
  ['deep constructor', make('A', make('B', make('C', make('D', 1)))), 'A(B(C(D(...))))'],
];

for (const [name, value, text] of cases) {
  test(`show of ${name}`, () => assert.equal(show(value), text));
}

test('container text over 80 bytes keeps the first and last 20', () => {
  const exact = list('x'.repeat(78));
  assert.equal(show(exact), `[${'x'.repeat(78)}]`);
  assert.equal(show(list('a'.repeat(40), 'b'.repeat(40))), `[${'a'.repeat(19)}...${'b'.repeat(19)}]`);
  const wide = show(list('é'.repeat(50)));
  assert.equal(wide, `[${'é'.repeat(9)}...${'é'.repeat(9)}]`);
});

test('every container level is cut on its own; constructors and plain strings are not', () => {
  const long = 'a'.repeat(100);
  assert.equal(show(long), long);
  assert.equal(show(make('Some', long)), `Some(${long})`);
  assert.equal(show(make('Some', list(long))), `Some([${'a'.repeat(19)}...${'a'.repeat(19)}])`);
});

test('a float reads back, without an exponent, with a point', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = showFloat(value);
      assert.match(text, /^-?\d+\.\d+$/);
      assert.ok(Object.is(Number(text), value));
    }),
  );
});
