import { parentPort } from 'node:worker_threads';
import type { ChildMessage, ParentMessage, ThreadMessage } from './messages.js';
import { netEffect } from './net/bridge.js';
import { rehearsal } from './rehearsal.js';
import { runUnderPolicy } from './run-program.js';

/**
 * A child that is wanted at once is faster without a rehearsal: where one run follows the other, the processors are
 * needed for starting children.
 */
const quietMs = 150;

/** The thread of a run child that interprets; its other thread stays free to notice that nobody wants the result. */
function runThread(): void {
  const port = parentPort;
  if (port === null) throw new Error('the run thread has no parent');
  const say = (message: ChildMessage): void => port.postMessage(message);
  const net = netEffect((end) => port.postMessage({ kind: 'network', port: end } satisfies ThreadMessage, [end]));
  const parts = rehearsal(net).values();
  const rehearse = (): void => {
    const { done, value: part } = parts.next();
    if (done) {
      say({ kind: 'rehearsed' });
      return;
    }
    part();
    timer = setTimeout(rehearse, 0);
  };
  let timer = setTimeout(rehearse, quietMs);
  port.on('message', (request: ParentMessage) => {
    if (request === null) return;
    clearTimeout(timer);
    say({ kind: 'finished', exitCode: runUnderPolicy(request, net, say) });
  });
  say({ kind: 'ready' });
}

runThread();
