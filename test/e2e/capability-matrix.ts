import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { atEnd } from '../cleanup.js';
import { type Connection, connect, type Output } from './client.js';
import { type Daemon, makeSandbox, type Sandbox, startDaemon, worldd } from './world.js';

const IO_PROGRAM = 'module io\nimport std/io (println)\nexport func main() -> () ! {IO} {\n  println("io")\n}\n';
const CAPS = ['Declassify', 'Env', 'FS', 'IO', 'Net'] as const;
export const RUN_EFFECTS: readonly string[] = ['Ailang.Run', 'Ailang.RunEnv', 'Ailang.RunNet'];

/** Capabilities that a run asks for; null when it names none. */
export type Request = readonly string[] | null;
export const SOME_REQUESTS: readonly Request[] = [
  null,
  ['IO'],
  ['FS'],
  ['FS', 'IO'],
  ['Declassify', 'IO'],
  ['Env', 'IO'],
  ['Declassify', 'Env', 'FS', 'IO'],
  ['IO', 'Net'],
  ['Declassify', 'FS', 'IO', 'Net'],
];
export const subsets = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.reduce<readonly (readonly T[])[]>((sets, item) => sets.flatMap((set) => [set, [...set, item]]), [[]]);
/** All that a plan lets through: every set but none, and but Env with Net. */
export const ALL_REQUESTS: readonly Request[] = [
  null,
  ...subsets(CAPS).filter((caps) => caps.length > 0 && !(caps.includes('Env') && caps.includes('Net'))),
];

const effectOf = (caps: Request): string =>
  caps?.includes('Env') ? 'Ailang.RunEnv' : caps?.includes('Net') ? 'Ailang.RunNet' : 'Ailang.Run';

/**
 * One daemon with these capabilities enabled; for each set of grants an episode, in which every request is made: the
 * effect, refusal or result, the policy that ran, and in the end what is left of each budget.
 */
export async function everyRun(
  t: TestContext,
  enabled: readonly string[],
  grants: readonly (readonly string[])[],
  requests: readonly Request[],
): Promise<void> {
  const sandbox = makeSandbox(t, { files: { 'io.ail': IO_PROGRAM } });
  const peer = await listener(t, () => ({ status: 200, body: 'ok' }));
  const switches = enabled.length === 0 ? [] : ['--run-allow-caps', enabled.join(',')];
  const net = enabled.includes('Net') ? ['--run-net-allow', peer.pair] : [];
  const daemon = await startDaemon(t, sandbox, { args: [...switches, ...net] });
  for (const [index, held] of grants.entries()) {
    const episode = `grants${index}`;
    const flags = [...held, 'Workspace.Read'].flatMap((effect) => ['--grant', `${effect}=worktree:50`]);
    const at = ['--workspace-root', sandbox.workspaceRoot];
    assert.equal((await worldd(sandbox, ['episode', 'open', episode, ...at])).code, 0);
    const minted = await worldd(sandbox, ['session', 'mint', '--episode', episode, ...flags, ...at]);
    assert.equal(minted.code, 0, minted.stderr);
    const world = await connect(t, { url: daemon.url, token: minted.stdout.trim() });
    const spent: Record<string, number> = {};
    for (const caps of requests) {
      const args = { path: 'io.ail', ...(caps === null ? {} : { caps }) };
      if (held.length === 0) {
        await assert.rejects(world.call('ailang-run', args), /-32602.*unknown tool "ailang-run"/s);
        continue;
      }
      const effect = effectOf(caps);
      const row = await call(daemon, world, args);
      const told = JSON.stringify(row.output);
      assert.equal(row.effect, effect, told);
      if (!held.includes(effect)) {
        assert.deepEqual([row.status, /denied:effect-name/.test(told)], ['denied', true], told);
        continue;
      }
      spent[effect] = (spent[effect] ?? 0) + 1;
      const missing = (caps ?? []).find((cap) => !['IO', 'FS', ...enabled].includes(cap));
      if (missing !== undefined) {
        assert.equal(row.status, 'failed', told);
        const text = `capability "${missing}" is not enabled by the operator (serve --run-allow-caps)`;
        assert.ok(told.includes(JSON.stringify(text).slice(1, -1)), told);
        continue;
      }
      assert.equal(row.status, 'ok', told);
      ran(sandbox, episode, caps, row.output, caps?.includes('Net') ? [peer.pair] : []);
    }
    const budgets = await left(sandbox);
    for (const effect of held) assert.equal(budgets[effect], 50 - (spent[effect] ?? 0), `${episode} ${effect}`);
  }
  assert.equal(peer.connections(), 0);
  assert.equal(await daemon.stop(), 0);
}

