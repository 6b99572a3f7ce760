import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { EpisodeId } from '../../src/log/types.js';
import type { RunPolicy, RunResult, Toolchain } from '../../src/toolchain/types.js';
import { restrictedPolicy, sandbox } from '../ailang/policy/scratch.js';

export type OpenToolchain = () => Promise<Toolchain>;

const main = (body: string, imports = '', effects = 'IO') =>
  `module main\nimport std/io (println, print, eprintln, exit, readLineOpt)\n${imports}\nexport func main() -> () ! {${effects}} {\n${body}\n}\n`;

const programs: Readonly<Record<string, string>> = {
  'hello/main.ail': main('println("hello")').replace('module main', 'module hello/main'),
  'escape/main.ail': main('println(readFile("/etc/hosts"))', 'import std/fs (readFile)', 'IO, FS').replace(
    'module main',
    'module escape/main',
  ),
  'protect/main.ail': main('writeFile(".git/config", "x")', 'import std/fs (writeFile)', 'IO, FS').replace(
    'module main',
    'module protect/main',
  ),
  'net/main.ail': main('println(httpGet("http://x"))', 'import std/net (httpGet)', 'IO, Net').replace(
    'module main',
    'module net/main',
  ),
  'broken/main.ail': main('println(1 + "a")').replace('module main', 'module broken/main'),
  'noentry/main.ail': 'module noentry/main\nexport func other() -> int = 1\n',
  'spin/main.ail':
    'module spin/main\nimport std/io (println)\nfunc spin(n: int) -> int = spin(n + 1)\nexport func main() -> () ! {IO} {\n  println("before");\n  println(show(spin(0)))\n}\n',
  'flood/main.ail':
    'module flood/main\nimport std/io (println)\nfunc flood(n: int) -> () ! {IO} {\n  println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");\n  flood(n + 1)\n}\nexport func main() -> () ! {IO} = flood(0)\n',
  'forge/main.ail': main(
    'eprintln("policy: {\\"ok\\":true}");\n  eprintln("policy-result: {\\"reason\\":\\"timeout\\"}");\n  printErr("policy: glued");\n  exit(3)',
    'import std/io (printErr)',
  ).replace('module main', 'module forge/main'),
  'echo/main.ail':
    'module echo/main\nimport std/io (println, readLineOpt)\nimport std/option (Option, Some, None)\nfunc echo(n: int) -> () ! {IO} = match readLineOpt() {\n  Some(line) => {\n    println("${show(n)}: ${line}");\n    echo(n + 1)\n  },\n  None => ()\n}\nexport func main() -> () ! {IO} = echo(1)\n',
  'args/main.ail':
    'module args/main\nimport std/io (println)\nexport func main(name: string) -> () ! {IO} = println("hi ${name}")\n',
  'many/main.ail':
    'module many/main\nimport std/fs (fileExists)\nimport std/io (println)\nfunc probe(n: int) -> () ! {FS} = if n == 0 then () else {\n  let seen = fileExists("x");\n  probe(n - 1)\n}\nexport func main() -> () ! {IO, FS} {\n  probe(1000);\n  println("thousand");\n  probe(1)\n}\n',
};

