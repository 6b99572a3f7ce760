import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../../src/ailang/package-root.js';
import { fillLog } from './long-log.js';
import { makeWorld } from './world.js';

const ENTRIES = 10_000;

test(`${ENTRIES} entries are verified within 300 MB`, async (t) => {
  const world = await makeWorld(t);
  await fillLog(world, ENTRIES);
  await world.close();
  const script = `import { execute } from ${JSON.stringify(join(packageRoot(), 'build/src/cli/execute.js'))};
const io = { env: {}, cwd: ${JSON.stringify(world.repository)}, stdout: process.stdout, stderr: process.stderr, colour: false, readStdin: async () => Buffer.alloc(0), ask: null };
const code = await execute(['verify', '--json'], io);
process.stderr.write(JSON.stringify({ code, rss: process.resourceUsage().maxRSS }));`;
  const started = Date.now();
  const child = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.diagnostic(`${Date.now() - started} ms`);
  const verdict = JSON.parse(child) as { ok: boolean; logs: { entries: number }[] };
  assert.equal(verdict.ok, true);
  assert.ok((verdict.logs[0]?.entries ?? 0) >= ENTRIES);
  t.diagnostic(JSON.stringify(verdict.logs).slice(0, 600));
});
