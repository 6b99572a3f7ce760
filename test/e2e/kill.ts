import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Daemon, makeSandbox, startDaemon } from './world.js';

const APPEND = `module append

import std/fs (appendFile)

export func main(token: string) -> () ! {FS} = appendFile("tokens.txt", "\${token}\\n")
`;

interface Acknowledged {
  readonly token: string;
  readonly index: number;
}

/** mulberry32: a failing run can be repeated from its seed. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

interface A2aReply {
  readonly result?: { readonly metadata: { readonly entry_index: number } };
  readonly error?: { readonly code: number; readonly message: string };
}

async function send(daemon: Daemon, task: string, skill: string, data: unknown): Promise<A2aReply> {
  const response = await fetch(`${daemon.address}/a2a/`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${daemon.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: task,
      method: 'tasks/send',
      params: { id: task, metadata: { skill_id: skill }, message: { role: 'user', parts: [{ type: 'data', data }] } },
    }),
  });
  return (await response.json()) as A2aReply;
}

/**
 * Kills the daemon with SIGKILL at `kills` random instants while four clients append one token each per call; after
 * each restart nothing acknowledged may be missing, no token may stand twice, and git must find the repository whole.
 */
export async function killUnderLoad(t: TestContext, kills: number, seed: number): Promise<void> {
  t.diagnostic(`seed ${seed}`);
  const next = random(seed);
  const sandbox = makeSandbox(t, { files: { 'append.ail': APPEND } });
  const acknowledged: Acknowledged[] = [];
  const entryHashes = new Map<number, string>();
  const unanswered: string[] = [];
  let serial = 0;
  let daemon = await startDaemon(t, sandbox, { args: ['--budget', '100000'] });
  const tokensFile = join(daemon.worktree, 'tokens.txt');

  const call = async (target: Daemon, token: string): Promise<boolean> => {
    const write = token.endsWith('w');
    const reply = await (write
      ? send(target, token, 'ailang-write', { path: `${token}.txt`, content: token })
      : send(target, token, 'ailang-run', { path: 'append.ail', args_json: JSON.stringify(token) }));
    if (reply.result === undefined) return false;
    acknowledged.push({ token, index: reply.result.metadata.entry_index });
    return true;
  };

  const verify = async (): Promise<void> => {
    const base = daemon.address;
    const hashes: string[] = [];
    for (;;) {
      const page = (await (await fetch(`${base}/v1/log?from=${hashes.length}&limit=500`)).json()) as {
        items: { header: { entryIndex: number; prevEntryHash: string }; entryHash: string }[];
      };
      for (const { header, entryHash } of page.items) {
        assert.equal(header.entryIndex, hashes.length, 'contiguous');
        assert.equal(header.prevEntryHash, hashes.at(-1) ?? '', 'linked');
        hashes.push(entryHash);
      }
      if (page.items.length === 0) break;
    }
    for (const [index, hash] of entryHashes) assert.equal(hashes[index], hash, `entry ${index} changed or is missing`);
    hashes.forEach((hash, index) => {
      entryHashes.set(index, hash);
    });
    const lines = existsSync(tokensFile) ? readFileSync(tokensFile, 'utf8').split('\n').filter(Boolean) : [];
    assert.equal(new Set(lines).size, lines.length, 'an effect ran twice');
    const seen = new Set(lines);
    for (const { token, index } of acknowledged) {
      assert.ok(index < hashes.length, `acknowledged entry ${index} is missing`);
      assert.ok(token.endsWith('w') || seen.has(token), `acknowledged ${token} left no trace`);
    }
  };

  for (let kill = 0; kill < kills; kill += 1) {
    let running = true;
    const target = daemon;
    const client = async (): Promise<void> => {
      while (running) {
        serial += 1;
        const token = `t${serial}${serial % 3 === 0 ? 'r' : 'w'}`;
        try {
          if (!(await call(target, token))) unanswered.push(token);
        } catch {
          unanswered.push(token);
          return;
        }
      }
    };
    const clients = [client(), client(), client(), client()];
    await new Promise((resolve) => setTimeout(resolve, 20 + next() * 400));
    await daemon.kill();
    running = false;
    await Promise.all(clients);
    sandbox.git('fsck', '--strict');
    daemon = await startDaemon(t, sandbox, { args: ['--budget', '100000'] });
    // A client that lost its answer resends: the call is answered from the log, or refused, and never runs again.
    for (const token of unanswered.splice(0)) await call(daemon, token);
    await verify();
  }
  assert.equal(await daemon.stop(), 0);
  sandbox.git('fsck', '--strict');
  const count = Number(sandbox.git('rev-list', '--count', 'refs/world/log').trim());
  assert.equal(count, entryHashes.size, 'the ref holds every entry the daemon showed');
  assert.ok(acknowledged.length > kills, `only ${acknowledged.length} calls were acknowledged`);
  t.diagnostic(`${acknowledged.length} acknowledged, ${count} entries`);
}
