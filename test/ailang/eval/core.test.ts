// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are programs, with interpolations of their own
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Core, CoreFunction, CorePattern, CoreProgram } from '../../../src/ailang/core/types.js';
import { ran } from './programs.js';

const position = { file: 'main.ail', line: 1, column: 1 };
const int = (value: number): Core => ({ k: 'int', value: BigInt(value) });
const float = (value: number): Core => ({ k: 'float', value });
const text = (value: string): Core => ({ k: 'string', value });
const bool = (value: boolean): Core => ({ k: 'bool', value });
const local = (name: string): Core => ({ k: 'local', name });
const builtin = (name: string): Core => ({ k: 'builtin', name });
const call = (callee: Core, ...args: Core[]): Core => ({ k: 'call', callee, args, position });
const say = (value: string): Core => call(builtin('_io_print'), text(value));
const then = (first: Core, rest: Core): Core => ({ k: 'sequence', first, rest });
/** Prints its mark when evaluated. */
const traced = (mark: string, value: Core): Core => then(say(mark), value);
const binary = (
  operator: Extract<Core, { k: 'binary' }>['operator'],
  left: Core,
  right: Core,
  operand: Extract<Core, { k: 'binary' }>['operand'] = 'dynamic',
): Core => ({
  k: 'binary',
  operator,
  operand,
  left,
  right,
  position,
});
const ctor = (name: string, arity: number): Core => ({ k: 'constructor', type: 'T', name, arity });
const choose = (condition: Core, yes: Core, no: Core): Core => ({ k: 'if', condition, then: yes, otherwise: no });
const list = (...items: Core[]): Core => ({ k: 'list', items });
const tuple = (...items: Core[]): Core => ({ k: 'tuple', items });
const bind = (name: string): CorePattern => ({ k: 'bind', name });
const wildcard: CorePattern = { k: 'wildcard' };
const lambda = (parameters: string[], body: Core): Core => ({ k: 'lambda', parameters, body });

function match(scrutinee: Core, ...arms: (readonly [CorePattern, Core, Core?])[]): Core {
  return {
    k: 'match',
    scrutinee,
    position,
    arms: arms.map(([pattern, body, guard]) => ({ pattern, body, guard: guard ?? null })),
  };
}

function program(body: Core, ...others: Partial<CoreFunction>[]): CoreProgram {
  const plain = { exported: true, parameters: [], budgets: [], clauses: [], position };
  const functions = [{ ...plain, name: 'main', body }, ...others.map((fn) => ({ ...plain, name: 'f', body, ...fn }))];
  const entries = [{ name: 'main', parameters: [], effects: [], openRow: false, returnsUnit: false }];
  return { modules: [{ path: 'main', functions, values: [], imports: [] }], root: 'main', entries };
}

const result = (body: Core): string => {
  const { outcome, stdout } = ran(program(body));
  return outcome.kind === 'finished' ? stdout.trimEnd() : JSON.stringify(outcome);
};

