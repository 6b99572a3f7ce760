import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runCommand } from '../../../src/ailang/cli/commands/table.js';
import { scratch } from '../policy/scratch.js';
import { fileContext } from './context.js';

const good =
  'module good\n\nexport type T = A(int) | B\nexport pure func double(n: int) -> int = n * 2\nexport func main() -> () ! {IO} = println("x")\n';
const bad = 'module bad\n\nexport func main() -> () ! {IO} = println(1 + "a")\n';
const files = { 'good.ail': good, 'bad.ail': bad };
const run = (argv: readonly string[]) => runCommand(argv, fileContext(files));

describe('check', () => {
  test('says what it does and that nothing was found', () =>
    assert.deepEqual(run(['check', 'good.ail']), {
      stdout: '→ Type checking good.ail...\n→ Effect checking...\n\n✓ No errors found!\n',
      stderr: '',
      exitCode: 0,
    }));
  test('--quiet is silent', () =>
    assert.deepEqual(run(['check', '--quiet', 'good.ail']), { stdout: '', stderr: '', exitCode: 0 }));
  test('errors name their place', () => {
    const { stderr, exitCode } = run(['check', '--quiet', 'bad.ail']);
    assert.equal(exitCode, 1);
    assert.match(stderr, /^Error: bad\.ail:3:\d+: .* \[TC\d+\]/);
  });
  test('text ends with the hint, a terminal has the line and a mark too; --json has it as suggestion', () => {
    const wrong = fileContext({ 'm.ail': 'module m\nfunc f(n: int) -> string =\n  n\n' });
    const hint = 'Write show(e), or put it into a string: "${e}".';
    const { stderr } = runCommand(['check', 'm.ail'], wrong);
    assert.ok(stderr.startsWith('Error: m.ail:3:3: '), stderr);
    assert.ok(stderr.endsWith(` [TC001]\n  Hint: ${hint}\n`), stderr);
    const seen = runCommand(['check', 'm.ail'], { ...wrong, colour: true }).stderr;
    assert.match(seen, /\n {4}n\n[^\n]* {4}\^[^\n]*\n\nWrite show\(e\)/);
    const [error] = JSON.parse(runCommand(['check', '--json', 'm.ail'], wrong).stdout).errors;
    assert.deepEqual([error.line, error.column, error.suggestion], [3, 3, hint]);
  });
  test('--json', () => {
    assert.deepEqual(JSON.parse(run(['check', '--json', 'good.ail']).stdout), {
      file: 'good.ail',
      passed: true,
      error_count: 0,
      errors: [],
    });
    const report = JSON.parse(run(['check', '--json', 'bad.ail']).stdout);
    assert.equal(report.error_count, report.errors.length);
    assert.deepEqual([report.errors[0].file, report.errors[0].line], ['bad.ail', 3]);
  });
  test('--strict-syntax refuses sugar', () => {
    const sugar = fileContext({ 'm.ail': 'module m\nfunc f(x: int) -> [int] = x :: []\n' });
    assert.equal(runCommand(['check', '--quiet', 'm.ail'], sugar).exitCode, 0);
    const { stderr, exitCode } = runCommand(['check', '--quiet', '--strict-syntax', 'm.ail'], sugar);
    assert.equal(exitCode, 1);
    assert.match(stderr, /m\.ail:2:29: .*\[SUGAR_CONS\]/);
  });
  test('a missing file is no JSON', () =>
    assert.deepEqual(run(['check', '--json', 'none.ail']), {
      stdout: '',
      stderr: "Error: cannot access 'none.ail': stat none.ail: no such file or directory\n",
      exitCode: 1,
    }));
});

