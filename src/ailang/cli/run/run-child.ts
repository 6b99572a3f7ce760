import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { parsePolicy } from '../../policy/policy-file.js';
import { writeAll } from './console.js';
import { splitLines } from './json-lines.js';
import { threadLimits } from './limits.js';
import type { ChildMessage, ChildRequest, ParentMessage, ThreadMessage } from './messages.js';
import type { NetRules } from './net/authorize.js';
import { serveNet } from './net/bridge.js';

/**
 * The main thread of a single-use run child: gets one request on descriptor 3, hands it to the interpreting thread,
 * passes its messages on and ends the process. When the channel closes nobody wants the run: the whole group goes.
 */
function runChild(): void {
  const channel = new Socket({ fd: 3 });
  const thread = new Worker(join(__dirname, 'run-thread.cjs'), { resourceLimits: threadLimits });
  const say = (message: ChildMessage, then?: () => void): void => {
    channel.write(`${JSON.stringify(message)}\n`, then);
  };
  // Ending a process takes longer than a small program: the supervisor learns from the closed streams that all is said.
  const finish = (exitCode: number): void => {
    closeSync(1);
    closeSync(2);
    say({ kind: 'finished', exitCode }, () => process.exit(exitCode));
  };
  channel.on('close', endGroup);
  channel.on('error', endGroup);
  let request: ParentMessage = null;
  splitLines(channel, (line) => {
    request = JSON.parse(line) as ParentMessage;
    thread.postMessage(request);
  });
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind === 'finished') finish(message.exitCode);
    else if (message.kind !== 'network') say(message);
    else if (request !== null) serveNet(message.port, netRules(request));
  });
  thread.on('error', (error) => {
    writeAll(2, Buffer.from(`Error: execution failed: ${failure(error)}\n`));
    finish(1);
  });
}

/** Where this run may connect, from the policy as the supervisor judged it: the interpreting thread is not asked. */
function netRules({ policyPath, policyText }: ChildRequest): NetRules {
  const { caps, netAllow, netAllowHttp } = parsePolicy(policyPath, Buffer.from(policyText));
  return { netAllow: caps.includes('Net') ? netAllow : [], netAllowHttp };
}

function failure(error: Error): string {
  if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY')
    return `RT007: the program needs more than ${threadLimits.maxOldGenerationSizeMb} MB of memory`;
  if (error instanceof RangeError) return 'RT_REC_003: the program recurses too deeply';
  return `internal error of the interpreter: ${error.message}`;
}

/** The child leads its process group; started by hand it does not, and ends itself. */
function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}

runChild();
