import { setTimeout as pause } from 'node:timers/promises';
import { WorldError } from '../../errors.js';
import type { WireEntry } from './log-lines.js';

const PAGE = 100;
const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 5_000;

/**
 * Yields every entry from `from` on, each exactly once. With `follow` it goes on polling every `intervalMs` and rides
 * over a daemon that is away, naming the outage once.
 */
export async function* entriesFrom(
  client: { entries(from: number, limit: number): Promise<readonly WireEntry[]> },
  from: number,
  options: {
    readonly follow: boolean;
    readonly intervalMs: number;
    readonly signal: AbortSignal;
    readonly report: (line: string) => void;
    /** Waits so many milliseconds, or until the signal. */
    readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  },
): AsyncGenerator<WireEntry> {
  const wait = options.wait ?? waitInRealTime;
  let next = from;
  let backoff = 0;
  while (!options.signal.aborted) {
    let items: readonly WireEntry[];
    try {
      items = await client.entries(next, PAGE);
      if (backoff > 0) options.report('the daemon answers again');
      backoff = 0;
    } catch (error) {
      if (!options.follow || !isOutage(error)) throw error;
      if (backoff === 0) options.report(`${error.message}; trying again`);
      backoff = Math.min(LONGEST_BACKOFF_MS, backoff === 0 ? FIRST_BACKOFF_MS : backoff * 2);
      await wait(backoff, options.signal);
      continue;
    }
    for (const item of items) yield item;
    next += items.length;
    if (items.length === PAGE) continue;
    if (!options.follow) return;
    await wait(options.intervalMs, options.signal);
  }
}

function isOutage(error: unknown): error is WorldError {
  return error instanceof WorldError && (error.code === 'daemon-unreachable' || error.code === 'daemon-timeout');
}

async function waitInRealTime(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}