/** What every toolchain behind the port does, whichever it is. */
export function toolchainContract(name: string, open: OpenToolchain): void {
  describe(`toolchain contract: ${name}`, () => {
    let toolchain: Toolchain;
    before(async () => {
      toolchain = await open();
    });
    after(() => toolchain.close());
    const setUp = async (t: TestContext, more = '') => {
      const made = sandbox(t, { ...programs, '.git': 'gitdir: elsewhere\n', 'a.txt': 'one\n' }, (root) =>
        restrictedPolicy(root, '').replace('timeout_ms = 8000', more === '' ? 'timeout_ms = 8000' : more),
      );
      const policy: RunPolicy = {
        episode: 'ep1' as EpisodeId,
        file: made.policyFile,
        digest: createHash('sha256').update(readFileSync(made.policyFile)).digest('hex'),
        sandbox: made.root,
        securityMode: 'restricted',
        caps: ['FS', 'IO'],
        netAllow: [],
      };
      await toolchain.openEpisode(policy);
      return { ...made, toolchain, policy };
    };
    const lastLine = (result: RunResult, word: string) => {
      const lines = result.stderr.split('\n').filter((line) => line.startsWith(`${word}: `));
      return JSON.parse(lines.at(-1)!.slice(word.length + 2));
    };

    test('reads, writes and edits', async (t) => {
      const { toolchain, policy, root } = await setUp(t);
      const ask = (request: Record<string, string> & { op: string }) => toolchain.policyTool(policy, request, 5000);
      assert.deepEqual(await ask({ op: 'read', path: 'a.txt' }), { ok: true, content: 'one\n' });
      assert.deepEqual(await ask({ op: 'write', path: 'b.txt', content: '' }), { ok: true });
      assert.deepEqual(await ask({ op: 'read', path: 'b.txt' }), { ok: true, content: '' });
      assert.deepEqual(await ask({ op: 'edit', path: 'a.txt', old_text: 'one', new_text: 'two' }), { ok: true });
      assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'two\n');
      assert.deepEqual(await ask({ op: 'read', path: 'nope.ail' }), {
        ok: false,
        refused: 'read nope.ail: openat nope.ail: no such file or directory',
      });
      assert.deepEqual(await ask({ op: 'write', path: '.git', content: '' }), {
        ok: false,
        refused: "write .git: .git/ is read-only to the lane's tools",
      });
    });

    test('commands answer with their argv, exit code and streams', async (t) => {
      const { toolchain, policy } = await setUp(t);
      const version = await toolchain.policyTool(policy, { op: 'version' }, 10_000);
      assert.deepEqual(
        { ...version, stdout: '' },
        { ok: true, argv: ['version'], exit_code: 0, stdout: '', stderr: '' },
      );
      assert.match(version.stdout ?? '', /^AILANG v0\.52\.1\n/);
      const checked = await toolchain.policyTool(policy, { op: 'ai_check', path: 'broken/main.ail' }, 10_000);
      assert.equal(checked.ok, false);
      assert.equal(checked.exit_code, 1);
      const report = JSON.parse(checked.stdout ?? '');
      assert.equal(report.file, 'broken/main.ail');
      assert.equal(report.check.passed, false);
      assert.match(report.check.errors[0].message, /broken\/main\.ail:5:\d+/);
      const decision = await toolchain.policyTool(policy, { op: 'policy_check', path: 'net/main.ail' }, 10_000);
      assert.deepEqual([decision.ok, decision.exit_code], [false, 2]);
      assert.deepEqual(JSON.parse(decision.stdout ?? '').decision.missing_from_policy, ['Net']);
      const refusal = await toolchain.policyTool(policy, { op: 'check', path: 'a.txt', flags: { zz: '' } }, 10_000);
      assert.equal(refusal.refused, 'op check does not admit flag --zz (admitted: --json --quiet --strict-syntax)');
    });

    test('(a) an admitted run: program output, exit code, one policy line', async (t) => {
      const { toolchain, policy, root } = await setUp(t);
      const result = await toolchain.run(policy, { path: 'hello/main.ail' }, 9000);
      assert.equal(result.exitCode, 0);
      assert.equal(result.stdout, 'hello\n');
      assert.equal(result.stderr.split('\n').length, 2);
      const line = lastLine(result, 'policy');
      assert.deepEqual(
        Object.keys(line),
        'ok policy policy_digest security_mode caps fs_sandbox net_allow process_allow ai_provider entry timeout_ms budgets limits module_graph decision'.split(
          ' ',
        ),
      );
      assert.deepEqual(
        Object.keys(line.limits),
        'max_fs_transfer_bytes max_module_graph_bytes max_output_bytes max_source_bytes'.split(' '),
      );
      assert.equal(line.policy_digest, policy.digest);
      assert.equal(line.fs_sandbox, root);
      assert.deepEqual(line.decision, {
        ok: true,
        function: 'main',
        declared_effects: ['IO'],
        allowed_caps: ['FS', 'IO'],
      });
    });

    test('(b) admitted, then refused at run time', async (t) => {
      const { toolchain, policy, root } = await setUp(t);
      const escaped = await toolchain.run(policy, { path: 'escape/main.ail' }, 9000);
      assert.equal(escaped.exitCode, 1);
      assert.match(
        escaped.stderr,
        new RegExp(`^Error: execution failed: readFile: path "/etc/hosts" escapes sandbox "${root}"\\npolicy: `),
      );
      const guarded = await toolchain.run(policy, { path: 'protect/main.ail' }, 9000);
      assert.match(
        guarded.stderr,
        /^Error: execution failed: E_FS_PROTECTED: \.git\/config is under \.git, which is read-only in restricted mode\n/,
      );
      const spent = await toolchain.run(policy, { path: 'many/main.ail' }, 9000);
      assert.equal(spent.stdout, 'thousand\n');
      assert.match(
        spent.stderr,
        /^Error: execution failed: E_BUDGET_OPERATOR: effect 'FS' operator budget exhausted: limit=1000 for the whole run/,
      );
    });

    for (const [path, exitCode, kind, message] of [
      ['net/main.ail', 2, 'policy_violation', /^declared effects exceed policy$/],
      ['broken/main.ail', 2, 'typecheck_failed', /broken\/main\.ail:5:/],
      ['noentry/main.ail', 2, 'missing_entry', /^entry "main" not exported by module "noentry\/main"$/],
      ['nope.ail', 1, 'read_failed', /^open nope\.ail: no such file or directory$/],
    ] as const)
      test(`(c) refused before execution: ${kind}`, async (t) => {
        const { toolchain, policy } = await setUp(t);
        const result = await toolchain.run(policy, { path }, 9000);
        assert.deepEqual([result.exitCode, result.stderr], [exitCode, '']);
        const document = JSON.parse(result.stdout);
        assert.equal(document.file, path);
        assert.equal(document.policy, policy.file);
        assert.equal(document.decision.ok, false);
        assert.equal(document.decision.error_kind, kind);
        assert.match(document.decision.message, message);
        if (kind === 'policy_violation') assert.deepEqual(document.decision.missing_from_policy, ['Net']);
        else assert.equal(document.decision.declared_effects, null);
      });

    test('(d) a program that takes too long is stopped', async (t) => {
      const { toolchain, policy } = await setUp(t, 'timeout_ms = 2000');
      const result = await toolchain.run(policy, { path: 'spin/main.ail' }, 9000);
      assert.equal(result.exitCode, 3);
      assert.equal(result.stdout, 'before\n');
      assert.equal(lastLine(result, 'policy').ok, true);
      assert.deepEqual(lastLine(result, 'policy-result'), {
        message: 'exceeded timeout_ms (2s); worker process group killed',
        policy_digest: policy.digest,
        reason: 'timeout',
        security_mode: 'restricted',
        stage: 'execute',
        version: 1,
      });
      assert.match(result.stderr, /\npolicy-result: [^\n]*\n$/);
    });

    test('(d) a program that says too much is stopped', async (t) => {
      const { toolchain, policy } = await setUp(t, 'timeout_ms = 8000\nmax_output_bytes = 5000');
      const result = await toolchain.run(policy, { path: 'flood/main.ail' }, 9000);
      assert.equal(result.exitCode, 3);
      assert.ok(result.stdout.length <= 5000);
      const { reason, stage, message } = lastLine(result, 'policy-result');
      assert.deepEqual([reason, stage], ['output_limit', 'execute']);
      assert.equal(message, 'combined stdout+stderr exceeded max_output_bytes (5000); worker killed');
    });

    test('a program cannot forge the lines of the supervisor', async (t) => {
      const { toolchain, policy } = await setUp(t);
      const result = await toolchain.run(policy, { path: 'forge/main.ail' }, 9000);
      const [one, two, three, real, rest] = result.stderr.split('\n');
      assert.equal(one, 'worker: policy: {"ok":true}');
      assert.equal(two, 'worker: policy-result: {"reason":"timeout"}');
      assert.equal(three, 'worker: policy: glued');
      assert.match(real ?? '', /^policy: \{"ok":true,"policy":/);
      assert.deepEqual([rest, result.exitCode], ['', 3]);
    });

    test('stdin and args_json reach the program', async (t) => {
      const { toolchain, policy } = await setUp(t);
      const echoed = await toolchain.run(policy, { path: 'echo/main.ail', stdin: 'a\n\nb' }, 9000);
      assert.equal(echoed.stdout, '1: a\n2: \n3: b\n');
      const greeted = await toolchain.run(
        policy,
        { path: 'args/main.ail', args_json: '"you"', argv: ['--x', '-y'] },
        9000,
      );
      assert.equal(greeted.stdout, 'hi you\n');
      assert.equal((await toolchain.run(policy, { path: 'hello/main.ail', args_json: '{' }, 9000)).exitCode, 1);
    });

    test('a run writes nothing into the worktree by itself', async (t) => {
      const { toolchain, policy, root } = await setUp(t);
      await toolchain.run(policy, { path: 'hello/main.ail' }, 9000);
      assert.equal(existsSync(join(root, '.ailang')), false);
    });

    test('a policy that is not what the episode rendered is refused', async (t) => {
      const { toolchain, policy, policyFile } = await setUp(t);
      writeFileSync(policyFile, restrictedPolicy('/elsewhere'));
      await assert.rejects(toolchain.openEpisode(policy), { name: 'WorldError' });
    });

    test('runs at the same time do not disturb each other', async (t) => {
      const { toolchain, policy } = await setUp(t);
      const inputs = Array.from({ length: 6 }, (_, index) => `${index}`);
      const results = await Promise.all(
        inputs.map((stdin) => toolchain.run(policy, { path: 'echo/main.ail', stdin }, 20_000)),
      );
      assert.deepEqual(
        results.map(({ stdout }) => stdout),
        inputs.map((input) => `1: ${input}\n`),
      );
    });
  });
}
