import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmbeddedToolchain } from '../../src/toolchain/embedded/toolchain.js';
import { sandbox } from '../ailang/policy/scratch.js';
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
  t.after(() => toolchain.close());
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
