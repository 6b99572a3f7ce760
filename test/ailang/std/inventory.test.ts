import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Effects } from '../../../src/ailang/eval/effects.js';
import { builtins } from '../../../src/ailang/std/builtins.js';
import { listBuiltins, parameterCount, showBuiltin } from '../../../src/ailang/std/inventory.js';
import { createNatives } from '../../../src/ailang/std/natives/registry.js';

test('every primitive of the table is implemented, and nothing else is', () => {
  const natives = createNatives(new Effects({ charge: () => undefined })).flatMap((family) => Object.keys(family));
  assert.deepEqual(natives.sort(), builtins.map((builtin) => builtin.name).sort());
});

test('the text form has its header and one line of three fields per primitive, sorted by name', () => {
  const [header, blank, ...lines] = listBuiltins({}).trimEnd().split('\n');
  assert.equal(header, `Total: ${builtins.length} builtins`);
  assert.equal(blank, '');
  assert.equal(lines.length, builtins.length);
  const names = lines.map((line) => /^ {2}(\S+)\s+\[([^\]]*)\] (\S*)$/.exec(line)?.[1] ?? line);
  assert.deepEqual(names, [...names].sort());
  assert.ok(lines.includes('  _io_println                    [io] std/io'));
  assert.ok(lines.includes('  show                           [pure] $builtin'));
});

test('filters choose by exact module and by part of name, module or description', () => {
  assert.match(listBuiltins({ module: 'std/map' }), /^Total: 10 builtins\n/);
  assert.equal(listBuiltins({ module: 'std/ma' }), 'No builtins registered\n');
  assert.match(listBuiltins({ query: 'BASE64' }), /_bytes_toBase64 /);
  assert.equal(listBuiltins({ json: true, query: 'no such thing' }), '{"count":0,"builtins":[]}\n');
});

test('groups carry their size', () => {
  assert.match(
    listBuiltins({ byModule: true, module: 'std/clock' }),
    /^# std\/clock \(2\)\n {2}_clock_now \[clock\]\n/,
  );
  assert.match(listBuiltins({ byEffect: true, module: 'std/clock' }), /^# Clock \(2\)\n {2}_clock_now std\/clock\n/);
});

test('JSON records have the signature, the arity and the effect only when there is one', () => {
  const { count, builtins: records } = JSON.parse(listBuiltins({ json: true })) as {
    count: number;
    builtins: { name: string }[];
  };
  assert.equal(count, builtins.length);
  const find = (name: string): unknown => records.find((record) => record.name === name);
  assert.deepEqual(find('_fs_writeFile'), {
    name: '_fs_writeFile',
    module: 'std/fs',
    signature: '_fs_writeFile: (string, string) -> () ! {FS}',
    is_pure: false,
    effect: 'FS',
    num_args: 2,
    description: 'Replaces the content of a file.',
  });
  assert.equal('effect' in (find('_str_len') as object), false);
});

test('arity is read from the type', () => {
  const cases = [
    ['int -> int', 1],
    ['() -> int', 0],
    ['(a, (b, c) -> d, [e]) -> f', 3],
    ['(int) -> int', 1],
  ] as const;
  for (const [type, count] of cases) assert.equal(parameterCount(type), count, type);
});

test('one primitive is shown with or without its underscore; an unknown one gets suggestions', () => {
  const shown = showBuiltin('str_len');
  assert.equal(shown.found, true);
  assert.match(shown.text, /^\n_str_len: string -> int\n[\s\S]*Module: std\/string\nEffect: pure\n$/);
  const unknown = showBuiltin('println');
  assert.equal(unknown.found, false);
  assert.match(unknown.text, /^Builtin 'println' not found\.\nDid you mean:\n {2}_io_println\n {2}_io_eprintln\n/);
});

test('--verbose adds type and description below each name, and the head still counts names', () => {
  const [head, , first, type, description] = listBuiltins({ verbose: true, query: '_str_len' }).split('\n');
  assert.equal(head, 'Total: 1 builtins');
  assert.match(String(first), /^ {2}_str_len +\[pure\] std\/string$/);
  assert.deepEqual([type, description], ['      string -> int', '      Number of code points.']);
});
