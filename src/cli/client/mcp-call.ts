import { z } from 'zod';
import { WorldError } from '../../errors.js';
import type { JsonObject } from '../../log/types.js';
import { get, request, statusError } from './http.js';

const answerSchema = z.looseObject({
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
const toolResultSchema = z.looseObject({
  content: z.tuple([z.looseObject({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.record(z.string(), z.json()),
  _meta: z.record(z.string(), z.json()).optional(),
});
const toolsSchema = z.looseObject({
  tools: z.array(
    z.looseObject({
      name: z.string(),
      description: z.string().optional(),
      inputSchema: z.looseObject({ required: z.array(z.string()).optional() }),
    }),
  ),
});

export interface ToolAnswer {
  /** The committed output, byte for byte. */
  readonly text: string;
  readonly output: JsonObject;
  readonly meta: JsonObject;
}
export type ListedTool = z.infer<typeof toolsSchema>['tools'][number];

/**
 * One `tools/call` without a handshake. Not through the SDK: loading that costs more than the call.
 * @throws WorldError `tool-error` (JSON-RPC error), `session-refused` (401), `host-failure` (-32603)
 */
export async function callTool(addr: string, token: string, name: string, args: JsonObject): Promise<ToolAnswer> {
  const headBefore = await currentHead(addr);
  const result = await rpc(addr, token, 'tools/call', { name, arguments: args }, headBefore);
  const parsed = toolResultSchema.safeParse(result);
  if (!parsed.success)
    throw new WorldError('tool-error', 'the daemon answered with something that is not a tool result');
  return {
    text: parsed.data.content[0].text,
    output: parsed.data.structuredContent as JsonObject,
    meta: (parsed.data._meta ?? {}) as JsonObject,
  };
}

/** The tools the session may call now, in the daemon's order. Errors as for `callTool`. */
export async function listTools(addr: string, token: string): Promise<readonly ListedTool[]> {
  const parsed = toolsSchema.safeParse(await rpc(addr, token, 'tools/list', {}, undefined));
  if (!parsed.success) throw new WorldError('tool-error', 'the daemon answered with something that is not a tool list');
  return parsed.data.tools;
}

async function rpc(addr: string, token: string, method: string, params: JsonObject, headBefore: string | undefined) {
  const reply = await request(addr, '/mcp/', {
    token,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  if (reply.status === 401)
    throw new WorldError('session-refused', reply.body.trim(), {
      hint: 'mint another with: ailang-worldd session new <episode> --out <file>',
    });
  if (reply.status !== 200) throw statusError('/mcp/', reply);
  const answer = parseAnswer(reply.contentType.startsWith('text/event-stream') ? eventData(reply.body) : reply.body);
  if (answer.error === undefined) return answer.result;
  const { code, message } = answer.error;
  if (code === -32603) throw await hostFailure(addr, message, headBefore);
  throw new WorldError('tool-error', message, { data: { code } });
}

function parseAnswer(text: string): z.infer<typeof answerSchema> {
  try {
    return answerSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new WorldError('tool-error', 'the daemon answered with something that is not JSON-RPC', { cause });
  }
}

/** The `data:` lines of the last event. */
function eventData(body: string): string {
  const events = body.split(/\r?\n\r?\n/).filter((event) => /^data:/m.test(event));
  return (events.at(-1) ?? '')
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n');
}

/** A host failure does not say whether the call was committed; the head does, when nobody else is writing. */
async function hostFailure(addr: string, message: string, headBefore: string | undefined): Promise<WorldError> {
  const headAfter = await currentHead(addr);
  if (headAfter === undefined)
    return new WorldError('host-failure', `${message}: no world head`, {
      hint: 'write genesis first: ailang-worldd up',
    });
  if (headAfter === headBefore)
    return new WorldError('host-failure', message, {
      hint: "nothing was committed; the cause is on the daemon's stderr",
    });
  const index = await revisionOf(addr, headAfter);
  return new WorldError('host-failure', `${message}: a commit landed (entry ${index})`, {
    hint: `do not retry; ailang-worldd why ${index}`,
  });
}

async function currentHead(addr: string): Promise<string | undefined> {
  const reply = await request(addr, '/v1/head');
  return reply.status === 200 ? reply.body.trim() : undefined;
}

async function revisionOf(addr: string, head: string): Promise<number> {
  const world = JSON.parse(await get(addr, `/v1/worlds/${head}`)) as { revision: number };
  return world.revision;
}