describe('ai-check', () => {
  const verify = { available: true, verified: 0, counterexample: 0, skipped: 0, errors: 0, results: [] };
  test('a report when all is well', () => {
    const { stdout, exitCode } = run(['ai-check', '--timeout', '5s', 'good.ail']);
    assert.equal(exitCode, 0);
    assert.deepEqual(JSON.parse(stdout), {
      file: 'good.ail',
      check: { passed: true, error_count: 0, errors: [] },
      verify,
    });
  });
  test('a report with errors, message with the place', () => {
    const { stdout, exitCode } = run(['ai-check', 'bad.ail']);
    const { check } = JSON.parse(stdout);
    assert.deepEqual([exitCode, check.passed], [1, false]);
    assert.match(check.errors[0].message, /bad\.ail:3:\d+/);
  });
  test('check --verify is the same', () =>
    assert.deepEqual(run(['check', '--verify', '--timeout', '5s', 'good.ail']), run(['ai-check', 'good.ail'])));
  test('a report for a file that is not there', () =>
    assert.deepEqual(JSON.parse(run(['ai-check', 'none.ail']).stdout).check.errors, [
      { code: 'IO_ERROR', message: 'cannot read file: open none.ail: no such file or directory' },
    ]));
});

describe('iface', () => {
  test('of a module of the project', () => {
    const { stdout } = run(['iface', 'good']);
    assert.deepEqual(Object.keys(JSON.parse(stdout)), ['module', 'types', 'funcs', 'schema']);
    assert.equal(JSON.parse(stdout).schema, 'ailang.iface/v1');
    assert.ok(stdout.includes('(int)-\\u003eint'));
    assert.equal(run(['iface', 'good.ail']).stdout, stdout);
  });
  test('of the library, compact', () => {
    const { stdout } = run(['iface', '--compact', 'std/option']);
    assert.match(stdout, /^module std\/option\ntype Option\[a\] = None \| Some\(a\)\n/);
    assert.match(stdout, /\ngetOrElse : \(Option\[a\],a\)->a\n/);
  });
  test('what is not there', () => {
    assert.match(
      run(['iface', 'none']).stderr,
      /^Error: module none not found: stat none\.ail: no such file or directory\n$/,
    );
    assert.match(
      run(['iface', 'std/nothing']).stderr,
      /^Error: module std\/nothing not found: the library has std\/ai, std\/array, /,
    );
    assert.equal(run(['iface', 'bad']).exitCode, 1);
  });
});

describe('builtins', () => {
  test('list has the form hosts parse', () => {
    const [head = '', blank, ...lines] = run(['builtins', 'list']).stdout.trimEnd().split('\n');
    assert.equal(head, `Total: ${lines.length} builtins`);
    assert.equal(blank, '');
    for (const line of lines) assert.match(line, /^ {2}(\S+)\s+\[([^\]]*)\] (\S*)$/);
  });
  test('show', () => {
    assert.match(run(['builtins', 'show', 'str_len']).stdout, /^\n_str_len: string -> int\n/);
    assert.deepEqual([run(['builtins', 'show', 'nothing_like_it']).exitCode], [1]);
  });
});

