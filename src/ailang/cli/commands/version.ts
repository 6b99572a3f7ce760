import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.js';
import { goJson } from '../../policy/go-text.js';
import { parseArguments } from './arguments.js';
import { type Command, printed } from './context.js';

/** The level of the language and of the command line that this toolchain follows. */
export const languageVersion = 'v0.52.1';

export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;

/** `version [--json]`: the first line is the language level, the second the program. */
export const versionCommand: Command = (args) => {
  const { flags } = parseArguments(args, { json: 'boolean' });
  if (flags.json) return printed(`${goJson({ language: languageVersion, program: packageVersion() }, 2)}\n`);
  return printed(
    `AILANG ${languageVersion}\nailang-world ${packageVersion()} (embedded toolchain, language level ${languageVersion})\n`,
  );
};
