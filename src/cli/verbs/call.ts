import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../log/types.js';
import { expectPositionals, parseFlags } from '../arguments.js';
import { callTool } from '../client/mcp-call.js';
import { resolveToken } from '../client/token.js';
import { toolArguments } from '../client/tool-arguments.js';
import { EXIT_INTEGRITY, EXIT_OK } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

/** Longer values are cut and their size is named (bytes). */
const SHOWN_BYTES = 400;

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] call <tool> [--session <file>]
         ([--arg k=v]... [--arg-json k=<json>]... | --json <object>|@file|-) [--json-out] [--strict]

Calls one tool. A refusal is a normal, committed result: exit 0.
  --arg k=v          an argument that is a string
  --arg-json k=json  an argument that is any JSON value
  --json <object>    all arguments at once; @file reads a file, - reads stdin
  --json-out         print exactly the committed output bytes and one newline (pipe into: why -)
  --strict           exit 3 when the committed output says "ok": false
  --session <file>   token file (default: WORLD_SESSION)`,

  async run({ args, addr, io }) {
    const { values, positionals } = parseFlags(args, {
      session: { type: 'string' },
      arg: { type: 'string', multiple: true },
      'arg-json': { type: 'string', multiple: true },
      json: { type: 'string' },
      'json-out': { type: 'boolean' },
      strict: { type: 'boolean' },
    });
    expectPositionals(positionals, 1, 1, '<tool>');
    const [tool = ''] = positionals;
    const toolArgs = await toolArguments(values, io);
    const answer = await callTool(addr, await resolveToken(values.session, io), tool, toolArgs);
    io.stdout.write(values['json-out'] ? `${answer.text}\n` : describe(answer.text, answer.output));
    return values.strict && answer.output.ok === false ? EXIT_INTEGRITY : EXIT_OK;
  },
};

function describe(text: string, output: JsonObject): string {
  const bytes = Buffer.from(text, 'utf8');
  const fields = Object.entries(output)
    .filter(([name]) => name !== 'world')
    .map(([name, value]) => `${name}: ${shown(value)}`);
  const ref = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  return `${[...fields, `output: ${ref} (${bytes.length} bytes)`, ...worldBlock(output.world)].join('\n')}\n`;
}

function shown(value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= SHOWN_BYTES) return text.replace(/\n$/, '');
  return `${bytes.subarray(0, SHOWN_BYTES).toString('utf8')}… (${bytes.length} bytes)`;
}

function worldBlock(world: JsonValue | undefined): string[] {
  if (world === null || typeof world !== 'object' || Array.isArray(world)) return [];
  const { plan, effects } = world as { plan?: JsonValue; effects?: JsonValue };
  const rows = Array.isArray(effects) ? (effects as readonly JsonObject[]) : [];
  return ['world:', `  plan ${plan}`, ...rows.map((row) => `  effect ${row.id} ${row.status} ${row.record}`)];
}
