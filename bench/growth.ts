// What costs more with 10,000 entries than with 100? Start, append, a page of the log, `why`, memory. Read the ratios.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { git } from '../src/git/child.js';
import { type PackMerger, startPackMerger } from '../src/git/merge-packs.js';
import { openRepository } from '../src/git/repository.js';
import { encodeCanonical } from '../src/log/canonical-json.js';
import { sha256Ref } from '../src/log/hash.js';
import { openWorldLog } from '../src/log/open.js';
import { openLogReader } from '../src/log/reader.js';
import type { EntryIndex } from '../src/log/types.js';
import { findTarget } from '../src/provenance/target.js';
import { walk } from '../src/provenance/why.js';
import { call, openSample } from '../test/log/sample-log.js';

const sizes = [100, 10_000];
/** Above this ratio a cost grows with the log. Appends are synced, and the disk is not equally fast twice. */
const limit = 3;
const rounds = 15;

/** Milliseconds and MiB. */
type Costs = Record<'start' | 'append' | 'page' | 'why' | 'whySharedPlan' | 'memory', number>;

/** The fastest round: growth shows in it, too, and what else the machine does shows least. */
async function timed(work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await work(round);
    times.push(performance.now() - started);
  }
  return Math.min(...times);
}

async function build(directory: string, entries: number): Promise<void> {
  const repository = await openRepository(directory);
  let merger: PackMerger | undefined;
  const log = await openSample(repository, { packWritten: (pack) => merger?.notify(pack) });
  merger = startPackMerger(repository);
  for (let made = 1; made < entries; ) {
    const batch = Array.from({ length: Math.min(64, entries - made) }, (_, at) => call(log, 'sha1', `c${made + at}`));
    made += (await Promise.all(batch)).length;
  }
  await log.flush();
  await merger.idle();
  await merger.close();
  await log.close();
}

async function measure(directory: string): Promise<Costs> {
  const repository = await openRepository(directory);
  const genesis = () => Promise.reject(new Error('the log is there'));
  const open = () => openWorldLog({ repository, genesis });
  const start = await timed(async () => (await open()).close());
  const log = await open();
  const middle = (round: number) => (Math.floor(log.head.index / 2) + (round % 10)) as EntryIndex;
  const append = await timed((round) => call(log, 'sha1', `new${round}`));
  const page = await timed((round) => log.entries(middle(round), 30));
  global.gc?.();
  const memory = process.memoryUsage().rss / 2 ** 20;
  await log.close();
  const asked = async (target: string) => {
    const reader = await openLogReader(repository);
    try {
      await walk(reader, await findTarget(reader, target));
    } finally {
      await reader.close();
    }
  };
  const input = (round: number) => sha256Ref(encodeCanonical({ path: `c${1 + round}` }));
  const why = await timed((round) => asked(input(round)));
  // One plan that every entry of the log shares.
  const whySharedPlan = await timed(() => asked(sha256Ref('{"plan":"p"}')));
  return { start, append, page, why, whySharedPlan, memory };
}

async function inItsOwnProcess(directory: string): Promise<Costs> {
  const child = fork(fileURLToPath(import.meta.url), [directory], { execArgv: ['--expose-gc'] });
  const [costs] = (await once(child, 'message')) as [Costs];
  await once(child, 'exit');
  return costs;
}

const [given] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (given !== undefined) {
  process.send?.(await measure(given));
  process.disconnect();
} else {
  const results: Costs[] = [];
  for (const entries of sizes) {
    const directory = await mkdtemp(join(tmpdir(), 'world-growth-'));
    try {
      await git(['init', '-q', '.'], { cwd: directory });
      await build(directory, entries);
      results.push(await inItsOwnProcess(directory));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  const [small, large] = results as [Costs, Costs];
  const names = Object.keys(small) as (keyof Costs)[];
  const ratios = Object.fromEntries(names.map((name) => [name, large[name] / small[name]]));
  if (process.argv.includes('--json')) console.log(JSON.stringify({ sizes, small, large, ratios }));
  else {
    console.log(`${''.padEnd(14)}${sizes.map((size) => `${size} entries`.padStart(16)).join('')}     ratio`);
    for (const name of names) {
      const unit = name === 'memory' ? 'MiB' : 'ms';
      const cells = [small, large].map((costs) => `${costs[name].toFixed(1)} ${unit}`.padStart(16)).join('');
      console.log(`${name.padEnd(14)}${cells}${(ratios[name] ?? 0).toFixed(1).padStart(10)}`);
    }
  }
  const grown = names.filter((name) => (ratios[name] ?? 0) > limit);
  if (grown.length > 0) {
    console.error(`grows with the log: ${grown.join(', ')}`);
    process.exitCode = 1;
  }
}
