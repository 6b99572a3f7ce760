import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { referencePage, referenceSections, searchReference } from '../../../src/ailang/cli/commands/reference.js';
import { runCommand } from '../../../src/ailang/cli/commands/table.js';
import { packageRoot } from '../../../src/ailang/package-root.js';
import { stdModules, stdSource } from '../../../src/ailang/std/source.js';
import { scratch } from '../policy/scratch.js';
import { fileContext } from './context.js';
import { ailang } from './program.js';

/** What stands around a part of a program in the prompt, by the part's first line, so that it can run. */
const frames: Readonly<Record<string, { readonly frame: (part: string) => string; readonly stdout: string }>> = {
  'import std/list (map, filter)        -- names, used bare': {
    frame: (part) =>
      `module demo/part\n${part}\nexport func main() -> () ! {IO} = println(show((map(twice, filter(\\n. n > count([1]), [2, 0])), S.length("ab"), makeUser("u"))))\n`,
    stdout: '([4], 2, User(u))\n',
  },
  'func add(a: int, b: int) -> int = a + b              -- equation body': {
    frame: (part) => `module demo/part\n${part}\nexport func main() -> () ! {IO} = log(show(add(double(2), id(3))))\n`,
    stdout: '7\n',
  },
  '{': { frame: (part) => `module demo/part\nexport func main() -> int ! {IO} ${part}\n`, stdout: '2\n4\n' },
  'if n > 0 then "positive" else if n == 0 then "zero" else "negative"': {
    frame: (part) => {
      const [first = '', second = ''] = part.split('\n\n');
      return `module demo/part\nfunc sign(n: int) -> string = ${first}\nfunc size(value: Option[int]) -> string = ${second}\nexport func main() -> () ! {IO} = println("\${sign(-1)} \${size(Some(11))} \${size(Some(1))}")\n`;
    },
    stdout: 'negative big 1\n',
  },
  'pure func divide(a: int, b: int) -> int ! {}': {
    frame: (part) => `module demo/part\n${part}\nexport func main() -> () ! {IO} = println(show(divide(7, 2)))\n`,
    stdout: '3\n',
  },
};

const neighbours = {
  'demo/helper.ail': 'module demo/helper\nexport func twice(n: int) -> int = n * 2\n',
  'app/model.ail':
    'module app/model\nexport type User = | User(string)\nexport func makeUser(name: string) -> User = User(name)\n',
};

describe('every program of the reference checks without a warning and runs', () => {
  for (const page of readdirSync(join(packageRoot(), 'src', 'ailang', 'reference')).filter((name) =>
    name.endsWith('.md'),
  ))
    for (const [, language = '', block = ''] of referencePage(page).matchAll(/```(\w*)\n([\s\S]*?)```/g)) {
      if (language === 'text') continue;
      const part = block.trimEnd();
      const known = frames[part.split('\n')[0] ?? ''];
      test(`${page}: ${part.split('\n', 1)[0]}`, (t) => {
        assert.ok(language === 'ailang' || known !== undefined, 'a part of a program has no frame here');
        const program = language === 'ailang' ? block : (known?.frame(part) ?? '');
        const path = `${/^module (\S+)/.exec(program)?.[1]}.ail`;
        const cwd = scratch(t, { ...neighbours, [path]: program });
        const checked = ailang(['check', '--quiet', path], { cwd });
        assert.deepEqual(checked, { status: 0, stdout: '', stderr: '' });
        if (!program.includes('func main')) {
          const tested = ailang(['test', path], { cwd });
          assert.equal(tested.status, 0, tested.stdout);
          return;
        }
        const { status, stdout, stderr } = ailang(['run', '--caps', 'IO', '--verify-contracts', path], {
          cwd,
          input: 'a line\n',
        });
        assert.deepEqual([status, stderr], [0, '']);
        if (known === undefined) assert.notEqual(stdout, '');
        else assert.equal(stdout, known.stdout);
      });
    }
});

test('the contract of the prompt is proven', (t) => {
  const [, part = ''] = /```\n(pure func divide[\s\S]*?)```/.exec(referencePage('prompt.md')) ?? [];
  const { status, stdout } = ailang(['verify', 'm.ail'], { cwd: scratch(t, { 'm.ail': `module m\n${part}` }) });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^✓ VERIFIED divide /);
});

