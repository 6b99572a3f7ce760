import type { CommandRequest } from '../../ailang/cli/command-thread.js';
import type { CommandOutcome } from '../../ailang/policy/policy-tool.js';
import { CommandLane, pastDeadline } from './command-lane.js';

/** Commands that may take seconds: proofs, and the programs that tests run. */
const slow: ReadonlySet<string> = new Set(['ai-check', 'test']);
/** More would only share the processors and the memory: a loaded solver is large. */
const slowLanes = 2;

interface Waiting {
  readonly request: CommandRequest;
  /** When there is no more time for it, on the clock of `performance.now()`. */
  readonly expires: number;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (outcome: CommandOutcome) => void;
  readonly reject: (error: Error) => void;
}

/** Lanes of one kind and what waits for them, in the order of arrival. */
class Lanes {
  readonly #lanes: readonly CommandLane[];
  readonly #waiting: Waiting[] = [];

  constructor(program: string, count: number) {
    this.#lanes = Array.from({ length: count }, () => new CommandLane(program));
  }

  run(request: CommandRequest, deadlineMs: number): Promise<CommandOutcome> {
    return new Promise((resolve, reject) => {
      const expires = performance.now() + deadlineMs;
      const timer = setTimeout(() => this.#giveUp(waiting), deadlineMs);
      const waiting: Waiting = { request, expires, timer, resolve, reject };
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  /** The first lane that is free: what it remembers of earlier proofs serves the next. */
  #next(): void {
    const lane = this.#lanes.find(({ busy }) => !busy);
    const waiting = lane === undefined ? undefined : this.#waiting.shift();
    if (lane === undefined || waiting === undefined) return;
    clearTimeout(waiting.timer);
    const done = lane.run(waiting.request, waiting.expires - performance.now());
    done.then(waiting.resolve, waiting.reject).finally(() => this.#next());
  }

  #giveUp(waiting: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    waiting.reject(new Error(pastDeadline));
  }
}

/** Runs commands in long-lived threads, so that a slow proof delays no quick command and no other proof. */
export class CommandRunner {
  readonly #examples: string | null;
  readonly #quick: Lanes;
  readonly #slow: Lanes;

  constructor(program: string, examples: string | null) {
    this.#examples = examples;
    this.#quick = new Lanes(program, 1);
    this.#slow = new Lanes(program, slowLanes);
  }

  /** @throws Error when the deadline passes or the thread dies */
  run(argv: readonly string[], root: string | null, deadlineMs: number): Promise<CommandOutcome> {
    const lanes = slow.has(argv[0] ?? '') ? this.#slow : this.#quick;
    return lanes.run({ argv, root, examples: this.#examples }, deadlineMs);
  }
}
