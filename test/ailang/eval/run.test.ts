// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are programs, with interpolations of their own
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compiled, type Ran, ran, runText, type Settings } from './programs.js';

const main = (body: string, imports = '', effects = 'IO'): string =>
  `module main\n${imports}\nexport func main() -> () ! {${effects}} {\n${body}\n}\n`;

const failure = ({ outcome }: Ran): string =>
  outcome.kind === 'failed' ? `${outcome.code} | ${outcome.message}` : outcome.kind;

test('10^7 tail calls of itself run in constant space', () => {
  const text = `module main\nfunc loop(n: int, acc: int) -> int = if n == 0 then acc else loop(n - 1, acc + n)\nexport func main() -> int = loop(10000000, 0)`;
  assert.equal(runText(text).stdout, '50000005000000\n');
});

test('10^7 tail calls between functions run in constant space', () => {
  const text = `module main
func even(n: int) -> bool = if n == 0 then true else odd(n - 1)
func odd(n: int) -> bool = match n { 0 => false, m => { let next = m - 1; even(next) } }
export func main() -> bool = even(10000000)`;
  assert.equal(runText(text).stdout, 'true\n');
});

test('tail calls of unknown functions run in constant space', () => {
  const text = `module main
func bounce(n: int, k: (int) -> int) -> int = if n == 0 then k(0) else apply(\\m. bounce(m, k), n - 1)
func apply(f: (int) -> int, n: int) -> int = f(n)
export func main() -> int { letrec go = \\n. if n == 0 then 7 else go(n - 1); bounce(1000000, \\x. x + go(1000000)) }`;
  assert.equal(runText(text).stdout, '7\n');
});

test('deep recursion that is no tail call ends with RT_REC_003 at the limit', () => {
  const text = `module main\nfunc sum(n: int) -> int = if n == 0 then 0 else n + sum(n - 1)\nexport func main() -> int = sum(1500)`;
  const program = compiled(text);
  assert.equal(ran(program, { maxDepth: 1600 }).stdout, '1125750\n');
  assert.match(
    failure(ran(program, { maxDepth: 1400 })),
    /^RT_REC_003 \| RT_REC_003: recursion deeper than 1400 calls/,
  );
});

test('a stack that ends before the limit is RT_REC_003 too', () => {
  const text = `module main\nimport std/list (map)\nfunc f(n: int) -> int = match map(\\m. 1 + f(m + 1), [n]) { [x] => x, _ => 0 }\nexport func main() -> int = f(0)`;
  assert.match(failure(runText(text, { maxDepth: 100_000_000 })), /^RT_REC_003/);
});

test('division by zero names operation and place', () => {
  assert.equal(
    failure(runText(main('let z = 0;\n  println(show(10 / z))'))),
    'RT001 | RT001: division by zero at main.ail:5:19',
  );
});

test('exit ends the program with its status', () => {
  const { outcome, stdout } = runText(main('println("a"); exit(3); println("b")', 'import std/io (exit)'));
  assert.deepEqual([outcome, stdout], [{ kind: 'exit', status: 3 }, 'a\n']);
});

test('unwrap of Err and an index out of bounds end the run', () => {
  assert.match(
    failure(runText(main('println(unwrap(Err("no")))', 'import std/result (unwrap, Result, Ok, Err)'))),
    /unwrap: called on Err\(no\)/,
  );
  assert.equal(
    failure(runText(main('println(show(A.get(#[1, 2], 2)))', 'import std/array as A'))),
    'RT003 | RT003: get: index 2 out of bounds for length 2',
  );
});

test('a missing capability names the effect and the flag', () => {
  const read = runText(main('println(readFile("a"))', 'import std/fs (readFile)', 'IO, FS'));
  assert.equal(failure(read), "EVA004 | effect 'FS' requires capability, but none provided\nHint: Run with --caps FS");
  const env = runText(
    main('match getEnv("A") { Ok(v) => println(v), Err(_) => println("-") }', 'import std/env (getEnv)', 'IO, Env'),
  );
  assert.equal(failure(env), 'EVA004 | getEnv: Env capability required. Use --caps Env flag');
});

