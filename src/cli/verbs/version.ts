import { packageVersion } from '../../daemon/version.js';
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
