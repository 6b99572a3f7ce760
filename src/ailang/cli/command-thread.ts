import { parentPort } from 'node:worker_threads';
import type { CommandOutcome } from '../policy/policy-tool.js';
import { shippedExamples } from './commands/make-context.js';
import { runSandboxed } from './policy-tool-command.js';

/** Mode of the program file when it is loaded as the thread that runs commands. */
export const commandThreadMode = 'command-thread';

export interface CommandRequest {
  readonly argv: readonly string[];
  readonly root: string | null;
  /** Corpus directory; null is the one that ships with the package. */
  readonly examples: string | null;
}

export type CommandReply = { readonly outcome: CommandOutcome } | { readonly error: string };

/** Runs commands one after another, as they are asked for. */
export function commandThread(): void {
  const port = parentPort;
  if (port === null) throw new Error('the command thread has no parent');
  port.on('message', (request: CommandRequest) => port.postMessage(reply(request)));
}

function reply({ argv, root, examples }: CommandRequest): CommandReply {
  try {
    return { outcome: runSandboxed(argv, root, examples ?? shippedExamples()) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
