import { parentPort } from 'node:worker_threads';
import { stdModules, stdSource } from '../../std/source.js';
import type { ChildMessage, ChildRequest } from './messages.js';
import { rehearse } from './rehearsal.js';
import { runUnderPolicy } from './run-program.js';

/** The thread of a run child that interprets; its other thread stays free to notice that nobody wants the result. */
export function runThread(): void {
  const port = parentPort;
  if (port === null) throw new Error('the run thread has no parent');
  const say = (message: ChildMessage): void => port.postMessage(message);
  // Read now, when nobody waits.
  for (const module of stdModules()) stdSource(module);
  rehearse();
  say({ kind: 'ready' });
  port.once('message', (request: ChildRequest) => say({ kind: 'finished', exitCode: runUnderPolicy(request, say) }));
}
