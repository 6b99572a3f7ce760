import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWorktreePath } from '../../src/tools/path-rule.js';
import type { Json, JsonRecord, Tool } from '../../src/tools/types.js';
import { ALL_TOOLS, builtins, check, cli, edit, examples, read, run, write } from './all-tools.js';
import { canonical, digest } from './canonical.js';

test('plans have the refs published for them', () => {
  assert.equal(
    digest(read.plan({ path: 'data.txt' })),
    'a1f0feb6b661e46646dab346043e8c144bf3d2be7733df0e520506119b2b773f',
  );
  assert.equal(
    digest(run.plan({ path: 'hello.ail' })),
    '5d0d3fde7279f852a15332cf7ca5f093a70a0e128cc8e22c0700173e5b20b78d',
  );
  assert.equal(
    digest(read.plan({ path: 'x', limit: '1' })),
    'e3c2848e0b4daabd0ac00fe399789a56e85f4dd130ddc6a2ea9a205c7a2aee2d',
  );
  assert.equal(canonical(read.plan({ path: 'data.txt' })).length, 180);
  assert.match(digest(check.plan({ path: 'hello.ail' })), /^414ed668/);
  assert.match(digest(read.plan({ path: 'hello.ail' })), /^ce4340a1/);
});

test('an edit has the plan published for it', () => {
  const plan = edit.plan({
    path: 'hello.ail',
    old_text: 'println("hello from ailang-run")',
    new_text: 'println("hello from pi")',
  });
  assert.match(digest(plan), /^fd356d64/);
});

const path = (p: string) =>
  `path "${p}" refused: it must be relative and non-empty, with no ".." segment and no leading "-"`;
const caps = (value: Json) => ({ path: 'a', caps: value });

const REFUSALS: readonly (readonly [Tool, JsonRecord, string])[] = [
  [read, {}, 'missing required argument "path"'],
  [read, { path: 1 }, 'argument "path" must be a string'],
  [read, { path: '' }, path('')],
  [read, { path: '/etc/hosts' }, path('/etc/hosts')],
  [read, { zz: 1, aa: 2 }, 'unknown argument "zz"; ailang-read admits only: path'],
  [read, JSON.parse('{"__proto__":1}'), 'unknown argument "__proto__"; ailang-read admits only: path'],
  [write, { path: '../x' }, 'missing required argument "content"'],
  [write, { path: '../x', content: '' }, path('../x')],
  [write, { path: 'a', old_text: 'b' }, 'unknown argument "old_text"; ailang-write admits only: path, content'],
  [edit, { path: '/a', old_text: 'b' }, 'missing required argument "new_text"'],
  [edit, { path: '/a', old_text: 'b', new_text: 'c' }, path('/a')],
  [edit, { path: 'a', old: '' }, 'unknown argument "old"; ailang-edit admits only: path, old_text, new_text'],
  [check, { path: 'a', limit: 1 }, 'unknown argument "limit"; ailang-check admits only: path'],
  [run, { path: '/a', args_json: 1 }, 'argument "args_json" must be a string'],
  [run, { path: '/a', args_json: '-' }, path('/a')],
  [run, { path: 'a', args_json: '-', stdin: 1 }, 'argument "args_json" must be a string holding JSON'],
  [run, { path: 'a', stdin: null }, 'argument "stdin" must be a string'],
  [run, { path: 'a', stdin: 'é'.repeat(32769) }, 'argument "stdin" is 65538 bytes; the limit is 65536'],
  [run, { path: 'a', stdin: 'x'.repeat(65537) }, 'argument "stdin" is 65537 bytes; the limit is 65536'],
  [run, { path: 'a', argv: 'x' }, 'argument "argv" must be an array of strings'],
  [run, { path: 'a', argv: Array(33).fill(1) }, 'argument "argv" has 33 items; the limit is 32'],
  [run, { path: 'a', argv: ['x', 1] }, 'argument "argv" must be an array of strings'],
  [run, { path: 'a', argv: ['a\0', 'x'.repeat(1025)] }, 'an argv item contains a NUL byte'],
  [run, { path: 'a', argv: [`\0${'x'.repeat(1024)}`] }, 'an argv item is 1025 bytes; the limit is 1024'],
  [run, caps('IO'), 'argument "caps" must be an array of capability names'],
  [run, caps(['Process']), 'unknown capability "Process"; caps admits only: Declassify, Env, FS, IO, Net'],
  [run, caps(['IO', 'IO', 'X']), 'capability "IO" is listed twice'],
  [run, caps([]), 'argument "caps" names no capability'],
  [run, caps(['Net', 'Env']), 'caps names both Env and Net; one run takes at most one of them'],
  [run, { path: 'a', env: 1 }, 'unknown argument "env"; ailang-run admits only: path, args_json, stdin, argv, caps'],
  [builtins, { limit: 1 }, 'unknown argument "limit"; builtins-search admits only: query, module'],
  [builtins, { query: 1 }, 'argument "query" must be a string'],
  [examples, {}, 'missing required argument "query"'],
  [examples, { query: 'a', limit: '5' }, 'unknown argument "limit"; examples-search admits only: query'],
  [cli, { flags: 1 }, 'missing required argument "op"'],
  [
    cli,
    { op: 'read', path: '/a' },
    'op "read" is not an ailang-cli op; reads, writes and edits have their own tools, and run is ailang-run',
  ],
  [cli, { op: 'check', path: '/a', module: 1 }, path('/a')],
  [cli, { op: 'iface', module: 1, query: 2 }, 'argument "module" must be a string'],
  [cli, { op: 'test', package: '-p', flags: 1 }, path('-p')],
  [cli, { op: 'fmt', path: 'a', flags: [] }, 'argument "flags" must be an object of string values'],
  [cli, { op: 'fmt', path: 'a', flags: { write: true } }, 'argument "flags" must be an object of string values'],
  [
    cli,
    { op: 'fmt', path: 'a', flags: { write: '' } },
    'op "fmt" flag "write" writes the worktree; ailang-cli never writes (fmt without it returns the formatted text; write it with ailang-write)',
  ],
];

