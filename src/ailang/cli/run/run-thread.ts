import { parentPort } from 'node:worker_threads';
import { check } from '../../check.js';
import { run } from '../../eval/run.js';
import { builtins } from '../../std/builtins.js';
import { stdModules, stdSource } from '../../std/source.js';
import type { ChildMessage, ChildRequest, ThreadMessage } from './messages.js';
import { netEffect } from './net/bridge.js';
import { runUnderPolicy } from './run-program.js';

/** The thread of a run child that interprets; its other thread stays free to notice that nobody wants the result. */
export function runThread(): void {
  const port = parentPort;
  if (port === null) throw new Error('the run thread has no parent');
  const say = (message: ChildMessage): void => port.postMessage(message);
  warmUp();
  say({ kind: 'ready' });
  const net = netEffect((end) => port.postMessage({ kind: 'network', port: end } satisfies ThreadMessage, [end]));
  port.once('message', (request: ChildRequest) =>
    say({ kind: 'finished', exitCode: runUnderPolicy(request, net, say) }),
  );
}

const rehearsal = `module rehearsal
import std/io (println)
import std/list (map, foldl)
import std/string (join)
import std/option (Option, Some, None)
import std/result (Result, Ok, Err)
import std/json (decode)
import std/fs (readFile)
type Shape = Circle(int) | Square(int)
pure func area(s: Shape) -> int = match s { Circle(r) => 3 * r * r, Square(a) => a * a }
export func main() -> () ! {IO} {
  let areas = map(area, [Circle(1), Square(2)]);
  println("\${show(foldl(\\a b. a + b, 0, areas))} \${join(",", map(\\n. show(n), areas))}")
}
`;

/** Loads the library and compiles the paths every program takes, before there is a program. */
function warmUp(): void {
  for (const module of stdModules()) stdSource(module);
  const host = { read: (path: string) => (path === 'rehearsal.ail' ? rehearsal : null) };
  for (let round = 0; round < 3; round++) {
    const { program } = check({ file: 'rehearsal.ail', host, std: stdSource, builtins });
    if (program === null) return;
    run({
      program,
      entry: 'main',
      argsJson: 'null',
      host: { io: { write: () => {}, flush: () => {}, readLine: () => null }, charge: () => {} },
      maxDepth: 100,
      verifyContracts: false,
      printResult: false,
    });
  }
}
