import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { loadPolicy } from '../../../src/ailang/policy/policy-file.js';
import { type CommandOutcome, policyTool } from '../../../src/ailang/policy/policy-tool.js';
import { restrictedPolicy, sandbox } from './scratch.js';

const quiet: CommandOutcome = { stdout: '', stderr: '', exitCode: 0 };

function setUp(
  t: TestContext,
  files: Readonly<Record<string, string | Buffer>> = {},
  policyText?: (root: string) => string,
) {
  const made = sandbox(t, files, policyText);
  const policy = loadPolicy(made.policyFile);
  const calls: { argv: readonly string[]; root: string | null }[] = [];
  const ask = (request: unknown, outcome: CommandOutcome = quiet) =>
    policyTool(policy, request, (argv, root) => {
      calls.push({ argv, root });
      return outcome;
    });
  const bytes = (path: string) => readFileSync(join(made.root, path));
  return { ...made, ask, calls, bytes };
}
const refusal = (refused: string) => ({ ok: false, refused });

test('summary reports the policy', async (t) => {
  const { ask, root, policyFile } = setUp(t);
  const { ok, summary } = await ask({ op: 'summary' });
  assert.equal(ok, true);
  const cli =
    'agent_prompt ai_check axioms builtins_list builtins_show check devtools_prompt docs_search examples_list examples_search examples_show examples_tags fmt iface pkg_docs policy_check prompt test tree version'.split(
      ' ',
    );
  assert.deepEqual(summary, {
    security_mode: 'restricted',
    policy_digest: createHash('sha256').update(readFileSync(policyFile)).digest('hex'),
    fs_sandbox: root,
    caps: ['FS', 'IO'],
    net_allow: [],
    process_allow: [],
    cli,
    ops: [...cli, 'edit', 'read', 'summary', 'write'].sort(),
    timeout_ms: 8000,
  });
});