/** The program prints with IO, and is not admitted without. */
function ran(sandbox: Sandbox, episode: string, caps: Request, output: Output, netAllow: readonly string[]): void {
  const told = JSON.stringify(output);
  const { admitted, exit_code, stdout, policy, decision, limit } = output as Output & { decision: Output };
  assert.equal(limit, null, told);
  if (caps?.includes('IO') ?? true) assert.deepEqual([admitted, exit_code, stdout], [true, 0, 'io\n'], told);
  else {
    assert.deepEqual([admitted, exit_code], [false, 2], told);
    assert.deepEqual([decision.error_kind, decision.missing_from_policy], ['policy_violation', ['IO']], told);
  }
  const asked = [...(caps ?? ['FS', 'IO'])].sort();
  const variant = asked.join() === 'FS,IO' ? '' : `.run-${asked.join('.')}`;
  assert.deepEqual(
    policy,
    {
      digest: digestOf(sandbox, `${episode}${variant}.toml`),
      security_mode: caps?.includes('Env') ? 'trusted_host' : 'restricted',
      // An FS that was not asked for is admitted with a budget of 0.
      caps: [...new Set([...asked, 'FS'])].sort(),
      net_allow: netAllow,
    },
    told,
  );
}

/** A listener on the loopback that counts its connections. */
export async function listener(
  t: TestContext,
  answer: (path: string) => { status: number; location?: string; body?: string },
) {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const { status, location, body } = answer(request.url ?? '');
    response.writeHead(status, location === undefined ? {} : { location }).end(body ?? '');
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(t, () => void server.close().closeAllConnections());
  const address = server.address();
  const port = typeof address === 'object' ? Number(address?.port) : 0;
  return { port, pair: `127.0.0.1:${port}`, requests, connections: () => connections };
}

interface Row {
  readonly effect: string;
  readonly status: string;
  readonly output: Output;
}

/** One call, with the effect's name as its record in the log has it. */
export async function call(daemon: Daemon, world: Connection, args: Output): Promise<Row> {
  const { output, world: block } = await world.call('ailang-run', args);
  const [effect] = block.effects;
  assert.ok(effect !== undefined, JSON.stringify(output));
  const found = await fetch(`${daemon.address}/v1/objects/${effect.record}?payload=true`, {
    headers: { Authorization: `Bearer ${daemon.token}` },
  });
  const { payload } = (await found.json()) as { payload: string };
  const record = JSON.parse(Buffer.from(payload, 'base64').toString()) as { effect: string };
  return { effect: record.effect, status: effect.status, output };
}

export async function left(sandbox: Sandbox): Promise<Record<string, number>> {
  const { stdout } = await worldd(sandbox, ['session', 'list', '--json']);
  const rows = JSON.parse(stdout) as { grants: { effect: string; budget: number; spent: number }[] }[];
  return Object.fromEntries((rows.at(-1)?.grants ?? []).map(({ effect, budget, spent }) => [effect, budget - spent]));
}

function digestOf(sandbox: Sandbox, file: string): string {
  const state = String(sandbox.env.XDG_STATE_HOME);
  const [found] = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(`policies/${file}`),
  );
  assert.ok(found !== undefined, `no policy ${file}`);
  return createHash('sha256')
    .update(readFileSync(join(state, found)))
    .digest('hex');
}
