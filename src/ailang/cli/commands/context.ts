import type { SourceHost } from '../../interfaces.js';
import type { CommandOutcome } from '../../policy/policy-tool.js';
import type { SourceTree } from '../../testing/find-files.js';
import type { PackageCache } from '../package-cache.js';

/** What a command may look at. Commands only read, but for `fmt --write`; running programs is no command. */
export interface CommandContext {
  /** Source files: guarded by a sandbox root under a policy, else relative to the working directory. */
  readonly sources: SourceHost;
  /** Directory of the examples corpus. */
  readonly examples: string;
  readonly relaxModules: boolean;
  /** Judges a program under a policy file (`policy-check`); the path is relative to the working directory. */
  readonly cwd: string;
  /** Packages that the operator has provided; null when there are none. */
  readonly packages: PackageCache | null;
  /** Finds source files where `sources` reads them. */
  readonly tree: SourceTree;
  /** Replaces a source file as a whole; null where commands only look. */
  readonly write: ((path: string, text: string) => void) | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the output goes to a terminal. */
  readonly colour: boolean;
}

export type Command = (args: readonly string[], context: CommandContext) => CommandOutcome;

/** The command line is wrong; answered with exit code 2 and the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const printed = (stdout: string): CommandOutcome => ({ stdout, stderr: '', exitCode: 0 });
export const failed = (message: string, exitCode = 1): CommandOutcome => ({
  stdout: '',
  stderr: `Error: ${message}\n`,
  exitCode,
});
