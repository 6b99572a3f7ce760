import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helpCommand } from '../../../src/ailang/cli/commands/help.js';
import { plainContext } from '../../../src/ailang/cli/commands/make-context.js';
import { runCommand } from '../../../src/ailang/cli/commands/table.js';
import { scratch } from '../policy/scratch.js';
import { fileContext } from './context.js';
import { ailang } from './program.js';

const commands =
  'run check ai-check verify test fmt iface builtins examples docs prompt agent-prompt devtools-prompt policy-check policy-tool tree pkg-docs repl lsp axioms version'.split(
    ' ',
  );

const files = {
  'good.ail': 'module good\n\nexport func main() -> () ! {IO} {\n  println("x")\n}\n',
  'bad.ail': 'module bad\n\nexport func main() -> int = "🎈" + 1\n',
  'part.ail':
    'module part\nimport std/option (Option, Some)\nfunc f(o: Option[int]) -> int = match o {\n  Some(n) => n\n}\n',
  'unparsed.ail': 'module unparsed\nfunc f( = 1\n',
  'untidy.ail': 'module untidy\nlet   x=1\n',
  'failing.ail': 'module failing\n\ntest "wrong" = 1 == 2\n',
  'claims.ail': 'module claims\n\npure func f(n: int) -> int\n  ensures { result > n }\n{ n }\n',
};

test('help lists every command, and each says more with --help, -h and help', () => {
  const { status, stdout } = ailang(['help']);
  assert.equal(status, 0);
  const listed = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name);
  assert.deepEqual(listed.sort(), [...commands].sort());
  const help = ailang(['help', 'check']).stdout;
  assert.match(help, /^Usage: ailang check \[--json\] [^\n]+\n +ailang check --verify [^\n]+\n\nCheck types /);
  for (const flag of ['--help', '-h']) assert.equal(ailang(['check', flag]).stdout, help);
});

for (const command of commands)
  test(`help of ${command} begins with its usage`, () => {
    const { stdout, exitCode } = runHelp(command);
    assert.equal(exitCode, 0);
    assert.match(stdout, new RegExp(`^Usage: ailang ${command}\\b`));
  });

/** The program is started where it decides itself; for the others that would tell no more. */
const ownWays = ['run', 'repl', 'lsp', 'policy-tool', 'help', 'nothing'];

function runHelp(command: string) {
  if (!ownWays.includes(command)) return helpCommand([command], fileContext(files));
  const { status, stdout } = ailang([command, '--help']);
  return { stdout, exitCode: status };
}

test('--help behind the file of run belongs to the program', (t) => {
  const cwd = scratch(t, files);
  assert.deepEqual(ailang(['run', '--caps', 'IO', 'good.ail', '--help'], { cwd }), {
    status: 0,
    stdout: 'x\n',
    stderr: '',
  });
});

/** Each row: command line, exit code. */
const exitCodes: readonly (readonly [argv: string, code: number])[] = [
  ['check good.ail', 0],
  ['check bad.ail', 1],
  ['check none.ail', 1],
  ['check --nothing good.ail', 2],
  ['check', 2],
  ['ai-check good.ail', 0],
  ['ai-check claims.ail', 1],
  ['ai-check none.ail', 1],
  ['verify claims.ail', 1],
  ['verify good.ail', 0],
  ['verify --timeout never good.ail', 2],
  ['test good.ail', 1],
  ['test failing.ail', 1],
  ['test none.ail', 1],
  ['fmt good.ail', 0],
  ['fmt --check untidy.ail', 1],
  ['fmt none.ail', 2],
  ['fmt --check --write good.ail', 2],
  ['fmt unparsed.ail', 3],
  ['iface good', 0],
  ['iface none', 1],
  ['examples show nothing', 1],
  ['examples search zzzz', 0],
  ['examples', 2],
  ['docs search', 2],
  ['docs search zzzz', 0],
  ['builtins show nothing', 1],
  ['pkg-docs a/b', 1],
  ['tree', 1],
  ['run good.ail', 1],
  ['run --caps IO good.ail', 0],
  ['run --caps IO bad.ail', 1],
  ['run --nothing good.ail', 2],
  ['nothing', 2],
  ['help nothing', 2],
  ['help', 0],
];