describe('examples', () => {
  test('search scores a tag highest', () => {
    const { stdout, exitCode } = run(['examples', 'search', 'fold']);
    assert.equal(exitCode, 0);
    assert.match(
      stdout,
      /^🔍 Search: "fold"\n {3}Found \d+ examples\n\n1\. \w+\.ail \(1\.00, tag\)\n {3}.+\n {3}Tags: .*fold/,
    );
  });
  test('search knows words, descriptions and contents, and finds nothing without failing', () => {
    assert.match(run(['examples', 'search', 'bank', 'zzz']).stdout, /1\. bank_account\.ail \(0\.30, content\)/);
    assert.match(run(['examples', 'search', 'in-order list']).stdout, /1\. binary_tree\.ail \(0\.95, description\)/);
    assert.match(run(['examples', 'search', 'std/fs']).stdout, /1\. file_tree\.ail \(0\.80, content\)/);
    assert.deepEqual(run(['examples', 'search', 'qqqq']), {
      stdout: '🔍 Search: "qqqq"\n   Found 0 examples\n\n',
      stderr: '',
      exitCode: 0,
    });
  });
  for (const [query, expected] of [
    ['json decode', 'json_read'],
    ['read stdin lines', 'stdin_sum'],
    ['parse a date', 'datetime_deadlines'],
    ['regex', 'regex_extract'],
    ['merge sort', 'merge_sort'],
    ['binary search', 'binary_search'],
    ['prove contracts', 'contracts_proven'],
    ['error handling with result', 'bank_account'],
    ['tests properties', 'inline_tests'],
    ['shortest path graph', 'graph_shortest_path'],
    ['write files', 'file_tree'],
    ['xml attributes', 'xml_catalogue'],
  ] as const)
    test(`search finds ${expected} first or second for "${query}"`, () => {
      const { stdout } = run(['examples', 'search', ...query.split(' ')]);
      const found = [...stdout.matchAll(/^\d+\. (\w+)\.ail/gm)].map(([, name]) => name);
      assert.ok(found.slice(0, 2).includes(expected), found.join(' '));
    });
  test('list, by tag and status', () => {
    assert.match(
      run(['examples', 'list', '--tags', 'json']).stdout,
      /^📚 AILANG Examples \(4\/\d+\)\n\n✅ json_build\.ail\n/,
    );
    assert.match(run(['examples', 'list', '--status', 'broken']).stdout, /^📚 AILANG Examples \(0\/\d+\)\n/);
    assert.equal(run(['examples', 'list', '--status', 'odd']).exitCode, 2);
  });
  test('show prints program and output', () => {
    const { stdout } = run(['examples', 'show', 'hello']);
    assert.equal(stdout, run(['examples', 'show', 'hello.ail']).stdout);
    assert.match(
      stdout,
      /^📄 hello\.ail\n.*\nTags: .*\n─{60}\nmodule hello\n[\s\S]*\n─{60}\n📤 Expected output:\nHello from AILANG\n$/,
    );
    assert.match(run(['examples', 'show', '../secret']).stderr, /^Error: example not found/);
  });
  test('tags by count', () =>
    assert.match(run(['examples', 'tags']).stdout, /^🏷️ {2}Available tags:\n\n {2}\S+ +\(\d+ examples\)\n/));
  test('a corpus without a manifest is named', (t) => {
    const directory = scratch(t);
    assert.deepEqual(runCommand(['examples', 'tags'], fileContext({}, directory)), {
      stdout: '',
      stderr: `Error: examples corpus at ${directory} has no manifest.json\n`,
      exitCode: 1,
    });
  });
});

describe('texts', () => {
  test('version', () =>
    assert.match(
      run(['version']).stdout,
      /^AILANG v0\.52\.1\nailang-world \d+\.\d+\.\d+ \(embedded toolchain, language level v0\.52\.1\)\n$/,
    ));
  test('prompt and agent-prompt', () => {
    assert.match(run(['prompt']).stdout, /^# AILANG for a model/);
    assert.match(run(['agent-prompt']).stdout, /^# Working with AILANG/);
  });
  test('docs search prints hits with text, and JSON', () => {
    assert.match(
      run(['docs', 'search', 'tail', 'call']).stdout,
      /^🔍 Search: "tail call"\n {3}Scanned: \d+ docs\n\n1\. reference\/\S+ \(\d\.\d\d\)\n/,
    );
    const { results, stats } = JSON.parse(run(['docs', 'search', '--json', '--limit', '2', 'effects']).stdout);
    assert.equal(results.length, 2);
    assert.ok(stats.total_docs > 10);
    assert.match(run(['docs', 'search', 'qqqq']).stdout, /\nNo matching documents found\.\n$/);
    assert.equal(run(['docs', 'search', '--limit', 'x', 'a']).exitCode, 2);
  });
});

for (const argv of [
  ['nothing'],
  ['constructor'],
  [],
  ['check'],
  ['check', 'a', 'b'],
  ['check', '--zz', 'a'],
  ['builtins'],
  ['docs', 'find'],
])
  test(`usage error: ${argv.join(' ') || 'no command'}`, () => {
    const { stderr, exitCode } = run(argv);
    assert.equal(exitCode, 2);
    assert.match(stderr, /^Error: .+\nUsage: ailang .+\n$/s);
  });