const x = local('x');
const cases: readonly (readonly [name: string, core: Core, shown: string])[] = [
  ['int', { k: 'int', value: 2n ** 63n - 1n }, '9223372036854775807'],
  ['float', float(2), '2.0'],
  ['string with anything', text('`${x}`\u2028"\\'), '`${x}`\u2028"\\'],
  ['lambda and call', call(lambda(['x', 'y'], binary('-', x, local('y'))), int(5), int(3)), '2'],
  [
    'let hides',
    { k: 'let', name: 'x', value: int(1), body: { k: 'let', name: 'x', value: binary('+', x, int(1)), body: x } },
    '2',
  ],
  [
    'letrec',
    {
      k: 'letrec',
      bindings: [
        {
          name: 'f',
          value: lambda(['x'], choose(binary('==', x, int(0)), text('end'), call(local('f'), binary('-', x, int(1))))),
        },
      ],
      body: call(local('f'), int(5)),
    },
    'end',
  ],
  ['sequence', traced('a', int(1)), 'a1'],
  ['if', choose(bool(false), say('no'), text('yes')), 'yes'],
  ['list', list(int(1), int(2)), '[1, 2]'],
  ['tuple', tuple(int(1), text('a')), '(1, a)'],
  ['array', { k: 'array', items: [int(1)] }, '#[1]'],
  [
    'record in source order',
    {
      k: 'record',
      fields: [
        { name: 'b', value: traced('1', int(1)) },
        { name: 'a', value: traced('2', int(2)) },
      ],
    },
    '12{a: 2, b: 1}',
  ],
  [
    'update',
    {
      k: 'update',
      base: {
        k: 'record',
        fields: [
          { name: 'a', value: int(1) },
          { name: '__proto__', value: int(2) },
        ],
      },
      fields: [{ name: '__proto__', value: int(3) }],
    },
    '{__proto__: 3, a: 1}',
  ],
  [
    'field',
    {
      k: 'field',
      base: { k: 'record', fields: [{ name: 'constructor', value: int(4) }] },
      name: 'constructor',
      unwrap: false,
      position,
    },
    '4',
  ],
  [
    'field through a wrapper',
    {
      k: 'field',
      base: call(ctor('W', 1), { k: 'record', fields: [{ name: 'a', value: int(4) }] }),
      name: 'a',
      unwrap: true,
      position,
    },
    '4',
  ],
  ['constructor as value', call(builtin('_list_map'), ctor('Some', 1), list(int(1))), '[Some(1)]'],
  ['unary', { k: 'unary', operator: '-', operand: 'dynamic', value: float(1.5) }, '-1.5'],
  ['not', { k: 'unary', operator: '!', operand: 'bool', value: binary('==', int(1), int(1), 'int') }, 'false'],
  ['complement', { k: 'unary', operator: '~', operand: 'int', value: int(0) }, '-1'],
  ['dynamic arithmetic keeps floats', binary('+', float(1), float(1)), '2.0'],
  ['float arithmetic', binary('*', binary('+', float(1), float(1), 'float'), float(0.5), 'float'), '1.0'],
  ['float comparison', binary('<', float(Number.NaN), float(1), 'float'), 'false'],
  ['string comparison by code point', binary('<', text('\uffff'), text('\u{10000}'), 'string'), 'true'],
  ['and leaves out the right side', binary('&&', bool(false), traced('no', bool(true)), 'bool'), 'false'],
  ['or evaluates the right side', binary('||', bool(false), traced('x', bool(true)), 'bool'), 'xtrue'],
  ['cons and append', binary('++', binary('::', int(1), list()), list(int(2))), '[1, 2]'],
  ['structural equality', binary('==', tuple(list(int(1)), float(1)), tuple(list(int(1)), float(1))), 'true'],
  ['interpolation', { k: 'interpolate', parts: ['a', float(1), 'b', list(text('c'))] }, 'a1.0b[c]'],
  ['operands left to right', binary('-', traced('1', int(5)), traced('2', int(3)), 'int'), '122'],
  [
    'arguments left to right',
    call(lambda(['x', 'y'], x), traced('1', int(5)), match(traced('2', int(3)), [wildcard, traced('3', int(0))])),
    '1235',
  ],
  [
    'literal patterns',
    match(
      int(2),
      [{ k: 'literal', value: { k: 'int', value: 1n } }, text('one')],
      [{ k: 'literal', value: { k: 'int', value: 2n } }, text('two')],
    ),
    'two',
  ],
  [
    'string pattern',
    match(text('b'), [{ k: 'literal', value: { k: 'string', value: 'b' } }, text('yes')], [wildcard, text('no')]),
    'yes',
  ],
  [
    'guards in order',
    match(int(2), [bind('x'), traced('a', text('no')), traced('g', binary('>', x, int(2)))], [bind('x'), x]),
    'g2',
  ],
  [
    'constructor patterns',
    match(call(ctor('P', 2), int(1), ctor('N', 0)), [
      {
        k: 'constructor',
        type: 'T',
        name: 'P',
        args: [bind('x'), { k: 'constructor', type: 'T', name: 'N', args: [] }],
      },
      x,
    ]),
    '1',
  ],
  [
    'cons pattern',
    match(list(int(1), int(2)), [{ k: 'cons', head: bind('x'), tail: bind('r') }, tuple(x, local('r'))]),
    '(1, [2])',
  ],
  [
    'exact list pattern',
    match(
      list(int(1)),
      [{ k: 'list', items: [], rest: null }, text('0')],
      [{ k: 'list', items: [bind('x')], rest: null }, x],
    ),
    '1',
  ],
  [
    'rest pattern',
    match(list(int(1), int(2), int(3)), [
      { k: 'list', items: [wildcard, bind('x')], rest: bind('r') },
      tuple(x, local('r')),
    ]),
    '(2, [3])',
  ],
  ['tuple pattern', match(tuple(int(1), int(2)), [{ k: 'tuple', items: [bind('x'), bind('y')] }, local('y')]), '2'],
  ['tuple pattern on a bound tuple', match(tuple(int(1), int(2)), [bind('p'), local('p')]), '(1, 2)'],
  [
    'record pattern',
    match(
      {
        k: 'record',
        fields: [
          { name: 'a', value: int(1) },
          { name: 'b', value: int(2) },
        ],
      },
      [{ k: 'record', fields: [{ name: 'b', pattern: bind('x') }] }, x],
    ),
    '2',
  ],
];

