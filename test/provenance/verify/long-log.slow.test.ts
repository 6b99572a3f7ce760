import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../../src/ailang/package-root.js';
import type { Verdict } from '../../../src/provenance/verify/verify.js';
import { temporaryDirectory } from '../../cleanup.js';
import { fillLog } from './long-log.js';
import { gitIn, makeWorld } from './world.js';

const ENTRIES = 10_000;

test(`${ENTRIES} entries and a pull request of them are verified in a clone within 300 MB`, async (t) => {
  const world = await makeWorld(t);
  await fillLog(world, ENTRIES);
  const trailer = await world.trailer();
  await world.close();
  world.git('checkout', '-q', '-b', 'work');
  world.git('checkout', /tree=(\w+)/.exec(trailer)?.[1] ?? '', '--', '.');
  world.git('commit', '-q', '-m', `Work\n\n${trailer}`);
  const base = temporaryDirectory(t);
  const [origin, clone] = [join(base, 'origin.git'), join(base, 'clone')];
  world.git('init', '-q', '--bare', '-b', 'main', origin);
  const pushed = `refs/world/log:refs/world/logs/${/world=(\w+)/.exec(trailer)?.[1]}`;
  world.git('push', '-q', origin, 'main', 'work', pushed);
  world.git('clone', '-q', origin, clone);
  gitIn(clone, base)('fetch', '-q', 'origin', 'refs/world/logs/*:refs/world/logs/*');
  const script = `import { execute } from ${JSON.stringify(join(packageRoot(), 'build/src/cli/execute.js'))};
const io = { env: {}, cwd: ${JSON.stringify(clone)}, stdout: process.stdout, stderr: process.stderr, colour: false, readStdin: async () => Buffer.alloc(0), ask: null };
const code = await execute(['verify', '--pr', 'origin/main..origin/work', '--json'], io);
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
process.stderr.write(JSON.stringify({ code, rssKiB: maxRSS, cpuMs: Math.round((userCPUTime + systemCPUTime) / 1000) }));`;
  const started = Date.now();
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.diagnostic(`${Date.now() - started} ms, ${child.stderr}`);
  const used = JSON.parse(child.stderr) as { code: number; rssKiB: number };
  const verdict = JSON.parse(child.stdout) as Verdict;
  assert.equal(used.code, 0, child.stdout.slice(0, 2000));
  assert.ok((verdict.logs[0]?.entries ?? 0) >= ENTRIES);
  assert.equal(verdict.pullRequest?.coverage.percent, 100);
  assert.ok(used.rssKiB < 300 * 1024, `${used.rssKiB} KiB`);
});
