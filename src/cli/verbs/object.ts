import { expectPositionals, parseFlags, usageError } from '../arguments.js';
import { get } from '../client/http.js';
import { refArgument } from '../client/ref-argument.js';
import { optionalToken } from '../client/token.js';
import { EXIT_OK } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] object get <ref> [--payload] [--session <file>]

Prints the object's envelope; --payload adds its bytes in base64.`,

  async run({ args, addr, io }) {
    const { values, positionals } = parseFlags(args, { payload: { type: 'boolean' }, session: { type: 'string' } });
    expectPositionals(positionals, 2, 2, 'get <ref>');
    const [action = '', ref = ''] = positionals;
    if (action !== 'get') throw usageError(`unknown object verb "${action}"`, 'object get <ref>');
    const path = `/v1/objects/${refArgument(ref)}${values.payload ? '?payload=true' : ''}`;
    io.stdout.write(`${(await get(addr, path, await optionalToken(values.session, io))).trim()}\n`);
    return EXIT_OK;
  },
};
