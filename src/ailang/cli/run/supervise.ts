import type { Policy } from '../../policy/policy.js';
import type { ChildEnd, RunChild } from './child-process.js';
import { ForgeryFilter } from './forgery-filter.js';
import type { ChildMessage, ChildRequest } from './messages.js';
import { type LimitReason, outputLimitMessage, policyResultLine, timeoutMessage } from './policy-line.js';

export interface RunStreams {
  /** The program's whole standard input; null when the child reads the supervisor's. */
  readonly stdin: string | null;
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
}

/** Where a policy sets no output limit there is one all the same. */
const unboundedOutput = 64 * 1024 * 1024;

/**
 * One run under a policy, seen from outside (ailang-cli 4.2–4.4): relays what the child prints, holds it to the
 * policy's limits, and says last what was decided, on lines the program cannot forge.
 * @returns the exit code
 */
export async function supervise(
  child: RunChild,
  policy: Policy,
  request: ChildRequest,
  streams: RunStreams,
): Promise<number> {
  const limit = policy.limits.max_output_bytes || unboundedOutput;
  const filter = new ForgeryFilter();
  let stopped: LimitReason | null = null;
  let verdict: ChildMessage | null = null;
  let total = 0;
  const stop = (reason: LimitReason): void => {
    stopped ??= reason;
    child.kill();
  };
  const relay = (write: (chunk: Buffer) => void) => (chunk: Buffer) => {
    if (stopped !== null) return;
    total += chunk.length;
    if (total > limit) stop('output_limit');
    else write(chunk);
  };
  child.send(request, streams.stdin, (message) => {
    verdict ??= message;
  });
  const timer = setTimeout(() => stop('timeout'), policy.timeoutMs);
  child.stdout.on(
    'data',
    relay((chunk) => streams.stdout(chunk)),
  );
  child.stderr.on(
    'data',
    relay((chunk) => streams.stderr(filter.push(chunk))),
  );
  const end = await child.concluded;
  clearTimeout(timer);
  child.kill();
  streams.stderr(filter.end());
  return conclude(policy, streams, end, stopped, verdict);
}

function conclude(
  policy: Policy,
  streams: RunStreams,
  end: ChildEnd,
  stopped: LimitReason | null,
  verdict: ChildMessage | null,
): number {
  const say = (line: string): void => streams.stderr(Buffer.from(`${line}\n`));
  const limited = (reason: LimitReason, message: string, code: number): number => {
    const stage = verdict?.kind === 'admitted' || reason === 'output_limit' ? 'execute' : 'admit';
    say(policyResultLine(policy, reason, stage, message));
    return code;
  };
  if (verdict?.kind === 'refused') {
    say(`Error: --policy: ${verdict.message}`);
    return 1;
  }
  if (verdict?.kind === 'denied') {
    streams.stdout(Buffer.from(verdict.document));
    return verdict.exitCode;
  }
  if (verdict?.kind === 'admitted') say(verdict.line);
  if (stopped === 'timeout') return limited('timeout', timeoutMessage(policy), 3);
  if (stopped === 'output_limit')
    return limited('output_limit', outputLimitMessage(policy.limits.max_output_bytes || unboundedOutput), 3);
  if (end.error !== undefined) return limited('worker_failed', end.error.message, 1);
  if (end.signal !== null) return limited('worker_failed', `worker ended by signal ${end.signal}`, 1);
  if (verdict === null && end.code === 0) return limited('no_decision', 'worker ended without deciding', 1);
  return end.code ?? 1;
}
