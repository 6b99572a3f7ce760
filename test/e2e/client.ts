import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { atEnd } from '../cleanup.js';
import type { Announcement } from './world.js';

export type Output = Record<string, unknown>;

/** The `world` member of every result. */
export interface WorldBlock {
  readonly effects: readonly { readonly id: string; readonly status: string; readonly record: string }[];
  readonly plan: string;
}

export interface CallResult {
  readonly output: Output;
  readonly world: WorldBlock;
  /** The text item: exactly the committed output. */
  readonly text: string;
  readonly meta: Output;
}

export interface Connection {
  readonly client: Client;
  call(tool: string, args: Output): Promise<CallResult>;
}

/** Connects the official MCP client over HTTP; closed after the test. Each call checks what holds for every result. */
export async function connect(
  t: TestContext,
  daemon: Pick<Announcement, 'url'> & { token: string },
): Promise<Connection> {
  const client = new Client({ name: 'world-e2e', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(daemon.url), {
    requestInit: { headers: { Authorization: `Bearer ${daemon.token}` } },
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  atEnd(t, () => client.close());
  await client.listTools();
  return {
    client,
    async call(tool, args) {
      const result = await client.callTool({ name: tool, arguments: args });
      const content = result.content as { type: string; text: string }[];
      assert.equal(content.length, 1);
      const text = content[0]?.text ?? '';
      const output = result.structuredContent as Output;
      assert.deepEqual(JSON.parse(text), output, 'the text item and structuredContent are the same JSON');
      assert.equal(result.isError, undefined, 'a refusal is a normal result');
      return { output, world: output.world as WorldBlock, text, meta: (result._meta ?? {}) as Output };
    },
  };
}
