import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { atEnd } from '../../cleanup.js';
import { ailang, programFile } from '../cli/program.js';
import { scratch } from '../policy/scratch.js';

/** Pipes the lines into `ailang repl`. */
function repl(lines: readonly string[], options: { args?: readonly string[]; cwd?: string; env?: object } = {}) {
  const { args = [], cwd, env } = options;
  const result = ailang(['repl', ...args], {
    input: lines.join('\n'),
    ...(cwd === undefined ? {} : { cwd }),
    env: { AILANG_REPL_HISTORY: '', ...env },
  });
  assert.equal(result.status, 0, result.stderr);
  return result;
}

/** Each row: what is entered, what is printed. No row complains. */
const printed: readonly (readonly [entered: readonly string[], stdout: string])[] = [
  [['1 + 2'], '3 : int\n'],
  [
    ['"a"', 'true', '1.5', '[1, 2]', '(1, "x")', '{ a: 1 }'],
    '"a" : string\ntrue : bool\n1.5 : float\n[1, 2] : [int]\n(1, "x") : (int, string)\n{ a: 1 } : {a: int}\n',
  ],
  [['let x = 5', 'x * 2', 'let x = "new"', 'x'], 'x : int\n10 : int\nx : string\n"new" : string\n'],
  [['let a = 1; let b = 2', 'a + b'], 'a : int\nb : int\n3 : int\n'],
  [['func double(n: int) -> int =', '  n * 2', 'double(4)'], '8 : int\n'],
  [['{', '  let y = 3;', '  y + 1', '}'], '4 : int\n'],
  [['1 +', '  2'], '3 : int\n'],
  [['let sum =', '  1 +', '  2', 'sum'], 'sum : int\n3 : int\n'],
  [['match Some(2) {', '  Some(n) => n,', '  None => 0', '}'], '2 : int\n'],
  [['let f = \\n. n + 1', 'f(2)'], 'f : (int) -> int\n3 : int\n'],
  [['type T = A(int) | B', 'A(3)', 'match A(3) { A(n) => n, B => 0 }'], 'A(3) : T\n3 : int\n'],
  [['import std/list (map)', 'map(\\n. n + 1, [1, 2])'], '[2, 3] : [int]\n'],
  [['println("hi")'], 'hi\n'],
  [
    ['let text = { println("once"); "value" }', 'text', 'text'],
    'once\ntext : string\n"value" : string\n"value" : string\n',
  ],
  [[':type \\n. n + 1', ':t "a"'], '(int) -> int\nstring\n'],
  [['let x = 1', 'func f(n: int) -> int = n', ':list'], 'x : int\nlet x = 1\nfunc f(n: int) -> int = n\n'],
  [['-- only a comment', '', '   ', '7'], '7 : int\n'],
  [['"🎈" -- two units'], '"🎈" : string\n'],
];

/** Enters the rows into one repl, each with nothing defined before; gives what each of them printed. */
function sessions(rows: readonly (readonly string[])[]): { readonly stdout: string; readonly stderr: string }[] {
  const { stdout, stderr } = repl(rows.flatMap((entered) => [...entered, ':reset', '"next row"', ':next-row']));
  const printed = stdout.split('"next row" : string\n');
  const complained = stderr.split('there is no command :next-row; :help lists them\n');
  return rows.map((_, index) => ({ stdout: printed[index] ?? '', stderr: complained[index] ?? '' }));
}

test('the repl prints values with their types', async (t) => {
  const results = sessions(printed.map(([entered]) => entered));
  for (const [index, [entered, stdout]] of printed.entries())
    await t.test(JSON.stringify(entered), () => assert.deepEqual(results[index], { stdout, stderr: '' }));
});

test(':quit ends it', () => assert.equal(repl(['1', ':quit', '2']).stdout, '1 : int\n'));

/** Each row: what is entered, what it complains of. The entry after it still answers. */
const complaints: readonly (readonly [entered: readonly string[], stderr: RegExp])[] = [
  [['missing'], /^TC002 at repl:1:1: undefined variable: `missing`\n {2}missing\n {2}\^\n/],
  [['kept + "a"'], /^TC001 at repl:1:8: .*\(because of the left operand at 1:1\)\n/],
  [['[1,', '  2,', '  "a"]'], /^TC001 at repl:3:3: /],
  [['1 +', ''], /^PAR_NO_PREFIX_PARSE at repl:1:3: /],
  [['1 / 0'], /^Error: RT001: division by zero at repl:1:3\n$/],
  [['{', '  let zero = 0;', '  7 / zero', '}'], /^Error: RT001: division by zero at repl:3:5\n$/],
  [['func bad(n: int) -> string = n'], /^TC001 at repl:1:30: /],
  [['let kept = missing'], /^TC002 at repl:1:12: /],
  [['import std/nothing (x)'], /^LDR001 at repl:1:\d+: module not found: std\/nothing/],
  [['importantly'], /^TC002 at repl:1:1: undefined variable: `importantly`/],
  [['module m'], /^the repl is no module: leave the module line out\n$/],
  [['test "t" = true'], /^tests run with ailang test, not in the repl\n$/],
  [[':nothing'], /^there is no command :nothing; :help lists them\n$/],
  [[':type'], /^:type takes an expression\n$/],
  [[':type 1 +'], /^PAR_NO_PREFIX_PARSE at repl:1:3: /],
  [['import std/io (exit)', 'exit(3)'], /^the program called exit\(3\)\n$/],
  [['func loop(n: int) -> int = 1 + loop(n + 1)', 'loop(0)'], /^Error: RT_REC_003: /],
];

