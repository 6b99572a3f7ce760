import { expectPositionals, parseFlags, usageError } from '../arguments.js';
import { listTools } from '../client/mcp-call.js';
import { resolveToken } from '../client/token.js';
import { EXIT_OK } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

const DESCRIPTION_WIDTH = 80;

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] tools list [--session <file>] [--json]

Lists the tools this session's live grants show.
  --session <file>  token file (default: WORLD_SESSION)
  --json            the tools array as the daemon sent it`,

  async run({ args, addr, io }) {
    const { values, positionals } = parseFlags(args, { session: { type: 'string' }, json: { type: 'boolean' } });
    expectPositionals(positionals, 1, 1, '"list"');
    if (positionals[0] !== 'list') throw usageError(`unknown tools verb "${positionals[0]}"`, 'tools list');
    const tools = await listTools(addr, await resolveToken(values.session, io));
    if (values.json) {
      io.stdout.write(`${JSON.stringify(tools)}\n`);
      return EXIT_OK;
    }
    const width = Math.max(0, ...tools.map((tool) => tool.name.length)) + 2;
    for (const tool of tools) {
      io.stdout.write(`${tool.name.padEnd(width)}${firstWords(tool.description ?? '')}\n`);
      io.stdout.write(`${''.padEnd(width)}required: ${tool.inputSchema.required?.join(', ') || '(nothing)'}\n`);
    }
    io.stdout.write(`${tools.length} tool(s)\n`);
    return EXIT_OK;
  },
};

function firstWords(text: string): string {
  return text.length <= DESCRIPTION_WIDTH ? text : `${text.slice(0, DESCRIPTION_WIDTH - 1)}…`;
}