const denied = new Error('openat x: no such file or directory');
const fs: NonNullable<Settings['host']> = {
  fs: {
    readFile: (path) => {
      if (path === 'good') return Buffer.from('é');
      throw denied;
    },
    writeFile: () => {
      throw new Error('E_FS_PROTECTED: .git/config is under .git, which is read-only in restricted mode');
    },
    stat: (path) => {
      if (path === '..') throw denied;
      return path === 'd' ? 'directory' : 'file';
    },
    listDir: (path) => (path === 'd' ? ['b.txt', 'a.ail'] : []),
    mkdir: () => undefined,
    remove: () => undefined,
    rename: () => undefined,
  },
};

test('a failing file operation ends the run with its name; Result variants and probes go on', () => {
  const imports =
    'import std/fs (readFile, readFileResult, writeFile, fileExists, isDir, walk, glob)\nimport std/result (Ok, Err)';
  const settings: Settings = { host: fs };
  const run = (body: string): Ran => runText(main(body, imports, 'IO, FS'), settings);
  assert.equal(failure(run('println(readFile("x"))')), 'EFFECT_FAILED | readFile: openat x: no such file or directory');
  assert.match(failure(run('writeFile("x", "y")')), /^E_FS_PROTECTED \| E_FS_PROTECTED: /);
  assert.equal(
    run('println(show(readFileResult("x")))').stdout,
    'Err(cannot read file: openat x: no such file or directory)\n',
  );
  assert.equal(
    run('println("${readFileResult("good")} ${fileExists("..")} ${isDir("d")}")').stdout,
    'Ok(é) false true\n',
  );
  assert.equal(run('println("${walk("d")} ${glob("d", ".ail")}")').stdout, '[d/a.ail, d/b.txt] [d/a.ail]\n');
});

test('every operation is charged before it runs, after the capability check', () => {
  const imports = 'import std/fs (fileExists)';
  const { charged } = runText(main('println(show(fileExists("a")))', imports, 'IO, FS'), { host: fs });
  assert.deepEqual(charged, ['FS fileExists', 'IO println']);
  const exhausted = new Error("E_BUDGET_OPERATOR: effect 'IO' operator budget exhausted: limit=0 for the whole run");
  const { outcome, stdout } = runText(main('println("x")'), {
    host: {
      charge: () => {
        throw exhausted;
      },
    },
  });
  assert.deepEqual([outcome, stdout], [{ kind: 'failed', code: 'E_BUDGET_OPERATOR', message: exhausted.message }, '']);
});

const budgeted = `module main
func talk(n: int) -> () ! {IO @limit=2} { if n == 0 then () else { println(show(n)); talkMore(n - 1) } }
func talkMore(n: int) -> () ! {IO} = if n == 0 then () else { println(show(n)); talkMore(n - 1) }
func quiet() -> () ! {IO @min=1} = ()
export func main() -> () ! {IO} { talk(2); talk(1); println("between") }
export func over() -> () ! {IO} = talk(3)
export func under() -> () ! {IO} = quiet()`;

test('a budget counts per call of the function, nested calls included', () => {
  const program = compiled(budgeted);
  assert.deepEqual(ran(program).stdout, '2\n1\n1\nbetween\n');
  const over = ran(program, { entry: 'over' });
  assert.match(failure(over), /^BUDGET_EXHAUSTED \| budget exhausted: effect 'IO' of talk: limit=2, used=2\nHint: /);
  assert.equal(over.stdout, '3\n2\n');
  assert.match(
    failure(ran(program, { entry: 'under' })),
    /^BUDGET_UNDERRUN \| budget underrun: effect 'IO' of quiet was used 0 times, min=1/,
  );
  assert.equal(ran(program, { entry: 'over', noBudgets: true }).outcome.kind, 'finished');
});

