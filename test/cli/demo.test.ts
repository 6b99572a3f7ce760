import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { makeSandbox, worldd } from '../e2e/world.js';

test('the demo plays through, ends with a verified why and leaves nothing', async (t) => {
  const sandbox = makeSandbox(t);
  const { code, stdout, stderr } = await worldd(sandbox, ['demo'], { cwd: '/' });
  assert.equal(code, 0, stdout + stderr);
  for (const part of [/^6\. writes without budget/m, /\nall 7 link\(s\) verified\n/, /^World-Provenance: store=/m])
    assert.match(stdout, part);
  assert.deepEqual(readdirSync(sandbox.env.TMPDIR ?? ''), []);
});
