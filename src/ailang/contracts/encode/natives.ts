import type { BinaryOperator } from '../../core/types.js';
import type { Position } from '../../diagnostic.js';
import type { Interpreter } from './interpreter.js';
import { binary, decimal, shown } from './operators.js';
import { boolSort, floatSort, hasFloat, intSort, stringSort, unify, unknownSort } from './sort.js';
import { data, isClosure, type Value } from './symbolic.js';
import * as t from './term.js';
import { unencodable } from './unsupported.js';

interface Call {
  readonly c: Interpreter;
  readonly args: readonly Value[];
  readonly position: Position;
  readonly module: string;
}

/** A call of a primitive. @throws Unsupported when it has no encoding */
export function callNative(
  c: Interpreter,
  name: string,
  args: readonly Value[],
  position: Position,
  module: string,
): Value {
  const native = Object.hasOwn(natives, name) ? natives[name] : undefined;
  if (native === undefined) throw unencodable(`the function ${name.replace(/^_/, '').replace('_', '.')}`, position);
  return native({ c, args, position, module });
}

type Native = (call: Call) => Value;

const term = ({ args, position }: Call, index: number): t.Term => data(args[index] ?? t.unit, position);

function invoke({ args, position }: Call, index: number, given: readonly Value[]): Value {
  const callee = args[index];
  if (callee === undefined || !isClosure(callee)) throw unencodable('a call of an unknown function', position);
  return callee.call(given, position);
}

const string =
  (name: string, sort: typeof stringSort): Native =>
  (call) =>
    t.apply(
      name,
      call.args.map((_, index) => term(call, index)),
      sort,
    );

const operator =
  (symbol: BinaryOperator): Native =>
  (call) =>
    binary(call.c, symbol, term(call, 0), term(call, 1), call.position);

const float =
  (name: string, rounding: string | null): Native =>
  (call) => {
    const mode = rounding === null ? [] : [t.apply(rounding, [], floatSort)];
    return t.apply(name, [...mode, term(call, 0)], floatSort);
  };

const option = (call: Call, name: 'Some' | 'None', args: readonly t.Term[]): t.Term => {
  const made = call.c.makeConstructor({ type: 'Option', name, arity: args.length }, 'std/option');
  return data(isClosure(made) ? made.call(args, call.position) : made);
};

const optional = (call: Call, exists: t.Term, value: () => t.Term): Value =>
  call.c.choose(
    exists,
    () => option(call, 'Some', [value()]),
    () => option(call, 'None', []),
  );

const emptyList = (): t.Term => t.emptyList({ k: 'list', item: unknownSort() });
const slice = (list: t.Term, start: t.Term, count: t.Term): t.Term =>
  t.apply('seq.extract', [list, start, count], list.sort);
const clamped = (count: t.Term): t.Term => t.ite(t.less(count, t.int(0)), t.int(0), count);

/** From the left over a list, as far as the depth reaches. */
function fold(
  { c }: Call,
  list: t.Term,
  initial: Value,
  step: (acc: Value, item: t.Term, index: number) => Value,
): Value {
  return c.items(list).reduce<Value>(
    (acc, { item, exists }, index) =>
      c.choose(
        exists,
        () => step(acc, item, index),
        () => acc,
      ),
    initial,
  );
}

function foldRight({ c }: Call, list: t.Term, initial: Value, step: (item: t.Term, acc: Value) => Value): Value {
  return c.items(list).reduceRight<Value>(
    (acc, { item, exists }) =>
      c.choose(
        exists,
        () => step(item, acc),
        () => acc,
      ),
    initial,
  );
}

const map: Native = (call) =>
  fold(call, term(call, 1), emptyList(), (acc, item) => t.append(data(acc), t.single(data(invoke(call, 0, [item])))));

const filter: Native = (call) =>
  fold(call, term(call, 1), emptyList(), (acc, item) =>
    call.c.choose(
      data(invoke(call, 0, [item])),
      () => t.append(data(acc), t.single(item)),
      () => acc,
    ),
  );