const contract = `module main
pure func half(n: int) -> int requires { n >= 0 } ensures { result * 2 == n } { n / 2 }
pure func count(n: int, acc: int) -> int requires { acc < 3 } = if n == 0 then acc else count(n - 1, acc + 1)
export func even() -> int = half(4)
export func odd() -> int = half(5)
export func negative() -> int = half(0 - 2)
export func main() -> int = count(5, 0)`;

test('contracts are checked when asked for only, in every round of a loop', () => {
  const program = compiled(contract);
  const check = (entry: string): string => failure(ran(program, { entry, verifyContracts: true }));
  assert.equal(check('even'), 'finished');
  assert.match(
    check('odd'),
    /^CONTRACT_VIOLATION \| contract violation: ensures of half is false: .*result \* 2 == n.* at main\.ail:2:/,
  );
  assert.match(check('negative'), /requires of half is false/);
  assert.match(check('main'), /requires of count is false/);
  for (const entry of ['odd', 'negative', 'main']) assert.equal(ran(program, { entry }).outcome.kind, 'finished');
});

const entries = `module main
type Point = { x: int, tags: [string], scale: float }
export func point(p: Point) -> string = "\${p.x} \${p.tags} \${p.scale}"
export func number(n: int) -> int = n + 1
export func two(a: int, b: int) -> int = a + b
export func main() -> () = ()`;

const decoded: readonly (readonly [entry: string, json: string, expected: string])[] = [
  ['point', '{"x": 1, "tags": ["a"], "scale": 2, "more": 0}', '1 [a] 2.0\n'],
  ['number', '41.9', '42\n'],
  ['number', '9007199254740993', '9007199254740994\n'],
  ['number', '"1"', 'ARG_DECODE_MISMATCH: expected int, got string\nthe JSON value has another type'],
  [
    'point',
    '{"x": 1}',
    "ARG_DECODE_MISMATCH: expected {x: int, tags: [string], scale: float}, got object\nthe field 'scale' is missing",
  ],
  ['number', '{', 'failed to decode arguments: invalid JSON: unexpected end of JSON input looking for an object key'],
  ['main', '1', "entrypoint 'main' takes no arguments, but --args-json was provided"],
  ['absent', 'null', "RUN_NO_ENTRY: entrypoint 'absent' is not exported by main"],
];

for (const [entry, json, expected] of decoded) {
  test(`${entry} with ${json} as arguments`, () => {
    const { outcome, stdout } = ran(compiled(entries), { entry, argsJson: json });
    const text = outcome.kind === 'failed' ? outcome.message : stdout;
    assert.ok(text.startsWith(expected), `${text}\n${expected}`);
  });
}

test('an entry with two parameters is refused', () => {
  assert.match(failure(ran(compiled(entries), { entry: 'two', argsJson: '[1, 2]' })), /^RUN_MULTIARG_UNSUPPORTED/);
});

test('module values are evaluated once, in order, before the entry', () => {
  const text = `module main\nlet base = 20\nlet answer = base * 2 + 2\nfunc read() -> int = answer\nexport func main() -> int = read()`;
  assert.equal(runText(text).stdout, '42\n');
});

test('debug lines come after the run, on stderr', () => {
  const text = main('log("a"); println("b"); check(false, "c")', 'import std/debug (log, check)');
  const { stdout, stderr } = runText(text);
  assert.deepEqual(
    [stdout, stderr],
    ['b\n', '{"kind":"log","message":"a"}\n{"kind":"check","ok":false,"message":"c"}\n'],
  );
});

test('names of JavaScript reach nothing', () => {
  const text = `module main
func process(constructor: int) -> int = constructor + 1
func require(__proto__: string) -> string = "\${__proto__}\`);globalThis"
export func main() -> () ! {IO} { let globalThis = process(1); println("\${globalThis} \${require("x")}") }`;
  assert.equal(runText(text).stdout, '2 x`);globalThis\n');
});