test('every command line of the reference is a right one', (t) => {
  const cwd = scratch(t, { 'main.ail': 'module main\nexport func main() -> () ! {IO} = println("x")\n' });
  const blocks = [...referencePage('devtools-prompt.md').matchAll(/```text\n([\s\S]*?)```/g)];
  const lines = blocks.flatMap(([, block = '']) => block.trimEnd().split('\n'));
  assert.ok(lines.length > 10);
  for (const line of lines) {
    const [command = ''] = line.split(/ {2,}/);
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
    assert.equal(words[0], 'ailang', line);
    const { status, stderr } = ailang(words.slice(1), { cwd });
    // A formatter that finds drift, tests that are not there: answers, but no usage errors.
    assert.ok(status !== 2 && !stderr.includes('Usage:'), `${command}: ${stderr}`);
  }
});

/** Codes as they stand in the sources that emit them. */
function emittedCodes(): Set<string> {
  const source = join(packageRoot(), 'src', 'ailang');
  const parts = /^(syntax|modules|types|effects|eval|std|check\.ts)/;
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const texts = names
    .filter((name) => parts.test(name) && name.endsWith('.ts'))
    .map((name) => readFileSync(join(source, name), 'utf8'));
  const code = /['`]((?:PAR|PAT|SUGAR|MOD|IMP|LDR|TC|EFF|RT|EVA|ARG|RUN)(?:_[A-Z0-9]+)*\d*(?:_[A-Z0-9]+)*)(?=['`:])/g;
  const found = texts.flatMap((text) => [...text.matchAll(code)].map(([, name = '']) => name));
  return new Set(found.filter((name) => /[\d_]/.test(name)));
}

test('the page on errors has every code that is emitted, and no other; docs search finds each', () => {
  const page = referencePage('errors.md');
  const emitted = emittedCodes();
  assert.ok(emitted.size > 80, String(emitted.size));
  assert.deepEqual([...emitted].filter((code) => !new RegExp(`\\b${code}\\b`).test(page)).sort(), []);
  const named = new Set(
    page.match(/\b(?:PAR|PAT|SUGAR|MOD|IMP|LDR|TC|EFF|RT|EVA|ARG|RUN)_?[A-Z0-9_]*[\d_][A-Z0-9_]*\b/g),
  );
  assert.deepEqual([...named].filter((code) => !emitted.has(code) && code !== 'PAR_EFF').sort(), []);
  for (const code of emitted) {
    const { stdout } = runCommand(['docs', 'search', code], fileContext({}));
    assert.match(stdout, new RegExp(`\\b${code}\\b[^]*\\b${code}\\b`), code);
  }
});

test('every library module and most of its names are in the prompt', () => {
  const prompt = referencePage('prompt.md');
  const hidden = ['std/net', 'std/debug'];
  for (const module of stdModules()) if (!hidden.includes(module)) assert.ok(prompt.includes(module), module);
  for (const module of ['std/io', 'std/option', 'std/result', 'std/map'])
    for (const [, name = ''] of stdSource(module)?.matchAll(/^export (?:pure )?func (\w+)/gm) ?? [])
      if (name !== 'printErr') assert.ok(prompt.includes(name), `${module} ${name}`);
});

for (const [query, path] of [
  ['MOD010', 'reference/errors.md#module-and-import-errors'],
  ['record update', 'reference/prompt.md#types'],
  ['files outside the sandbox escapes', 'reference/running.md#files'],
] as const)
  test(`docs search finds ${query}`, () => {
    const found = searchReference(query)
      .hits.slice(0, 3)
      .map(({ section }) => section.path);
    assert.ok(found.includes(path), found.join(' '));
  });

test('scores lie between 0 and 1, best first, and code blocks have no headings', () => {
  const { hits, total } = searchReference('effects of a function');
  assert.equal(total, referenceSections().length);
  assert.ok(hits.every(({ score }) => score > 0 && score <= 1));
  assert.deepEqual(
    hits.map(({ score }) => score),
    hits.map(({ score }) => score).sort((a, b) => b - a),
  );
  assert.deepEqual(searchReference('zzzzqqq').hits, []);
});