const flatMap: Native = (call) =>
  fold(call, term(call, 1), emptyList(), (acc, item) => t.append(data(acc), data(invoke(call, 0, [item]))));

const foldl: Native = (call) =>
  fold(call, term(call, 2), call.args[1] ?? t.unit, (acc, item) => invoke(call, 0, [acc, item]));

/** Looks at each element until one holds. */
function search(call: Call, index: number, none: () => Value, hit: (index: number) => Value): Value {
  const items = call.c.items(term(call, index));
  const from = (at: number): Value => {
    const one = items[at];
    if (one === undefined) return none();
    return call.c.choose(
      one.exists,
      () =>
        call.c.choose(
          data(invoke(call, 0, [one.item])),
          () => hit(at),
          () => from(at + 1),
        ),
      none,
    );
  };
  return from(0);
}

function zip(call: Call, first: number, combine: (a: t.Term, b: t.Term) => t.Term): Value {
  const right = term(call, first + 1);
  const size = t.length(right);
  return fold(call, term(call, first), emptyList(), (acc, item, index) =>
    call.c.choose(
      t.less(t.int(index), size),
      () => t.append(data(acc), t.single(combine(item, t.nth(right, t.int(index))))),
      () => acc,
    ),
  );
}

function range(call: Call): Value {
  const [start, end] = [term(call, 0), term(call, 1)];
  const size = t.subtract(end, start);
  const known = size.node.k === 'int' && size.node.value <= 64n ? Number(size.node.value) : null;
  const depth = known ?? call.c.depth();
  if (known === null) call.c.under(t.less(t.int(depth), size), () => call.c.cut());
  let list: Value = emptyList();
  for (let index = 0; index < depth; index++) {
    const before = list;
    list = call.c.choose(
      t.less(t.int(index), size),
      () => t.append(data(before), t.single(t.add(start, t.int(index)))),
      () => before,
    );
  }
  return list;
}

const listNatives: Readonly<Record<string, Native>> = {
  _list_length: (call) => t.length(term(call, 0)),
  _list_head: (call) => optional(call, t.less(t.int(0), t.length(term(call, 0))), () => t.nth(term(call, 0), t.int(0))),
  _list_last: (call) => {
    const size = t.length(term(call, 0));
    return optional(call, t.less(t.int(0), size), () => t.nth(term(call, 0), t.subtract(size, t.int(1))));
  },
  _list_nth: (call) => {
    const index = term(call, 1);
    const inside = t.and(t.atMost(t.int(0), index), t.less(index, t.length(term(call, 0))));
    return optional(call, inside, () => t.nth(term(call, 0), index));
  },
  _list_tail: (call) => {
    const list = term(call, 0);
    return call.c.choose(
      t.less(t.int(0), t.length(list)),
      () => t.rest(list, t.int(1)),
      () => t.emptyList(list.sort),
    );
  },
  _list_take: (call) => slice(term(call, 1), t.int(0), clamped(term(call, 0))),
  _list_drop: (call) => t.rest(term(call, 1), clamped(term(call, 0))),
  _list_contains: (call) => {
    const wanted = term(call, 1);
    if (hasFloat(wanted.sort)) throw unencodable('contains on values with floats inside', call.position);
    const one = t.single(wanted);
    unify(term(call, 0).sort, one.sort);
    return t.apply('seq.contains', [term(call, 0), one], boolSort);
  },
  _list_reverse: (call) => fold(call, term(call, 0), emptyList(), (acc, item) => t.append(t.single(item), data(acc))),
  _list_range: range,
  _list_map: map,
  _list_filter: filter,
  _list_flatMap: flatMap,
  _list_foldl: foldl,
  _list_foldr: (call) =>
    foldRight(call, term(call, 2), call.args[1] ?? t.unit, (item, acc) => invoke(call, 0, [item, acc])),
  _list_any: (call) =>
    search(
      call,
      1,
      () => t.falsity,
      () => t.truth,
    ),
  _list_findIndex: (call) =>
    search(
      call,
      1,
      () => option(call, 'None', []),
      (index) => option(call, 'Some', [t.int(index)]),
    ),
  _list_zip: (call) => zip(call, 0, (a, b) => t.construct('tuple', [a, b], { k: 'tuple', items: [a.sort, b.sort] })),
  _list_zipWith: (call) => zip(call, 1, (a, b) => data(invoke(call, 0, [a, b]))),
  concat_List: (call) => t.append(term(call, 0), term(call, 1)),
};

