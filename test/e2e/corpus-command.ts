import type { CorpusProgram } from './corpus-program.js';

/** What follows `ailang run` to run a program as it wants to be run. */
export function runCommand({ args, caps, entry, flags, argv, path }: CorpusProgram): string[] {
  const given = ['--entry', entry, ...flags, ...(args === null ? [] : ['--args-json', args])];
  return ['--caps', caps ?? 'IO,FS', ...given, path, ...(argv.length === 0 ? [] : ['--', ...argv])];
}

/** Those that the tool ailang-run can run: with its default capabilities and no flags. */
export const suitsTheTool = ({ caps, flags, entry }: CorpusProgram): boolean =>
  caps === null && flags.length === 0 && entry === 'main';
