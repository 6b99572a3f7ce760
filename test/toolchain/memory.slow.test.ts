import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmbeddedToolchain } from '../../src/toolchain/embedded/toolchain.js';
import { restrictedPolicy, sandbox } from '../ailang/policy/scratch.js';
import { atEnd } from '../cleanup.js';
import { policyOf } from './policy-of.js';

const hog =
  'module hog\nimport std/list (length)\nfunc grow(n: int, xs: [[string]]) -> int = if n == 0 then length(xs) else grow(n - 1, ["x${show(n)}", "y${show(n)}"] :: xs)\nexport func main() -> () ! {IO} = println(show(grow(100000000, [])))\n';

test('running out of memory is a failure of the program', async (t) => {
  const { root, policyFile } = sandbox(t, { 'hog.ail': hog }, (at) =>
    restrictedPolicy(at).replace('timeout_ms = 8000', 'timeout_ms = 60000'),
  );
  const toolchain = await EmbeddedToolchain.open();
  atEnd(t, () => toolchain.close());
  const result = await toolchain.run(policyOf(policyFile, root), { path: 'hog.ail' }, 60_000);
  assert.equal(result.exitCode, 1);
  assert.match(result.stderr, /^Error: execution failed: RT007: /);
});
