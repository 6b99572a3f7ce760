// Builds, compiles the tests and runs them: `node scripts/test.mjs [--slow] [filter…]`.
// A filter is a part of a test file's path; --slow runs the files named *.slow.test.ts, and only them.
import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const slow = args.includes('--slow');
const filters = args.filter((arg) => !arg.startsWith('--'));

function step(command, commandArgs) {
  const result = spawnSync(command, commandArgs, { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

await rm(`${root}build`, { recursive: true, force: true });
step(process.execPath, ['scripts/build.mjs']);
step(`${root}node_modules/.bin/tsc`, ['-p', 'tsconfig.json']);

const files = (await readdir(`${root}build/test`, { recursive: true }))
  .filter((name) => name.endsWith('.test.js'))
  .filter((name) => name.endsWith('.slow.test.js') === slow)
  .filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter)))
  .map((name) => `build/test/${name}`)
  .sort();
if (files.length === 0) {
  console.error('no test file matches');
  process.exit(1);
}
// A file that does not end within minutes fails by its name, instead of keeping everybody waiting.
// Without source maps, which cost every file of tests a third of its start: NODE_OPTIONS=--enable-source-maps brings them.
const limits = [`--test-concurrency=${availableParallelism() + 1}`, `--test-timeout=${(slow ? 30 : 10) * 60_000}`];
step(process.execPath, ['--test', ...limits, ...files]);
