import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CallResult, connect, type Output } from './client.js';
import { HELLO, makeSandbox, startDaemon, worldd } from './world.js';

const PATH_RULE = 'it must be relative and non-empty, with no ".." segment and no leading "-"';
const BIG = 'x'.repeat(65537);

/** Every refusal that the tool reference lists for the plan, and those of its shared rules: tool, arguments, text. */
const PLAN_REFUSALS: readonly (readonly [tool: string, args: Output, refused: string])[] = [
  ...['ailang-read', 'ailang-check', 'ailang-run'].flatMap((tool) =>
    ['', '/etc/hosts', '../up.ail', 'a/../../b', '..', 'a/..', '-flag'].map(
      (path) => [tool, { path }, `path "${path}" refused: ${PATH_RULE}`] as const,
    ),
  ),
  ['ailang-write', { path: '../x', content: '' }, `path "../x" refused: ${PATH_RULE}`],
  ['ailang-edit', { path: '/x', old_text: 'a', new_text: 'b' }, `path "/x" refused: ${PATH_RULE}`],
  ['ailang-cli', { op: 'check', path: '../x' }, `path "../x" refused: ${PATH_RULE}`],
  ['ailang-cli', { op: 'test', package: '/pkg' }, `path "/pkg" refused: ${PATH_RULE}`],
  ['ailang-read', {}, 'missing required argument "path"'],
  ['ailang-read', { path: 7 }, 'argument "path" must be a string'],
  ['ailang-read', { path: 'a', limit: 1 }, 'unknown argument "limit"; ailang-read admits only: path'],
  ['ailang-write', { path: 'a' }, 'missing required argument "content"'],
  [
    'ailang-write',
    { path: 'a', old_text: 'b', content: 'c' },
    'unknown argument "old_text"; ailang-write admits only: path, content',
  ],
  ['ailang-edit', { path: 'a', old_text: 'b' }, 'missing required argument "new_text"'],
  [
    'ailang-edit',
    { path: 'a', old: 'b', new_text: 'c' },
    'unknown argument "old"; ailang-edit admits only: path, old_text, new_text',
  ],
  ['ailang-check', { path: 'hello.ail', limit: 3 }, 'unknown argument "limit"; ailang-check admits only: path'],
  ['ailang-run', { path: 'hello.ail', args_json: '{' }, 'argument "args_json" must be a string holding JSON'],
  ['ailang-run', { path: 'hello.ail', args_json: 1 }, 'argument "args_json" must be a string'],
  ['ailang-run', { path: 'hello.ail', stdin: BIG }, 'argument "stdin" is 65537 bytes; the limit is 65536'],
  ['ailang-run', { path: 'hello.ail', argv: Array(33).fill('a') }, 'argument "argv" has 33 items; the limit is 32'],
  ['ailang-run', { path: 'hello.ail', argv: ['é'.repeat(513)] }, 'an argv item is 1026 bytes; the limit is 1024'],
  ['ailang-run', { path: 'hello.ail', argv: ['x'.repeat(1025)] }, 'an argv item is 1025 bytes; the limit is 1024'],
  ['ailang-run', { path: 'hello.ail', argv: ['a\0b'] }, 'an argv item contains a NUL byte'],
  ['ailang-run', { path: 'hello.ail', argv: 'a' }, 'argument "argv" must be an array of strings'],
  [
    'ailang-run',
    { path: 'hello.ail', caps: ['Process'] },
    'unknown capability "Process"; caps admits only: Declassify, Env, FS, IO, Net',
  ],
  ['ailang-run', { path: 'hello.ail', caps: ['IO', 'IO'] }, 'capability "IO" is listed twice'],
  ['ailang-run', { path: 'hello.ail', caps: [] }, 'argument "caps" names no capability'],
  ['ailang-run', { path: 'hello.ail', caps: 'IO' }, 'argument "caps" must be an array of capability names'],
  [
    'ailang-run',
    { path: 'hello.ail', caps: ['Env', 'Net'] },
    'caps names both Env and Net; one run takes at most one of them',
  ],
  [
    'ailang-run',
    { path: 'hello.ail', env: {} },
    'unknown argument "env"; ailang-run admits only: path, args_json, stdin, argv, caps',
  ],
  ['builtins-search', { limit: 3 }, 'unknown argument "limit"; builtins-search admits only: query, module'],
  ['builtins-search', { query: 3 }, 'argument "query" must be a string'],
  ['examples-search', {}, 'missing required argument "query"'],
  ['examples-search', { query: 'x', limit: 3 }, 'unknown argument "limit"; examples-search admits only: query'],
  [
    'ailang-cli',
    { op: 'read', path: 'hello.ail' },
    'op "read" is not an ailang-cli op; reads, writes and edits have their own tools, and run is ailang-run',
  ],
  [
    'ailang-cli',
    { op: 'fmt', path: 'hello.ail', flags: { write: '' } },
    'op "fmt" flag "write" writes the worktree; ailang-cli never writes (fmt without it returns the formatted text; write it with ailang-write)',
  ],
  ['ailang-cli', { op: 'check', flags: { json: 1 } }, 'argument "flags" must be an object of string values'],
  ['ailang-cli', {}, 'missing required argument "op"'],
];

