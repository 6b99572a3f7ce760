import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entriesFrom } from '../../src/cli/client/follow.js';
import type { WireEntry } from '../../src/cli/client/log-lines.js';
import { WorldError } from '../../src/errors.js';

const entry = (entryIndex: number): WireEntry => ({
  header: { entryIndex, writtenBy: 'coordinator:a2a' },
  entryHash: '',
  transitionRef: '',
});

/** A log of `size` entries that can be away. */
class Log {
  size = 0;
  away = 0;
  failure: Error = new WorldError('daemon-unreachable', 'no daemon answers');

  async entries(from: number, limit: number): Promise<readonly WireEntry[]> {
    if (this.away > 0) {
      this.away -= 1;
      throw this.failure;
    }
    return Array.from({ length: Math.min(limit, Math.max(0, this.size - from)) }, (_, i) => entry(from + i));
  }
}

async function follow(log: Log, follow: boolean, rounds: readonly (() => void)[] = []) {
  const stop = new AbortController();
  const seen: number[] = [];
  const waits: number[] = [];
  const reports: string[] = [];
  const script = [...rounds];
  const wait = async (ms: number) => {
    waits.push(ms);
    const round = script.shift();
    if (round === undefined) stop.abort();
    else round();
  };
  const options = {
    follow,
    intervalMs: 1_000,
    signal: stop.signal,
    report: (line: string) => void reports.push(line),
    wait,
  };
  for await (const item of entriesFrom(log, 0, options)) seen.push(item.header.entryIndex);
  return { seen, waits, reports };
}

test('without following it ends at the head, over any number of pages', async () => {
  const log = new Log();
  log.size = 250;
  const { seen, waits } = await follow(log, false);
  assert.deepEqual(
    seen,
    Array.from({ length: 250 }, (_, i) => i),
  );
  assert.deepEqual(waits, []);
});

test('following shows each entry exactly once as it arrives', async () => {
  const log = new Log();
  log.size = 2;
  const grow = (by: number) => () => {
    log.size += by;
  };
  const { seen, waits } = await follow(log, true, [grow(0), grow(3), grow(120)]);
  assert.deepEqual(
    seen,
    Array.from({ length: 125 }, (_, i) => i),
  );
  assert.deepEqual(new Set(waits), new Set([1_000]));
});

test('an outage is named once, waited out with growing pauses, and loses nothing', async () => {
  const log = new Log();
  log.size = 2;
  const vanish = () => {
    log.away = 7;
    log.size = 4;
  };
  const { seen, waits, reports } = await follow(log, true, [
    vanish,
    ...Array.from({ length: 7 }, () => () => undefined),
  ]);
  assert.deepEqual(seen, [0, 1, 2, 3]);
  assert.deepEqual(waits, [1_000, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 1_000]);
  assert.deepEqual(reports, ['no daemon answers; trying again', 'the daemon answers again']);
});

test('an error that is no outage ends it', async () => {
  const log = new Log();
  log.away = 1;
  log.failure = new WorldError('http-status', 'HTTP 500');
  await assert.rejects(follow(log, true), { code: 'http-status' });
});
