import { expectPositionals, parseFlags } from '../arguments.js';
import { get } from '../client/http.js';
import { EXIT_OK } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] health

Prints what GET /v1/health answers.`,

  async run({ args, addr, io }) {
    expectPositionals(parseFlags(args, {}).positionals, 0, 0, 'no arguments');
    io.stdout.write(`${(await get(addr, '/v1/health')).trim()}\n`);
    return EXIT_OK;
  },
};
