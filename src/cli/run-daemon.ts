import { once } from 'node:events';
import { explainFileError } from '../daemon/file-errors.js';
import type { RunningDaemon } from '../daemon/start.js';
import { WorldError } from '../errors.js';
import { EXIT_FATAL, EXIT_OK, EXIT_USAGE } from './exit-codes.js';
import type { Io } from './verb.js';

/** Waits for SIGINT, SIGTERM or the end of the terminal, then drains. A second signal ends the process at once. */
export async function serveUntilSignal(daemon: RunningDaemon, io: Io): Promise<number> {
  // A limit on file sizes fails the write, as a full disk does, instead of ending the process.
  process.on('SIGXFSZ', () => undefined);
  const stop = new AbortController();
  await Promise.race((['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => once(process, signal, stop)));
  stop.abort();
  const { drained } = await daemon.stop();
  if (drained) return EXIT_OK;
  io.stderr.write('ailang-worldd: calls were still running after 10 s; what they started stays spent and recorded\n');
  return EXIT_USAGE;
}

/** Puts a failure before listening into its form: `daemon startup failed at <stage>: …`, exit 2. */
export async function startingUp<T>(stage: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (raw) {
    const error = explainFileError(raw);
    if (!(error instanceof WorldError) || error.code === 'usage' || error.data.exitCode === EXIT_FATAL) throw error;
    throw new WorldError(error.code, `daemon startup failed at ${stageOf(error.code, stage)}: ${error.message}`, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      data: { ...error.data, exitCode: EXIT_FATAL },
      cause: error,
    });
  }
}

function stageOf(code: string, stage: string): string {
  if (code === 'bind-policy') return 'bind-policy';
  if (code.startsWith('listen') || code.startsWith('control-')) return 'listen';
  return stage;
}