for (const [tool, args, refused] of REFUSALS) {
  test(`${tool.descriptor.id} refuses ${JSON.stringify(args).slice(0, 60)}`, () => {
    assert.deepEqual(tool.plan(args), {
      effects: [],
      finish: false,
      plan: 'world/effect-plan/v1',
      result: { ok: false, refused },
    });
  });
}

const PAYLOADS: readonly (readonly [Tool, JsonRecord, string, JsonRecord])[] = [
  [write, { content: 'c', path: 'p' }, 'Workspace.Write', { op: 'write', path: 'p', content: 'c' }],
  [run, { path: 'p', argv: [] }, 'Ailang.Run', { path: 'p', argv: [] }],
  [
    run,
    { path: 'p', argv: Array(32).fill('x'.repeat(1024)) },
    'Ailang.Run',
    { path: 'p', argv: Array(32).fill('x'.repeat(1024)) },
  ],
  [run, { path: 'p', stdin: 'x'.repeat(65536) }, 'Ailang.Run', { path: 'p', stdin: 'x'.repeat(65536) }],
  [run, caps(['IO', 'FS']), 'Ailang.Run', caps(['FS', 'IO'])],
  [run, caps(['IO', 'Declassify']), 'Ailang.Run', caps(['Declassify', 'IO'])],
  [run, caps(['IO', 'Env']), 'Ailang.RunEnv', caps(['Env', 'IO'])],
  [run, caps(['Net', 'IO']), 'Ailang.RunNet', caps(['IO', 'Net'])],
  [builtins, { query: 'x', module: 'y' }, 'Ailang.Discover', { op: 'builtins_list' }],
  [examples, { query: 'x' }, 'Ailang.Discover', { op: 'examples_search', query: 'x' }],
  [
    cli,
    { op: 'iface', module: 'std/io', flags: { compact: '' } },
    'Ailang.CLI',
    { op: 'iface', module: 'std/io', flags: { compact: '' } },
  ],
  [cli, { op: 'check', flags: { write: '' } }, 'Ailang.CLI', { op: 'check', flags: { write: '' } }],
];

for (const [tool, args, effect, payload] of PAYLOADS) {
  test(`${tool.descriptor.id} asks for ${effect} with ${JSON.stringify(payload).slice(0, 50)}`, () => {
    const plan = tool.plan(args);
    assert.deepEqual(plan.effects, [{ id: 'e1', effect, scope: 'worktree', cost: 1, payload }]);
    assert.equal(plan.result, null);
  });
}

test('only check and builtins-search have a finish phase', () => {
  assert.deepEqual(
    ALL_TOOLS.filter((tool) => tool.finish !== undefined).map((tool) => tool.descriptor.id),
    ['ailang-check', 'builtins-search'],
  );
});

test('no plan throws, and every plan has an effect or a result, never both', () => {
  const args = fc.dictionary(
    fc.constantFrom(
      'path',
      'content',
      'old_text',
      'new_text',
      'args_json',
      'argv',
      'caps',
      'op',
      'flags',
      'query',
      'x',
    ),
    fc.oneof(fc.constantFrom<Json>('a', 'check', ['IO'], ['Env', 'Net']), fc.jsonValue() as fc.Arbitrary<Json>),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ALL_TOOLS), args, (tool, input) => {
      const plan = tool.plan(input);
      assert.equal(plan.effects.length === 0, plan.result !== null);
    }),
  );
});

test('the path rule refuses exactly empty, absolute, leading-hyphen and ..-segment paths', () => {
  for (const good of ['a', '..a/b', 'a/..b', 'a/-b', '.', 'a//b', '...']) assert.ok(isWorktreePath(good), good);
  const segment = fc.constantFrom('..', '.', '', 'a', '-', '..a', 'b..');
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
      const candidate = segments.join('/');
      const rule = /^$|^[/-]|^\.\.$|^\.\.\/|\/\.\.$|\/\.\.\//;
      assert.equal(isWorktreePath(candidate), !rule.test(candidate));
    }),
  );
});
