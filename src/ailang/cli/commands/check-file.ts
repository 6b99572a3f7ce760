import { check } from '../../check.js';
import type { CheckResult } from '../../interfaces.js';
import { builtins } from '../../std/builtins.js';
import { stdSource } from '../../std/source.js';
import type { CommandContext } from './context.js';

/** The file cannot be read; the message says why, `stat nope.ail: no such file or directory`. */
export class UnreadableFile extends Error {}

/** Checks one file and what it imports. @throws UnreadableFile */
export function checkFile(
  file: string,
  { sources, relaxModules, packages, strictSyntax = false }: CommandContext & { readonly strictSyntax?: boolean },
): CheckResult {
  let text: string | null;
  try {
    text = sources.read(file);
  } catch (error) {
    throw new UnreadableFile(error instanceof Error ? error.message : String(error));
  }
  if (text === null) throw new UnreadableFile(`stat ${file}: no such file or directory`);
  return check({ file, host: sources, std: stdSource, builtins, relaxModules, strictSyntax, packages });
}
