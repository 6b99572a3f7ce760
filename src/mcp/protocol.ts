import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { SurfaceContext } from '../daemon/types.js';
import type { HttpLimits } from '../http/limits.js';
import type { ToolDescriptor } from '../tools/types.js';
import { ExchangeTransport } from './exchange.js';
import { hostFailure, RpcError, unknownMethod } from './failures.js';
import { negotiate } from './protocol-version.js';
import { ToolCalls } from './tool-call.js';

const INSTRUCTIONS = [
  'You work in one git worktree through these tools only; every call is recorded in the world log.',
  'Paths are relative to the root of the worktree. Read a file before editing it.',
  'Run ailang-check after every change to an .ail file and before ailang-run.',
  'A refusal is a normal result: change what it names, never resend the identical call.',
  'Budgets are counted in calls and are not refunded.',
].join(' ');

/** Any client may say hello, whatever else it tells about itself. */
const initializeRequest = z.object({
  method: z.literal('initialize'),
  params: z.object({ protocolVersion: z.string() }),
});

/** One protocol object for the life of the daemon; building one per request costs about a millisecond. */
export async function createProtocol(context: SurfaceContext, limits: HttpLimits): Promise<ExchangeTransport> {
  const transport = new ExchangeTransport();
  const serverInfo = { name: 'ailang-world', version: context.version };
  const capabilities = { tools: { listChanged: false } };
  const server = new Server(serverInfo, { capabilities });
  const calls = new ToolCalls(context, limits);

  server.setRequestHandler(initializeRequest, ({ params }) => ({
    protocolVersion: negotiate(params.protocolVersion),
    capabilities,
    serverInfo,
    instructions: INSTRUCTIONS,
  }));
  server.setRequestHandler(ListToolsRequestSchema, (_request, extra) =>
    knownErrors(context, async () => {
      const { session } = transport.exchangeOf(extra.requestId);
      return { tools: context.invoker.visibleTools(session).map(listing) };
    }),
  );
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    knownErrors(context, () => calls.call(params.name, transport.exchangeOf(extra.requestId))),
  );
  server.fallbackRequestHandler = ({ method }) => Promise.reject(unknownMethod(method));
  server.onerror = (error) => context.report(`ailang-worldd: mcp protocol: ${JSON.stringify(error.message)}`);
  await server.connect(transport);
  return transport;
}

/** Anything but an answer meant for the client becomes a host failure; its text goes to the operator only. */
async function knownErrors<T>(context: SurfaceContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcError) throw error;
    context.report(
      `ailang-worldd: mcp refusal: ${JSON.stringify(error instanceof Error ? error.message : String(error))}`,
    );
    throw hostFailure('host callback failed');
  }
}

/** Clients drop the whole list when a schema's top level has no `type: "object"`. */
function listing(tool: ToolDescriptor): Tool {
  const { id, title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name: id,
    title,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    outputSchema: { ...outputSchema, type: 'object' },
    annotations: { title, ...annotations },
  };
}
