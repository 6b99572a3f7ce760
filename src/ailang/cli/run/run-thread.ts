import { parentPort } from 'node:worker_threads';
import type { ChildMessage, ChildRequest, ThreadMessage } from './messages.js';
import { netEffect } from './net/bridge.js';
import { rehearse } from './rehearsal.js';
import { runUnderPolicy } from './run-program.js';

/** The thread of a run child that interprets; its other thread stays free to notice that nobody wants the result. */
function runThread(): void {
  const port = parentPort;
  if (port === null) throw new Error('the run thread has no parent');
  const say = (message: ChildMessage): void => port.postMessage(message);
  const net = netEffect((end) => port.postMessage({ kind: 'network', port: end } satisfies ThreadMessage, [end]));
  rehearse(net);
  say({ kind: 'ready' });
  port.once('message', (request: ChildRequest) =>
    say({ kind: 'finished', exitCode: runUnderPolicy(request, net, say) }),
  );
}

runThread();