for (const [name, core, shown] of cases) {
  test(`evaluates ${name}`, () => assert.equal(result(core), shown));
}

test('an update evaluates its base before its fields', () => {
  const f: Core = { k: 'global', module: 'main', name: 'f' };
  const base: Core = { k: 'record', fields: [{ name: 'a', value: int(1) }] };
  const body: Core = { k: 'update', base: call(f), fields: [{ name: 'a', value: call(f) }] };
  const { stdout } = ran(program(body, { name: 'f', body: traced('f', base) }));
  assert.equal(stdout, 'ff{a: {a: 1}}\n');
  const marked = call(lambda(['x'], traced('1', base)), int(0));
  const updated: Core = {
    k: 'update',
    base: marked,
    fields: [{ name: 'a', value: call(lambda(['x'], traced('2', x)), int(5)) }],
  };
  assert.equal(result(updated), '12{a: 5}');
});

test('a match without a fitting arm is RT002 with value and place', () => {
  const { outcome } = ran(program(match(int(3), [{ k: 'literal', value: { k: 'int', value: 1n } }, int(1)])));
  assert.deepEqual(outcome, {
    kind: 'failed',
    code: 'RT002',
    message: 'RT002: no pattern matched the value 3 at main.ail:1:1',
  });
});

test('a failing assertion tells its message and place', () => {
  const { outcome } = ran(program({ k: 'assert', condition: bool(false), message: 'sum', position }));
  assert.deepEqual(outcome, {
    kind: 'failed',
    code: 'ASSERT_FAILED',
    message: 'assertion failed at main.ail:1:1: sum',
  });
});

test('a recursive value read too early is RT_REC_001', () => {
  const { outcome } = ran(program({ k: 'letrec', bindings: [{ name: 'x', value: binary('+', x, int(1)) }], body: x }));
  assert.equal(outcome.kind === 'failed' && outcome.code, 'RT_REC_001');
});

test('closures made in a loop keep the values of their round', () => {
  const f: Core = { k: 'global', module: 'main', name: 'f' };
  const body: Core = choose(
    binary('==', x, int(0)),
    call(builtin('_list_map'), lambda(['g'], call(local('g'))), local('acc')),
    call(f, binary('-', x, int(1)), binary('::', lambda([], x), local('acc'))),
  );
  const { stdout } = ran(program(call(f, int(3), list()), { name: 'f', parameters: ['x', 'acc'], body }));
  assert.equal(stdout, '[1, 2, 3]\n');
});

test('arguments of a jump are all read before a parameter changes', () => {
  const f: Core = { k: 'global', module: 'main', name: 'f' };
  const body: Core = choose(
    binary('<', local('n'), int(1)),
    tuple(x, local('y')),
    call(f, binary('-', local('n'), int(1)), local('y'), x),
  );
  const { stdout } = ran(
    program(call(f, int(3), text('a'), text('b')), { name: 'f', parameters: ['n', 'x', 'y'], body }),
  );
  assert.equal(stdout, '(b, a)\n');
});

test('deeply nested values compare without recursion', () => {
  const nested = (depth: Core): Core => call({ k: 'global', module: 'main', name: 'f' }, depth, ctor('Z', 0));
  const body: Core = choose(
    binary('==', local('n'), int(0)),
    x,
    call({ k: 'global', module: 'main', name: 'f' }, binary('-', local('n'), int(1)), call(ctor('S', 1), x)),
  );
  const { stdout } = ran(
    program(binary('==', nested(int(100000)), nested(int(100000))), { name: 'f', parameters: ['n', 'x'], body }),
  );
  assert.equal(stdout, 'true\n');
});
