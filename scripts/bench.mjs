// Builds, compiles and runs the benchmarks: `node scripts/bench.mjs [--json] [name…]`, names as of files in bench/.
import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const flags = args.filter((arg) => arg.startsWith('--'));
const names = args.filter((arg) => !arg.startsWith('--'));

function step(command, commandArgs, stdio = 'inherit') {
  const result = spawnSync(command, commandArgs, { cwd: root, stdio });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

// Only the benchmarks' own lines go to standard output, so that --json can be piped.
const quiet = ['ignore', 2, 2];
await rm(`${root}build`, { recursive: true, force: true });
step(process.execPath, ['scripts/build.mjs'], quiet);
step(`${root}node_modules/.bin/tsc`, ['-p', 'tsconfig.json'], quiet);
const files = (await readdir(`${root}build/bench`))
  .filter((name) => name.endsWith('.js'))
  .filter((name) => names.length === 0 || names.some((wanted) => name === `${wanted}.js`));
for (const file of files) step(process.execPath, [`build/bench/${file}`, ...flags]);
