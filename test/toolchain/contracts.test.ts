import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmbeddedToolchain } from '../../src/toolchain/embedded/toolchain.js';
import { sandbox } from '../ailang/policy/scratch.js';
import { atEnd } from '../cleanup.js';
import { policyOf } from './policy-of.js';
import { gone } from './processes.js';

const files = {
  'good.ail': 'module good\npure func f(x: int) -> int\n  requires { x < 100 }\n  ensures { result > x }\n{ x + 1 }\n',
  'bad.ail': 'module bad\npure func f(x: int) -> int\n  ensures { result > 0 }\n{ x }\n',
  'hard.ail': `module hard\n${Array.from(
    { length: 6 },
    (_, index) =>
      `pure func f${index}(x: int, y: int, z: int) -> bool\n  ensures { result }\n{ x * x * x + y * y * y + z * z * z != ${114 + index * 9 * 58} }\n`,
  ).join('')}`,
};

test('ai_check proves through the toolchain, and goes on after a proof passed the deadline', async (t) => {
  const { root, policyFile } = sandbox(t, files);
  const toolchain = await EmbeddedToolchain.open();
  atEnd(t, () => toolchain.close());
  const policy = policyOf(policyFile, root);
  const check = async (path: string, deadlineMs = 60_000) => {
    const { ok, stdout, exit_code } = await toolchain.policyTool(policy, { op: 'ai_check', path }, deadlineMs);
    return { ok, exit: exit_code, verify: JSON.parse(stdout ?? '{}').verify };
  };
  const good = await check('good.ail');
  assert.deepEqual([good.ok, good.verify.verified], [true, 1]);
  const bad = await check('bad.ail');
  assert.deepEqual([bad.ok, bad.exit, bad.verify.counterexample], [false, 1, 1]);
  await assert.rejects(check('hard.ail', 1500), /deadline/);
  const again = await check('good.ail');
  assert.deepEqual([again.ok, again.verify.verified], [true, 1]);
  const pid = toolchain.helperPid;
  await toolchain.close();
  await gone(pid === undefined ? [] : [pid]);
});

test('a slow proof ends at its timeout and says so, and delays neither a command nor another proof', async (t) => {
  const { root, policyFile } = sandbox(t, files);
  const toolchain = await EmbeddedToolchain.open();
  atEnd(t, () => toolchain.close());
  const policy = policyOf(policyFile, root);
  const order: string[] = [];
  const ask = async (op: string, path?: string) => {
    const reply = await toolchain.policyTool(policy, path === undefined ? { op } : { op, path }, 60_000);
    order.push(path ?? op);
    return reply;
  };
  await Promise.all([ask('ai_check', 'good.ail'), ask('ai_check', 'good.ail')]);
  order.length = 0;
  const [slow] = await Promise.all([
    ask('ai_check', 'hard.ail'),
    ask('ai_check', 'good.ail'),
    ask('check', 'hard.ail'),
    ask('version'),
  ]);
  assert.equal(order.at(-1), 'hard.ail');
  assert.deepEqual([...order].sort(), ['good.ail', 'hard.ail', 'hard.ail', 'version']);
  const { verify } = JSON.parse(slow.stdout ?? '') as {
    verify: { errors: number; results: { status: string; reason: string }[] };
  };
  assert.deepEqual([slow.ok, slow.exit_code, verify.errors], [false, 1, 6]);
  assert.deepEqual(
    verify.results.map(({ status }) => status),
    verify.results.map(() => 'unknown'),
  );
  assert.equal(verify.results[0]?.reason, 'solver timeout (5s)');
  assert.match(verify.results.at(-1)?.reason ?? '', /^the time for the whole file was used up/);
});

test('AILANG_Z3_PATH of the operator is the solver, and no run child hears of it', async (t) => {
  const { root, policyFile } = sandbox(
    t,
    {
      ...files,
      'env.ail':
        'module env\nimport std/env (hasEnv)\nexport func main() -> () ! {IO, Env} = println(show(hasEnv("AILANG_Z3_PATH")))\n',
    },
    (at) => `security_mode = "trusted_host"\nallowed_caps = ["Env", "FS", "IO"]\nfs_sandbox = ${JSON.stringify(at)}\n`,
  );
  const toolchain = await EmbeddedToolchain.open({ z3Program: '/nonexistent/z3' });
  atEnd(t, () => toolchain.close());
  const policy = policyOf(policyFile, root);
  const { stdout } = await toolchain.policyTool(policy, { op: 'ai_check', path: 'good.ail' }, 60_000);
  assert.equal(JSON.parse(stdout ?? '').verify.available, false);
  assert.equal((await toolchain.run(policy, { path: 'env.ail' }, 20_000)).stdout, 'false\n');
});