describe('read', () => {
  test('content, empty content, invalid UTF-8', async (t) => {
    const { ask } = setUp(t, {
      f: 'text\r\n',
      empty: '',
      bad: Buffer.from([0x61, 0xe2, 0x82, 0x62, 0xff, 0xef, 0xbb, 0xbf]),
    });
    assert.deepEqual(await ask({ op: 'read', path: 'f' }), { ok: true, content: 'text\r\n' });
    assert.deepEqual(await ask({ op: 'read', path: 'empty' }), { ok: true });
    assert.deepEqual(await ask({ op: 'read', path: 'bad' }), { ok: true, content: 'a\ufffd\ufffdb\ufffd\ufeff' });
  });
  test('refusals', async (t) => {
    const { ask, root } = setUp(t, { big: 'x'.repeat(11) }, (at) => restrictedPolicy(at, 'max_fs_transfer_bytes = 10'));
    assert.deepEqual(await ask({ op: 'read' }), refusal('read: path is required'));
    assert.deepEqual(
      await ask({ op: 'read', path: '/etc/hosts' }),
      refusal(`read /etc/hosts: path "/etc/hosts" escapes sandbox "${root}"`),
    );
    assert.deepEqual(
      await ask({ op: 'read', path: 'nope.ail' }),
      refusal('read nope.ail: openat nope.ail: no such file or directory'),
    );
    assert.deepEqual(
      await ask({ op: 'read', path: 'big' }),
      refusal('read big: file exceeds the 10-byte transfer cap'),
    );
  });
  test('a policy without FS grants no file tools', async (t) => {
    const { ask } = setUp(t, {}, () => 'allowed_caps = ["IO"]');
    for (const op of ['read', 'write', 'edit'])
      assert.match(
        (await ask({ op, path: 'x' })).refused ?? '',
        /^the policy admits no FS: file tools are not granted \(/,
      );
  });
  test('a sandbox that is gone is named', async (t) => {
    const { ask, root } = setUp(t);
    rmSync(root, { recursive: true });
    assert.match((await ask({ op: 'read', path: 'x' })).refused ?? '', /^policy-tool: fileguard: open sandbox root /);
  });
});

describe('write', () => {
  test('creates, overwrites, empties', async (t) => {
    const { ask, bytes } = setUp(t);
    assert.deepEqual(await ask({ op: 'write', path: 'a', content: 'one\n' }), { ok: true });
    assert.equal(bytes('a').toString(), 'one\n');
    assert.deepEqual(await ask({ op: 'write', path: 'a', content: '' }), { ok: true });
    assert.equal(bytes('a').length, 0);
  });
  for (const [path, text] of [
    ['', 'write: path is required'],
    ['.git/config', "write .git/config: .git/ is read-only to the lane's tools"],
    ['a/.GIT/x', "write a/.GIT/x: .git/ is read-only to the lane's tools"],
    ['s/config', "write s/config: .git/ is read-only to the lane's tools"],
    ['.ailang/x.ail', 'write .ailang/x.ail: matches fs_deny_write ".ailang/**" — read-only under this policy'],
    ['.gitmodule\u017f', 'write .gitmodule\u017f: matches fs_deny_write ".gitmodules" — read-only under this policy'],
    ['no/such/dir', 'write no/such/dir: openat no/such/dir: no such file or directory'],
    ['big', 'write big: content exceeds the 20-byte transfer cap'],
  ] as const)
    test(`refused: ${path || 'no path'}`, async (t) => {
      const { ask, root } = setUp(t, { '.git/config': '' }, (at) => restrictedPolicy(at, 'max_fs_transfer_bytes = 20'));
      symlinkSync('.git', join(root, 's'));
      const content = path === 'big' ? 'x'.repeat(21) : 'x';
      assert.deepEqual(await ask({ op: 'write', path, content }), refusal(text));
    });
  test('.git is protected from the tools under trusted_host too', async (t) => {
    const { ask } = setUp(
      t,
      {},
      (root) => `security_mode = "trusted_host"\nallowed_caps = ["FS"]\nfs_sandbox = "${root}"`,
    );
    assert.match((await ask({ op: 'write', path: '.git/x', content: '' })).refused ?? '', /\.git\/ is read-only/);
  });
});

describe('edit', () => {
  for (const [name, before, old, next, after] of [
    ['CRLF and mixed line ends', 'a\r\nb\nc\r\n', 'b', 'B', 'a\r\nB\nc\r\n'],
    ['a byte order mark and no final newline', '\ufeffx = 1', '1', '2', '\ufeffx = 2'],
    ['dollar signs in the new text', 'one', 'one', "$& $1 $$ $' $`", "$& $1 $$ $' $`"],
    ['deleting', 'keep drop', ' drop', '', 'keep'],
    ['text of more than one byte', 'été', 'té', 'tà', 'étà'],
  ] as const)
    test(`keeps the rest: ${name}`, async (t) => {
      const { ask, bytes } = setUp(t, { f: before });
      assert.deepEqual(await ask({ op: 'edit', path: 'f', old_text: old, new_text: next }), { ok: true });
      assert.deepEqual(bytes('f'), Buffer.from(after));
    });
  test('keeps bytes that are no UTF-8', async (t) => {
    const { ask, bytes } = setUp(t, { f: Buffer.from([0xff, 0x61, 0xfe]) });
    assert.deepEqual(await ask({ op: 'edit', path: 'f', old_text: 'a', new_text: 'b' }), { ok: true });
    assert.deepEqual(bytes('f'), Buffer.from([0xff, 0x62, 0xfe]));
  });
  for (const [path, old, text] of [
    ['', 'x', 'edit: path is required'],
    ['f', '', 'edit f: old_text is required (use write to create a file)'],
    ['.git/config', 'x', "edit .git/config: .git/ is read-only to the lane's tools"],
    ['.github/x', 'x', 'edit .github/x: matches fs_deny_write ".github/**" — read-only under this policy'],
    ['s/config', 'c', "edit s/config: .git/ is read-only to the lane's tools"],
    ['none', 'x', 'read none: openat none: no such file or directory'],
    ['f', 'zz', 'edit f: old_text not found — the file may have changed; read it again'],
    ['f', 'aa', 'edit f: old_text occurs 2 times; include more context so it is unique'],
  ] as const)
    test(`refused: ${text}`, async (t) => {
      const { ask, root, bytes } = setUp(t, { f: 'aaaa a', '.git/config': 'c' });
      symlinkSync('.git', join(root, 's'));
      assert.deepEqual(await ask({ op: 'edit', path, old_text: old, new_text: 'n' }), refusal(text));
      assert.equal(bytes('f').toString(), 'aaaa a');
    });
});

describe('requests are strict', () => {
  const spelled = '(keys are exact and case-sensitive: flags, content, module, …)';
  for (const [request, text] of [
    ['[]', 'request is not a JSON object: it is an array'],
    ['{"op":"read"} x', 'request has data after the JSON object'],
    ['{"op":"read"}{}', 'request has data after the JSON object'],
    ['{"OP":"read"}', `unknown request key "OP" ${spelled}`],
    ['{"__proto__":"x"}', `unknown request key "__proto__" ${spelled}`],
    ['{"op":"read","op":"write"}', 'request key "op" appears more than once'],
    ['{"op":"read","\\u006fp":"write"}', 'request key "op" appears more than once'],
    ['{"op":"check","flags":{"json":"","json":"true"}}', 'flag "json" appears more than once'],
    ['{"op":1}', 'request key "op": value must be a string: it is a number'],
    ['{"op":"read","path":null}', 'request key "path": value must be a string: it is null'],
    ['{"op":"check","flags":{"json":true}}', 'flag "json": value must be a string: it is a boolean'],
    ['{"op":"check","flags":[]}', 'request key "flags": value must be an object: it is an array'],
  ] as const)
    test(request, async (t) => assert.deepEqual(await setUp(t).ask(request), refusal(text)));
  test('no JSON at all', async (t) =>
    assert.match((await setUp(t).ask('{"op":')).refused ?? '', /^request is not a JSON object: /));
  test('the same text in a value is no repeated key', async (t) => {
    const { ask, bytes } = setUp(t);
    const content = '{"op":1,"op":2}: "flags":{}';
    assert.deepEqual(await ask(JSON.stringify({ op: 'write', path: 'f', content, flags: {} })), { ok: true });
    assert.equal(bytes('f').toString(), content);
  });
  test('an unknown op lists the known ones', async (t) => {
    const { refused = '' } = await setUp(t).ask({ op: 'run' });
    assert.match(refused, /^unknown op "run" \(ops: agent_prompt, ai_check, .*, edit, .*, read, summary, .*, write\)$/);
  });
  for (const op of ['__proto__', 'constructor', 'toString'])
    test(`op ${op} is unknown`, async (t) => assert.match((await setUp(t).ask({ op })).refused ?? '', /^unknown op /));
});

describe('command operations', () => {
  const files = { 'a.ail': '', 'd/b.ail': '', '-x.ail': '' };
  for (const [request, argv] of [
    [{ op: 'check', path: 'a.ail', flags: { quiet: 'true', json: '' } }, ['check', '--json', '--quiet', 'a.ail']],
    [{ op: 'check', path: './d//b.ail' }, ['check', 'd/b.ail']],
    [{ op: 'ai_check', path: 'a.ail', flags: { timeout: '5s' } }, ['ai-check', '--timeout', '5s', 'a.ail']],
    [{ op: 'iface', module: 'std/io', flags: { compact: '' } }, ['iface', '--compact', 'std/io']],
    [{ op: 'docs_search', query: 'a b', flags: { limit: '5' } }, ['docs', 'search', '--limit', '5', 'a b']],
    [{ op: 'builtins_show', module: '_str_len' }, ['builtins', 'show', '_str_len']],
    [{ op: 'examples_list', flags: { tags: 'recursion' } }, ['examples', 'list', '--tags', 'recursion']],
    [{ op: 'test', package: 'd', flags: { json: '' } }, ['test', '--json', '--package', 'd']],
    [{ op: 'fmt', path: 'a.ail', flags: { check: '' } }, ['fmt', '--check', 'a.ail']],
    [{ op: 'tree' }, ['tree']],
  ] as const)
    test(`argv: ${argv.join(' ')}`, async (t) => {
      const { ask, calls } = setUp(t, files);
      assert.deepEqual(await ask(request), { ok: true, argv });
      assert.deepEqual(calls[0]?.argv, argv);
    });
  test('policy_check gets the policy, path operations the root', async (t) => {
    const { ask, calls, policyFile, root } = setUp(t, files);
    await ask({ op: 'policy_check', path: 'a.ail' });
    await ask({ op: 'version' });
    assert.deepEqual(calls, [
      { argv: ['policy-check', '--policy', policyFile, 'a.ail'], root },
      { argv: ['version'], root: null },
    ]);
  });
  for (const [request, text] of [
    [
      { op: 'check', path: 'a.ail', flags: { zz: '' } },
      'op check does not admit flag --zz (admitted: --json --quiet --strict-syntax)',
    ],
    [{ op: 'version', flags: { json: '' } }, 'op version does not admit flag --json (admitted: none)'],
    [{ op: 'version', flags: { constructor: '' } }, 'op version does not admit flag --constructor (admitted: none)'],
    [
      { op: 'check', path: 'a.ail', flags: { json: '1' } },
      'flag --json is boolean: pass "" or "true" to set it, omit it to leave it off (got "1")',
    ],
    [{ op: 'examples_list', flags: { tags: 'a,b' } }, 'flag --tags: "a,b" is not a simple token'],
    [{ op: 'builtins_list', flags: { module: '../x' } }, 'flag --module: module "../x" is not a module path'],
    [{ op: 'check' }, 'op check requires path'],
    [{ op: 'iface' }, 'op iface requires module'],
    [{ op: 'docs_search' }, 'op docs_search requires query'],
    [{ op: 'version', path: 'a.ail' }, 'op version does not take path'],
    [{ op: 'check', path: 'a.ail', package: 'd' }, 'op check does not take package'],
    [{ op: 'check', path: '-x.ail' }, '"-x.ail" looks like a flag; flags go in the flags field'],
    [{ op: 'check', path: './-x.ail' }, '"-x.ail" looks like a flag; flags go in the flags field'],
    [{ op: 'iface', module: '--compact' }, '"--compact" looks like a flag; flags go in the flags field'],
    [{ op: 'iface', module: 'a b' }, 'module "a b" is not a module path'],
    [{ op: 'builtins_show', module: 'a/b' }, '"a/b" is not a simple token'],
    [{ op: 'docs_search', query: 'a\nb' }, 'query is malformed'],
    [{ op: 'docs_search', query: 'x'.repeat(4097) }, 'query is malformed'],
    [{ op: 'check', path: '../x.ail' }, 'path "../x.ail" leaves the sandbox'],
    [{ op: 'check', path: 'd/../../x.ail' }, 'path "d/../../x.ail" leaves the sandbox'],
    [{ op: 'check', path: 'd/../a.ail' }, 'path "d/../a.ail" leaves the sandbox'],
    [{ op: 'check', path: 'none.ail' }, 'path "none.ail": statat none.ail: no such file or directory'],
    [
      { op: 'check', path: 'link.ail' },
      'path "link.ail" is a symlink; CLI operations take real files inside the sandbox',
    ],
    [
      { op: 'fmt', path: '.github/x.ail', flags: { write: '' } },
      'fmt .github/x.ail: matches fs_deny_write ".github/**" — read-only under this policy',
    ],
  ] as const)
    test(`refused: ${text.slice(0, 80)}`, async (t) => {
      const { ask, root, calls } = setUp(t, { ...files, '.github/x.ail': '' });
      symlinkSync('a.ail', join(root, 'link.ail'));
      assert.deepEqual(await ask(request), refusal(text));
      assert.deepEqual(calls, []);
    });
  test('an absolute path outside and a link out escape', async (t) => {
    const { ask, root } = setUp(t);
    symlinkSync('../secret.txt', join(root, 'out.ail'));
    assert.deepEqual(
      await ask({ op: 'check', path: '/etc/hosts' }),
      refusal(`path "/etc/hosts" escapes sandbox "${root}"`),
    );
    assert.match((await ask({ op: 'check', path: 'out.ail' })).refused ?? '', /^path "out.ail" escapes sandbox /);
  });
  test('cli_allow speaks of commands', async (t) => {
    const { ask } = setUp(t, files, (root) => restrictedPolicy(root, 'cli_allow = ["docs:search", "examples"]'));
    assert.deepEqual(
      await ask({ op: 'version' }),
      refusal("op version is not in the policy's cli_allow (docs:search, examples)"),
    );
    assert.equal((await ask({ op: 'docs_search', query: 'x' })).ok, true);
    assert.equal((await ask({ op: 'examples_tags' })).ok, true);
  });
  test('an empty cli_allow refuses everything and is null in the summary', async (t) => {
    const { ask } = setUp(t, files, (root) => restrictedPolicy(root, 'cli_allow = []'));
    assert.equal((await ask({ op: 'summary' })).summary?.cli, null);
    assert.equal((await ask({ op: 'version' })).ok, false);
  });
  test('without FS there are no paths and no root', async (t) => {
    const { ask } = setUp(t, {}, () => 'allowed_caps = ["IO"]');
    assert.deepEqual(await ask({ op: 'check', path: 'a.ail' }), refusal('path "a.ail": the policy admits no FS'));
    assert.deepEqual(await ask({ op: 'tree' }), refusal('op tree needs the sandbox root, and the policy admits no FS'));
    assert.equal((await ask({ op: 'version' })).ok, true);
  });
  test('a command that fails is no refusal', async (t) => {
    const { ask } = setUp(t, files);
    const outcome = { stdout: 'out', stderr: 'err', exitCode: 3 };
    assert.deepEqual(await ask({ op: 'check', path: 'a.ail' }, outcome), {
      ok: false,
      argv: ['check', 'a.ail'],
      exit_code: 3,
      stdout: 'out',
      stderr: 'err',
    });
  });
  test('output over the cap is marked, standard output first, never inside a character', async (t) => {
    const { ask } = setUp(t, files, (root) => restrictedPolicy(root, 'max_output_bytes = 5'));
    const outcome = { stdout: 'abé', stderr: 'xyz', exitCode: 0 };
    const marker = "\n…[truncated: 7 bytes total, over the policy's max_output_bytes (5)]";
    const reply = await ask({ op: 'version' }, outcome);
    assert.equal(reply.ok, true);
    assert.equal(reply.stdout, 'abé');
    assert.equal(reply.stderr, `x${marker}`);
    const cut = await ask({ op: 'version' }, { stdout: 'abcdé', stderr: '', exitCode: 0 });
    assert.match(cut.stdout ?? '', /^abcd\n…\[truncated: 6 bytes/);
  });
  test('JSON output over the cap is refused, with what was run', async (t) => {
    const { ask } = setUp(t, files, (root) => restrictedPolicy(root, 'max_output_bytes = 5'));
    const reply = await ask(
      { op: 'check', path: 'a.ail', flags: { json: '' } },
      { stdout: '123456', stderr: '', exitCode: 1 },
    );
    assert.match(
      reply.refused ?? '',
      /^op check produced 6 bytes of --json output, over the policy's max_output_bytes \(5\); /,
    );
    assert.deepEqual(
      { argv: reply.argv, code: reply.exit_code, out: reply.stdout },
      { argv: ['check', '--json', 'a.ail'], code: 1, out: undefined },
    );
  });
  test('a policy file written since is judged as loaded', async (t) => {
    const { ask, policyFile } = setUp(t);
    writeFileSync(policyFile, 'nonsense');
    assert.equal((await ask({ op: 'summary' })).ok, true);
  });
});
