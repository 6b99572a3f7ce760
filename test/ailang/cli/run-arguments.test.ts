import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRunArguments } from '../../../src/ailang/cli/run/arguments.js';

const parse = (line: string) => parseRunArguments(line.split(' '));

for (const [line, file, argv] of [
  ['--policy p a.ail', 'a.ail', []],
  ['--policy=p -- a.ail -- x y', 'a.ail', ['x', 'y']],
  ['a.ail x --caps IO', 'a.ail', ['x', '--caps', 'IO']],
  ['a.ail -- -- x', 'a.ail', ['--', 'x']],
  ['--policy p -- -a.ail', '-a.ail', []],
] as const)
  test(`${line}: file and program arguments`, () => {
    const parsed = parse(line);
    assert.deepEqual([parsed.file, parsed.argv], [file, argv]);
  });

test('flags have their defaults', () => {
  const { argsJson, entry, printResult, verifyContracts, maxDepth, policy } = parse('a.ail');
  assert.deepEqual(
    [argsJson, entry, printResult, verifyContracts, maxDepth, policy],
    ['null', 'main', true, false, 10_000, null],
  );
});

test('capabilities are a list', () => assert.deepEqual(parse('--caps IO,FS a.ail').caps, ['IO', 'FS']));
test('what a policy does not go with is kept apart', () =>
  assert.deepEqual(parse('--policy p --caps IO --entry x a.ail').widening, ['caps', 'entry']));
for (const line of ['--nope a.ail', '--policy', '--caps IO', '--max-recursion-depth x a.ail', '--ai-stub a.ail'])
  test(`refused: ${line}`, () => assert.throws(() => parse(line), { name: 'UsageError' }));
