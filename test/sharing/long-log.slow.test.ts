import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { fillLog } from '../provenance/verify/long-log.js';
import { gitIn, makeWorld } from '../provenance/verify/world.js';

const ENTRIES = 10_000;
const MOST_KB = 400_000;

test(`${ENTRIES} entries are pushed in steps, fetched, exported, imported and redacted within ${MOST_KB} kB`, async (t) => {
  const world = await makeWorld(t);
  await fillLog(world, ENTRIES);
  await world.close();
  const base = dirname(world.repository);
  const home = join(base, 'home');
  for (const name of ['remote', 'clone', 'other']) {
    mkdirSync(join(base, name));
    gitIn(join(base, name), home)('init', '-q', ...(name === 'remote' ? ['--bare'] : []));
  }
  world.git('remote', 'add', 'origin', join(base, 'remote'));
  const script = `import { execute } from ${JSON.stringify(join(packageRoot(), 'build/src/cli/execute.js'))};
const [cwd, state, ...args] = process.argv.slice(1);
const io = { env: { HOME: '/', XDG_STATE_HOME: state }, cwd, stdout: process.stdout, stderr: process.stdout, colour: false, readStdin: async () => Buffer.alloc(0), ask: null };
const code = await execute(args, io);
process.stderr.write(JSON.stringify({ code, rss: process.resourceUsage().maxRSS }));`;
  const run = (name: string, ...args: string[]): string => {
    const started = performance.now();
    const command = ['--input-type=module', '-e', `${script}`, '--', join(base, name), join(base, 'state'), ...args];
    const both = execFileSync('sh', ['-c', '"$0" "$@" 2>&1', process.execPath, ...command], { encoding: 'utf8' });
    const end = both.lastIndexOf('{"code":');
    const { code, rss } = JSON.parse(both.slice(end)) as { code: number; rss: number };
    t.diagnostic(`${args[0]}: ${Math.round(performance.now() - started)} ms, ${Math.round(rss / 1000)} MB`);
    assert.equal(code, 0, both);
    assert.ok(rss < MOST_KB, `${args[0]} took ${rss} kB`);
    return both.slice(0, end);
  };
  assert.match(run('repository', 'push', '--yes'), /2000 of \d+ entries are over[\s\S]*8000 of/);
  assert.match(run('repository', 'push'), /is up to date/);
  assert.match(run('clone', 'fetch', join(base, 'remote')), /1000\d entries, new here, chain proven/);
  run('repository', 'export', 'ep1', '--out', join(base, 'x.bundle'));
  assert.match(run('other', 'import', join(base, 'x.bundle')), /1000\d entries, new here, chain proven/);
  run('repository', 'redact', '--entry', '5', '--reason', 'r', '--yes');
  assert.equal(world.git('fsck', '--strict', '--full'), '');
  assert.match(run('repository', 'verify'), /5 redacted payloads/);
});
