// Milliseconds of one tool call over HTTP in a repository of 500 files, against `git add -A && git commit` of the same
// change by two child processes, and against two synced writes, which a call needs in any case. Read the ratios.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../src/ailang/package-root.js';

const rounds = 40;
const program = 'module hello\n\nimport std/io (println)\n\nexport func main() -> () ! {IO} = println("hello")\n';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'world-call-')));
const env = {
  PATH: process.env.PATH,
  HOME: base,
  TMPDIR: base,
  XDG_STATE_HOME: join(base, 'state'),
  XDG_RUNTIME_DIR: base,
  GIT_CONFIG_NOSYSTEM: '1',
};

function makeRepository(name: string): string {
  const root = join(base, name);
  for (let i = 0; i < 500; i++) {
    const directory = join(root, 'src', `part${i % 25}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `file${i}.txt`), `line of file ${i}\n`.repeat(50));
  }
  writeFileSync(join(root, 'hello.ail'), program);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'config', 'user.name', 'Bench');
  git(root, 'config', 'user.email', 'bench@example.org');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'Begin');
  return root;
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd, env, stdio: 'ignore' });
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Medians of all acts, one after the other in every round, so that a slow moment meets them all. */
async function timed<Act extends string>(
  acts: Record<Act, (round: number) => Promise<unknown>>,
): Promise<Record<Act, number>> {
  const names = Object.keys(acts) as Act[];
  const times = new Map<Act, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const started = performance.now();
      await acts[name](round);
      times.get(name)?.push(performance.now() - started);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Act, number>;
}

const repository = makeRepository('world');
const up = [join(packageRoot(), 'dist', 'ailang-worldd.js'), 'up', '--json', '--port', '0', '--budget', '1000'];
const daemon = spawn(process.execPath, up, { cwd: repository, env, stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = (await once(createInterface({ input: daemon.stdout }), 'line')) as [string];
const { url, session_file: tokenFile } = JSON.parse(line) as { url: string; session_file: string };
const headers = {
  Authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};
const agent = new Agent({ keepAlive: true });

async function call(name: string, args: Record<string, unknown>): Promise<void> {
  const asked = request(url, { agent, method: 'POST', headers });
  asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }));
  const [reply] = await once(asked, 'response');
  let text = '';
  for await (const chunk of reply) text += chunk;
  if (!text.includes('"status":"ok"')) throw new Error(`${name} failed: ${text}`);
}

const write = (round: number) => call('ailang-write', { path: 'src/part1/new.txt', content: `round ${round}\n` });
await call('ailang-check', { path: 'hello.ail' });
await write(-1);
const peer = makeRepository('peer');
const synced = await open(join(base, 'synced'), 'w');
await synced.write(Buffer.alloc(1 << 20));
await synced.sync();
const block = Buffer.alloc(4096, 1);

const figures = await timed({
  async twoSyncs(round) {
    for (const at of [2 * round, 2 * round + 1]) {
      await synced.write(block, 0, block.length, at * block.length);
      await synced.datasync();
    }
  },
  async gitCommit(round) {
    writeFileSync(join(peer, 'src/part1/new.txt'), `round ${round}\n`);
    git(peer, 'add', '-A');
    git(peer, 'commit', '-q', '-m', `round ${round}`);
  },
  read: () => call('ailang-read', { path: 'src/part1/file1.txt' }),
  write,
  check: () => call('ailang-check', { path: 'hello.ail' }),
});
await synced.close();
agent.destroy();
daemon.kill('SIGTERM');
await once(daemon, 'exit');
rmSync(base, { recursive: true, force: true });

if (process.argv.includes('--json')) console.log(JSON.stringify(figures));
else {
  for (const [name, ms] of Object.entries(figures)) {
    const ratio = `${(ms / figures.gitCommit).toFixed(2)} x git, ${(ms / figures.twoSyncs).toFixed(1)} x two syncs`;
    console.log(`${name.padEnd(10)} ${ms.toFixed(1).padStart(7)} ms   ${ratio}`);
  }
}