/** Of a text of one character. Of the nameless ones it is only known in which range they are. */
function codePoint(c: Interpreter, character: t.Term): t.Term {
  const code = t.apply('str.to_code', [character], intSort);
  const nameless = t.declared('code point', [character], intSort);
  const between = (low: number, value: t.Term, high: number): t.Term =>
    t.and(t.atMost(t.int(low), value), t.atMost(value, t.int(high)));
  c.record.facts.push(t.not(between(0xd800, code, 0xdfff)), between(t.firstNameless, nameless, 0x10ffff));
  return t.ite(t.less(code, t.int(t.firstNameless)), code, nameless);
}

const stringNatives: Readonly<Record<string, Native>> = {
  _str_len: string('str.len', intSort),
  _str_contains: string('str.contains', boolSort),
  _str_startsWith: (call) => t.apply('str.prefixof', [term(call, 1), term(call, 0)], boolSort),
  _str_endsWith: (call) => t.apply('str.suffixof', [term(call, 1), term(call, 0)], boolSort),
  _str_find: (call) => t.apply('str.indexof', [term(call, 0), term(call, 1), t.int(0)], intSort),
  _str_replace: string('str.replace_all', stringSort),
  _str_substring: (call) => {
    const start = clamped(term(call, 1));
    return t.apply('str.substr', [term(call, 0), start, t.subtract(term(call, 2), start)], stringSort);
  },
  _str_charAt: string('str.at', stringSort),
  _str_charCode: (call) => {
    const text = term(call, 0);
    const first = t.apply('str.at', [text, t.int(0)], stringSort);
    return t.ite(t.equal(text, t.string('')), t.int(0), codePoint(call.c, first));
  },
  _str_compare: (call) => {
    const [left, right] = [term(call, 0), term(call, 1)];
    const greater = t.ite(t.equal(left, right), t.int(0), t.int(1));
    return t.ite(t.apply('str.<', [left, right], boolSort), t.int(-1), greater);
  },
  _str_fromInt: (call) => decimal(term(call, 0)),
  _str_concat: (call) =>
    fold(call, term(call, 0), t.string(''), (acc, item) => t.apply('str.++', [data(acc), item], stringSort)),
  concat_String: operator('++'),
  show: (call) => shown(term(call, 0)),
};

const mathNatives: Readonly<Record<string, Native>> = {
  _math_absInt: (call) => {
    const x = term(call, 0);
    return call.c.choose(
      t.less(x, t.int(0)),
      () => call.c.integer(t.negate(x)),
      () => x,
    );
  },
  _math_absFloat: float('fp.abs', null),
  _math_floor: float('fp.roundToIntegral', 'RTN'),
  _math_ceil: float('fp.roundToIntegral', 'RTP'),
  _math_sqrt: float('fp.sqrt', 'RNE'),
  _math_isNaN: (call) => t.apply('fp.isNaN', [term(call, 0)], boolSort),
  _result_unwrapFailed: (call) => {
    call.c.require(t.falsity);
    return t.arbitrary();
  },
};

const natives: Readonly<Record<string, Native>> = {
  ...listNatives,
  ...stringNatives,
  ...mathNatives,
  ...Object.fromEntries(
    (
      [
        ['add_Int', '+'],
        ['sub_Int', '-'],
        ['mul_Int', '*'],
        ['div_Int', '/'],
        ['mod_Int', '%'],
        ['eq_Int', '=='],
        ['ne_Int', '!='],
        ['lt_Int', '<'],
        ['le_Int', '<='],
        ['gt_Int', '>'],
        ['ge_Int', '>='],
      ] as const
    ).map(([name, symbol]) => [name, operator(symbol)]),
  ),
};
