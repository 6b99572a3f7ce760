import type { Writable } from 'node:stream';

/** What a verb may touch of the process it runs in; a test passes its own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** True when stdout is a terminal and `NO_COLOR` is not set. */
  readonly colour: boolean;
  readStdin(): Promise<Buffer>;
  /** Asks the person at the terminal and resolves with the line; null when there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
}

export interface VerbCall {
  /** What follows the verb. */
  readonly args: readonly string[];
  /** Daemon address, without a trailing slash. */
  readonly addr: string;
  /** Whether `--addr` was given. */
  readonly addrGiven: boolean;
  readonly io: Io;
}

/** What each file in `verbs/` exports. */
export interface VerbModule {
  /** Shown by `help <verb>` and `<verb> --help`. */
  readonly usage: string;
  /** Resolves with the exit code (`exit-codes.ts`). */
  run(call: VerbCall): Promise<number>;
}
