import { expectPositionals, parseFlags, usageError } from '../arguments.js';
import { get } from '../client/http.js';
import { refArgument } from '../client/ref-argument.js';
import { optionalToken } from '../client/token.js';
import { EXIT_OK } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] world get <ref> [--session <file>]

Prints a world: revision, state root and log head.`,

  async run({ args, addr, io }) {
    const { values, positionals } = parseFlags(args, { session: { type: 'string' } });
    expectPositionals(positionals, 2, 2, 'get <ref>');
    const [action = '', ref = ''] = positionals;
    if (action !== 'get') throw usageError(`unknown world verb "${action}"`, 'world get <ref>');
    const token = await optionalToken(values.session, io);
    io.stdout.write(`${(await get(addr, `/v1/worlds/${refArgument(ref)}`, token)).trim()}\n`);
    return EXIT_OK;
  },
};
