import { expectPositionals, parseFlags } from '../arguments.js';
import { get } from '../client/http.js';
import { EXIT_OK } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] head

Prints the ref of the current world.`,

  async run({ args, addr, io }) {
    expectPositionals(parseFlags(args, {}).positionals, 0, 0, 'no arguments');
    io.stdout.write(`${(await get(addr, '/v1/head')).trim()}\n`);
    return EXIT_OK;
  },
};