test('an agent works through all eight tools over MCP, and meets every refusal of the reference', async (t) => {
  const sandbox = makeSandbox(t, { files: { 'hello.ail': HELLO, 'data.txt': 'hello from ep1\n' } });
  const daemon = await startDaemon(t, sandbox, { args: ['--budget', '200'] });
  const world = await connect(t, daemon);
  const at = (name: string): string => join(daemon.worktree, name);

  /** A call whose effect ran. */
  const effect = async (tool: string, args: Output, status = 'ok'): Promise<Output> => {
    const { output, world: block } = await world.call(tool, args);
    assert.deepEqual(
      block.effects.map(({ id, status }) => ({ id, status })),
      [{ id: 'e1', status }],
      `${tool} ${JSON.stringify(args)}: ${JSON.stringify(output)}`,
    );
    return output;
  };
  const refusedByHandler = async (tool: string, args: Output): Promise<string> => {
    const output = await effect(tool, args);
    assert.equal(output.ok, false);
    return String(output.refused);
  };

  await t.test('tools/list shows the eight tools with annotations and open output schemas', async () => {
    const { tools } = await world.client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      [
        'ailang-check',
        'ailang-cli',
        'ailang-edit',
        'ailang-read',
        'ailang-run',
        'ailang-write',
        'builtins-search',
        'examples-search',
      ],
    );
    for (const tool of tools) {
      assert.equal(tool.inputSchema.additionalProperties, false, tool.name);
      assert.equal(tool.outputSchema?.type, 'object', tool.name);
      assert.notEqual(tool.outputSchema?.additionalProperties, false, tool.name);
      assert.equal(tool.annotations?.destructiveHint, false, tool.name);
      assert.equal(tool.annotations?.openWorldHint, false, tool.name);
    }
  });

  await t.test('the plan refuses with the exact texts, zero effects, and still commits', async () => {
    for (const [tool, args, refused] of PLAN_REFUSALS) {
      const { output, world: block, meta } = await world.call(tool, args);
      assert.deepEqual({ ...output, world: null }, { ok: false, refused, world: null }, `${tool}`);
      assert.deepEqual(block.effects, []);
      assert.match(block.plan, /^sha256:[0-9a-f]{64}$/);
      assert.ok(JSON.stringify(meta).includes('sha256:'), 'the entry hash is in _meta');
    }
  });

  await t.test('ailang-read', async () => {
    const output = await effect('ailang-read', { path: 'data.txt' });
    assert.equal(output.ok, true);
    assert.equal(output.content, 'hello from ep1\n');
    assert.match(String(output.tool), /^sha256:[0-9a-f]{64}$/);
    assert.match(String(output.policy_digest), /^[0-9a-f]{64}$/);
    assert.equal(
      await refusedByHandler('ailang-read', { path: 'nope.ail' }),
      'read nope.ail: openat nope.ail: no such file or directory',
    );
    symlinkSync('/etc/hosts', at('out'));
    assert.ok(
      (await refusedByHandler('ailang-read', { path: 'out' })).startsWith(
        `read out: path "out" escapes sandbox "${daemon.worktree}"`,
      ),
    );
  });

  await t.test('ailang-write', async () => {
    const output = await effect('ailang-write', { path: 'todo.txt', content: 'first line\n' });
    assert.equal(output.ok, true);
    assert.equal(readFileSync(at('todo.txt'), 'utf8'), 'first line\n');
    assert.equal(
      await refusedByHandler('ailang-write', { path: '.git/config', content: '' }),
      "write .git/config: .git/ is read-only to the lane's tools",
    );
    for (const path of [
      '.GIT/config',
      'vendor/x/.git/hooks/pre-commit',
      '.git',
      '.g\u200cit/config',
      'a/git~1/x',
      '.git.',
    ])
      assert.equal(
        await refusedByHandler('ailang-write', { path, content: '' }),
        `write ${path}: .git/ is read-only to the lane's tools`,
      );
    for (const [path, why] of [
      ['a\0b', 'invalid argument'],
      ['x'.repeat(256), 'file name too long'],
    ] as const)
      assert.equal(
        await refusedByHandler('ailang-write', { path, content: '' }),
        `write ${path}: openat ${path}: ${why}`,
      );
    for (const [path, pattern] of [
      ['.ailang/x.ail', '.ailang/**'],
      ['.CLAUDE/settings.json', '.claude/**'],
      ['.github/workflows/x.yml', '.github/**'],
      ['.pi/x', '.pi/**'],
      ['.gitmodule\u017f', '.gitmodules'],
      ['.gitattributes', '.gitattributes'],
    ] as const)
      assert.equal(
        await refusedByHandler('ailang-write', { path, content: '' }),
        `write ${path}: matches fs_deny_write "${pattern}" — read-only under this policy`,
      );
  });

  await t.test('ailang-edit', async () => {
    await effect('ailang-write', { path: 'crlf.txt', content: 'one\r\ntwo\r\none\r\n' });
    assert.equal(
      await refusedByHandler('ailang-edit', { path: 'crlf.txt', old_text: 'one', new_text: '1' }),
      'edit crlf.txt: old_text occurs 2 times; include more context so it is unique',
    );
    assert.equal(
      await refusedByHandler('ailang-edit', { path: 'crlf.txt', old_text: 'three', new_text: '3' }),
      'edit crlf.txt: old_text not found — the file may have changed; read it again',
    );
    const output = await effect('ailang-edit', { path: 'crlf.txt', old_text: 'two', new_text: '$& and $1' });
    assert.equal(output.ok, true);
    assert.equal(readFileSync(at('crlf.txt'), 'utf8'), 'one\r\n$& and $1\r\none\r\n');
    await effect('ailang-edit', {
      path: 'hello.ail',
      old_text: 'println("hello from ailang-run")',
      new_text: 'println("hello from pi")',
    });
  });

  await t.test('ailang-check', async () => {
    const good = await effect('ailang-check', { path: 'hello.ail' });
    assert.deepEqual({ ...good, world: null }, { ok: true, passed: true, error_count: 0, errors: [], world: null });
    await effect('ailang-write', {
      path: 'broken.ail',
      content: 'module broken\n\nexport func main() -> int {\n  "no number"\n}\n',
    });
    const bad = await effect('ailang-check', { path: 'broken.ail' });
    assert.equal(bad.ok, true);
    assert.equal(bad.passed, false);
    const errors = bad.errors as { code: string; message: string; file: string }[];
    assert.equal(bad.error_count, errors.length);
    assert.deepEqual(Object.keys(errors[0] ?? {}).sort(), ['code', 'file', 'message']);
    assert.match(errors[0]?.message ?? '', /broken\.ail:4:\d+: .*\nHint: Write stringToInt/);
  });

  await t.test('ailang-run', async () => {
    const a = await effect('ailang-run', { path: 'hello.ail' });
    assert.equal(a.admitted, true);
    assert.equal(a.exit_code, 0);
    assert.equal(a.limit, null);
    assert.equal(a.stdout, 'hello from pi\n');
    assert.deepEqual(a.decision, {
      allowed_caps: ['FS', 'IO'],
      declared_effects: ['IO'],
      function: 'main',
      ok: true,
    });
    const policy = a.policy as Output;
    assert.deepEqual([...(policy.caps as string[])].sort(), ['FS', 'IO']);
    assert.equal(policy.security_mode, 'restricted');
    assert.deepEqual(policy.net_allow, []);
    assert.match(String(a.stderr), /^policy: \{.*\}\n$/);

    await effect('ailang-write', {
      path: 'escape.ail',
      content:
        'module escape\nimport std/fs (readFile)\nexport func main() -> () ! {IO, FS} = println(readFile("/etc/hosts"))\n',
    });
    const b = await effect('ailang-run', { path: 'escape.ail' });
    assert.equal(b.admitted, true);
    assert.equal(b.exit_code, 1);
    assert.match(String(b.stderr), /readFile: path "\/etc\/hosts" escapes sandbox/);

    await effect('ailang-write', {
      path: 'net.ail',
      content:
        'module net\nimport std/net (httpGet)\nexport func main() -> () ! {IO, Net} = println(httpGet("http://127.0.0.1:1/"))\n',
    });
    const c = await effect('ailang-run', { path: 'net.ail' });
    assert.equal(c.admitted, false);
    assert.equal((c.decision as Output).error_kind, 'policy_violation');
    assert.deepEqual((c.decision as Output).missing_from_policy, ['Net']);
    const missing = await effect('ailang-run', { path: 'nope.ail' });
    assert.equal(missing.admitted, false);
    assert.equal((missing.decision as Output).error_kind, 'read_failed');

    await effect('ailang-write', {
      path: 'forever.ail',
      content: 'module forever\nfunc loop(n: int) -> int = loop(n + 1)\nexport func main() -> int = loop(0)\n',
    });
    const d = await effect('ailang-run', { path: 'forever.ail' });
    assert.equal(d.exit_code, 3);
    assert.equal((d.limit as Output).reason, 'timeout');
    assert.equal((d.limit as Output).stage, 'execute');

    const ioOnly = await effect('ailang-run', { path: 'hello.ail', caps: ['IO'] });
    assert.equal(ioOnly.stdout, 'hello from pi\n');
    await effect('ailang-write', {
      path: 'uses_fs.ail',
      content:
        'module uses_fs\nimport std/fs (fileExists)\nexport func main() -> () ! {IO, FS} = println(show(fileExists("hello.ail")))\n',
    });
    const noBudget = await effect('ailang-run', { path: 'uses_fs.ail', caps: ['IO'] });
    assert.equal(noBudget.exit_code, 1);
    assert.match(String(noBudget.stderr), /E_BUDGET_OPERATOR/);

    const declassify = await effect('ailang-run', { path: 'hello.ail', caps: ['Declassify'] }, 'failed');
    assert.match(JSON.stringify(declassify), /capability \\"Declassify\\" is not enabled by the operator/);
  });

  await t.test('ailang-run with Env or Net needs its own grant', async () => {
    for (const [cap, name] of [
      ['Env', 'Ailang.RunEnv'],
      ['Net', 'Ailang.RunNet'],
    ] as const) {
      const output = await effect('ailang-run', { path: 'hello.ail', caps: [cap] }, 'denied');
      assert.match(JSON.stringify(output), /denied:effect-name/, name);
    }
  });

  await t.test('builtins-search', async () => {
    const { count, matches } = (await effect('builtins-search', { query: 'println' })) as {
      count: number;
      matches: Output[];
    };
    assert.equal(count, matches.length);
    assert.ok(count >= 1 && count <= 10);
    assert.deepEqual(Object.keys(matches[0] ?? {}).sort(), ['effect', 'module', 'name']);
    const all = await effect('builtins-search', {});
    assert.ok(Number(all.count) > 100);
    const inModule = (await effect('builtins-search', { module: 'STD/FS' })) as { matches: { module: string }[] };
    assert.ok(inModule.matches.length > 5);
    assert.ok(inModule.matches.every((match) => match.module === 'std/fs'));
  });

  await t.test('examples-search', async () => {
    const output = await effect('examples-search', { query: 'fold' });
    assert.equal(output.ok, true);
    assert.equal(output.exit_code, 0);
    assert.deepEqual(output.argv, ['examples', 'search', 'fold']);
    assert.match(String(output.stdout), /Found \d+ examples/);
  });

  await t.test('ailang-cli', async () => {
    const check = await effect('ailang-cli', { op: 'check', path: 'hello.ail', flags: { json: '' } });
    assert.equal(check.ok, true);
    assert.deepEqual(check.argv, ['check', '--json', 'hello.ail']);
    assert.equal(JSON.parse(String(check.stdout)).passed, true);
    const iface = await effect('ailang-cli', { op: 'iface', module: 'std/io', flags: { compact: '' } });
    assert.equal(iface.ok, true);
    assert.match(String(iface.stdout), /println : \(string\)->\(\)!\{IO\}/);
    assert.match(String((await effect('ailang-cli', { op: 'version' })).stdout), /^AILANG v0\.52\.1/);
    assert.equal((await effect('ailang-cli', { op: 'docs_search', query: 'effects' })).ok, true);
    assert.equal(
      await refusedByHandler('ailang-cli', { op: 'check', path: 'hello.ail', flags: { zz: '' } }),
      'op check does not admit flag --zz (admitted: --json --quiet --strict-syntax)',
    );
    for (const op of [
      'agent_prompt',
      'axioms',
      'builtins_list',
      'devtools_prompt',
      'examples_list',
      'examples_tags',
      'prompt',
      'tree',
      'test',
    ]) {
      const output = await effect('ailang-cli', { op });
      assert.equal(typeof output.ok, 'boolean', op);
      if (output.ok === false) assert.ok(`${output.refused ?? ''}${output.stderr ?? ''}${output.stdout}` !== '', op);
    }
  });

  await t.test('the log says the same as the answers, and git alone can check it', async () => {
    const last: CallResult = await world.call('ailang-read', { path: 'data.txt' });
    const head = await worldd(sandbox, ['--addr', daemon.address, 'head']);
    assert.equal(head.code, 0, head.stderr);
    const why = await worldd(sandbox, ['why', 'head']);
    assert.equal(why.code, 0, why.stdout + why.stderr);
    assert.match(why.stdout, /all \d+ link\(s\) verified/);
    const output = sandbox.git('show', 'refs/world/log:output.json');
    assert.equal(output, last.text);
    const digest = createHash('sha256').update(output).digest('hex');
    assert.match(sandbox.git('show', 'refs/world/log:world.json'), new RegExp(`"stateRoot":"sha256:${digest}"`));
    sandbox.git('fsck', '--strict');
  });

  assert.equal(await daemon.stop(), 0);
});

test('without a corpus examples-search refuses and says what the operator can do', async (t) => {
  const daemon = await startDaemon(t, makeSandbox(t), { args: ['--no-examples'] });
  const world = await connect(t, daemon);
  const { output, world: block } = await world.call('examples-search', { query: 'fold' });
  assert.equal(block.effects[0]?.status, 'ok');
  assert.equal(output.ok, false);
  assert.equal(
    output.refused,
    'no examples corpus configured: start ailang-worldd serve with --examples-dir DIR (an AILANG examples corpus: manifest.json plus runnable/; `ailang examples download` makes one at ~/.ailang/examples)',
  );
  assert.equal(await daemon.stop(), 0);
});