test('exit codes', async (t) => {
  const cwd = scratch(t, files);
  for (const [argv, code] of exitCodes)
    await t.test(`${argv}: ${code}`, () => {
      const words = argv.split(' ');
      const own = ownWays.includes(words[0] ?? '');
      const { stdout, stderr, ...ended } = own ? ailang(words, { cwd }) : runCommand(words, fileContext(files));
      const status = 'status' in ended ? ended.status : ended.exitCode;
      assert.equal(status, code, stdout + stderr);
      if (code === 2 && !argv.startsWith('help') && !argv.startsWith('fmt')) assert.match(stderr, /\nUsage: ailang /);
    });
});

/** Each row: command line, a key of the document. */
const documents: readonly (readonly [argv: string, key: string])[] = [
  ['check --json bad.ail', 'errors'],
  ['ai-check bad.ail', 'check'],
  ['verify --json claims.ail', 'results'],
  ['test --json failing.ail', 'failed_tests'],
  ['iface std/list', 'funcs'],
  ['builtins list --json', 'builtins'],
  ['builtins show --json str_len', 'signature'],
  ['builtins show --json nothing', 'error'],
  ['examples list --json', 'examples'],
  ['examples search --json fold', 'results'],
  ['examples show --json hello', 'source'],
  ['examples tags --json', 'tags'],
  ['docs search --json effects', 'results'],
  ['axioms --json', 'axioms'],
  ['version --json', 'language'],
];

for (const [argv, key] of documents)
  test(`one JSON document: ${argv}`, () => {
    const { stdout } = runCommand(argv.split(' '), fileContext(files));
    assert.ok(Object.hasOwn(JSON.parse(stdout), key), stdout);
  });

test('a pipe gets no colours and no excerpts, whatever the environment says', (t) => {
  const cwd = scratch(t, files);
  for (const command of [
    ['check', 'bad.ail'],
    ['run', 'bad.ail'],
    ['verify', 'bad.ail'],
    ['test', 'failing.ail'],
  ]) {
    const { stdout, stderr } = ailang(command, { cwd, env: { TERM: 'xterm-256color', COLORTERM: 'truecolor' } });
    assert.doesNotMatch(stdout + stderr, /\u001b|\^/, command.join(' '));
  }
});

test('a terminal gets colours, the line of the source and a mark below the place', () => {
  const context = { ...fileContext(files), colour: true };
  const red = '\u001b[31m';
  for (const command of ['check', 'verify']) {
    const { stderr } = runCommand([command, 'bad.ail'], context);
    assert.ok(stderr.startsWith(`${red}error\u001b[0m \u001b[1mTC001 at bad.ail:3:`), stderr);
    assert.match(stderr, /\n {2}export func main\(\) -> int = "🎈" \+ 1\n/);
    assert.match(stderr, /\n\u001b\[31m +\^\u001b\[0m\n/);
  }
  const { stderr } = runCommand(['check', 'part.ail'], context);
  assert.match(stderr, /^\u001b\[33mwarning\u001b\[0m /);
});

test('NO_COLOR and a dumb terminal switch colours off', () => {
  const out = { stdout: process.stdout.isTTY, stderr: process.stderr.isTTY };
  process.stdout.isTTY = true;
  process.stderr.isTTY = true;
  try {
    assert.equal(plainContext('/', {}).colour, true);
    assert.equal(plainContext('/', { NO_COLOR: '' }).colour, true);
    assert.equal(plainContext('/', { NO_COLOR: '1' }).colour, false);
    assert.equal(plainContext('/', { TERM: 'dumb' }).colour, false);
  } finally {
    process.stdout.isTTY = out.stdout;
    process.stderr.isTTY = out.stderr;
  }
});

test('check gives up after --timeout with exit code 124', (t) => {
  const deep = Array.from({ length: 3000 }, (_, n) => `func f${n}(x: int) -> int = f${(n + 1) % 3000}(x)`).join('\n');
  const cwd = scratch(t, { 'deep.ail': `module deep\n${deep}\n` });
  const plain = ailang(['check', '--timeout', '1ms', 'deep.ail'], { cwd });
  assert.deepEqual([plain.status, plain.stderr], [124, 'Error: checking took longer than 1ms [TIMEOUT]\n']);
  const json = ailang(['check', '--json', '--timeout', '1ms', 'deep.ail'], { cwd });
  assert.equal(json.status, 124);
  assert.equal(JSON.parse(json.stdout).errors[0].code, 'TIMEOUT');
});
