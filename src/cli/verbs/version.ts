import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../ailang/package-root.js';
import { expectPositionals, parseFlags } from '../arguments.js';
import { EXIT_OK } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd version

Prints the version.`,

  async run({ args, io }) {
    expectPositionals(parseFlags(args, {}).positionals, 0, 0, 'no arguments');
    io.stdout.write(`ailang-worldd ${packageVersion()}\n`);
    return EXIT_OK;
  },
};

/** Version of this package, as its package.json says. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  return version;
}