test('the repl complains, and goes on with what was defined', async (t) => {
  const results = sessions(complaints.map(([entered]) => ['let kept = 41', ...entered, 'kept + 1']));
  for (const [index, [entered, stderr]] of complaints.entries())
    await t.test(JSON.stringify(entered), () => {
      assert.match(results[index]?.stderr ?? '', stderr);
      assert.equal(results[index]?.stdout, 'kept : int\n42 : int\n');
    });
});

test('definitions that are entered together may refer to each other', () => {
  const even = 'func even(n: int) -> bool { if n == 0 then true else odd(n - 1) }; ';
  const odd = 'func odd(n: int) -> bool { if n == 0 then false else even(n - 1) }';
  assert.equal(repl([even + odd, 'even(10)']).stdout, 'true : bool\n');
});

test('a definition that no longer fits what uses it is refused, and the old one stays', () => {
  const { stdout, stderr } = repl([
    'func f(n: int) -> int = n',
    'func g(n: int) -> int = f(n) + 1',
    'func f(n: int) -> string = "a"',
    'g(1)',
  ]);
  assert.match(stderr, /^what was defined before no longer fits:\n/);
  assert.equal(stdout, '2 : int\n');
});

test(':reset forgets everything', () => {
  const { stdout, stderr } = repl(['let x = 1', 'import std/list (length)', ':reset', ':list', 'x']);
  assert.equal(stdout, 'x : int\n');
  assert.match(stderr, /undefined variable: `x`/);
});

test(':help names every command', () => {
  const { stdout } = repl([':help']);
  for (const command of [':type', ':list', ':reset', ':help', ':quit']) assert.ok(stdout.includes(command), command);
});

test('effects: IO is granted, another one only by --caps, and an effect happens once', (t) => {
  const cwd = scratch(t, { 'in.txt': 'text' });
  const lines = ['import std/fs (appendFile, readFile)', 'readFile("in.txt")'];
  const refused = repl(lines, { cwd });
  assert.equal(refused.stderr, "Error: effect 'FS' requires capability, but none provided\nHint: Run with --caps FS\n");
  const granted = repl([...lines, 'let done = { appendFile("out.txt", "+"); 1 }', 'done', 'done + 1'], {
    cwd,
    args: ['--caps', 'IO,FS'],
  });
  assert.equal(granted.stdout, '"text" : string\ndone : int\n1 : int\n2 : int\n');
  assert.equal(readFileSync(join(cwd, 'out.txt'), 'utf8'), '+');
  const silent = repl(['println("x")'], { args: ['--caps', ''] });
  assert.match(silent.stderr, /^Error: effect 'IO' requires capability/);
});

test('a program reads no input: the lines are entries', () => {
  const { stdout } = repl(['import std/io (readLineOpt)', 'readLineOpt()', '1']);
  assert.equal(stdout, 'None : Option[string]\n1 : int\n');
});

test('modules of the project are found', (t) => {
  const cwd = scratch(t, { 'lib/math.ail': 'module lib/math\nexport func half(n: int) -> int = n / 2\n' });
  assert.equal(repl(['import lib/math (half)', 'half(9)'], { cwd }).stdout, '4 : int\n');
});

test('an evaluation that takes too long is ended, and the session goes on', () => {
  const lines = ['let x = 1', 'func spin(n: int) -> int = spin(n + 1)', 'spin(0)', 'x'];
  const { stdout, stderr } = repl(lines, { args: ['--timeout', '2s'] });
  assert.equal(stderr, 'the evaluation took too long and was ended\n');
  assert.equal(stdout, 'x : int\n1 : int\n');
});

test('an interrupt ends the evaluation, not the session; at rest it drops an unfinished entry', async (t) => {
  const child = spawn(process.execPath, [programFile, 'repl'], { stdio: 'pipe' });
  atEnd(t, () => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const stderr = text(child.stderr);
  const say = async (input: string, answer: string): Promise<void> => {
    child.stdin.write(input);
    let seen = '';
    while (!seen.includes(answer)) seen += (await once(child.stdout, 'data'))[0];
  };
  await say('let x = 7\nfunc spin(n: int) -> int = spin(n + 1)\n{ println("spinning"); spin(0) }\n', 'spinning\n');
  child.kill('SIGINT');
  await say('x\n', '7 : int\n');
  child.stdin.end();
  assert.deepEqual(await exited, [0, null]);
  assert.equal(await stderr, 'interrupted\n');
});

test('the history keeps every line, mistakes included, and is read by nobody else', (t) => {
  const home = scratch(t);
  const file = join(home, 'kept', 'history');
  repl(['1 +', '', 'missing', 'let x = 1'], { env: { AILANG_REPL_HISTORY: file } });
  repl(['x'], { env: { AILANG_REPL_HISTORY: file } });
  assert.equal(readFileSync(file, 'utf8'), '1 +\nmissing\nlet x = 1\nx\n');
  assert.equal(statSync(file).mode & 0o077, 0);
});

test('without a terminal nothing is kept unless asked for, and nothing but answers is printed', (t) => {
  const home = scratch(t);
  const { stdout, stderr } = ailang(['repl'], { input: '1\n', env: { HOME: home, AILANG_REPL_HISTORY: undefined } });
  assert.deepEqual([stdout, stderr], ['1 : int\n', '']);
  assert.equal(existsSync(join(home, '.ailang')), false);
});

for (const [args, complaint] of [
  [['file.ail'], /^Error: repl takes flags only\nUsage: ailang repl /],
  [['--caps', 'AI'], /^Error: the embedded toolchain has no adapter for AI/],
  [['--timeout', 'soon'], /^Error: --timeout takes a duration/],
  [['--nothing'], /^Error: Unknown option '--nothing'/],
] as const)
  test(`repl ${args.join(' ')} is a usage error`, () => {
    const { status, stderr } = ailang(['repl', ...args]);
    assert.equal(status, 2);
    assert.match(stderr, complaint);
  });
