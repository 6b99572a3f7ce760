import { createHash } from 'node:crypto';
import { request } from 'node:http';
import type { TestContext } from 'node:test';
import type { SessionResolution, SurfaceContext } from '../../src/daemon/types.js';
import { HTTP_LIMITS, type HttpLimits } from '../../src/http/limits.js';
import { type Listening, listen } from '../../src/http/server.js';
import type { Call, Completed, Invoker } from '../../src/invocation/types.js';
import type { JsonObject, SessionState } from '../../src/log/types.js';
import type { ToolDescriptor } from '../../src/tools/types.js';
import { atEnd } from '../cleanup.js';
import { LogDouble } from './log-double.js';

export const TOKEN = 'a1'.repeat(32);
export const EXPIRED = 'b2'.repeat(32);
/** A session that holds a grant for ailang-read only. */
export const READER = 'c3'.repeat(32);

/** An Authorization header whose lookup fails. */
export const BROKEN = 'Bearer broken';

const EFFECTS: Readonly<Record<string, string>> = {
  'ailang-check': 'Ailang.Check',
  'ailang-read': 'Workspace.Read',
  'ailang-write': 'Workspace.Write',
};

const TOOLS: readonly ToolDescriptor[] = Object.entries(EFFECTS).map(([id, effect]) => ({
  id,
  title: `Title of ${id}`,
  description: `Does ${id}`,
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  // Without a top-level type, to see it added.
  outputSchema: { properties: { world: { type: 'object' } } },
  access: [{ effect, scope: 'worktree', cost: 0 }],
  declaredEffects: [{ effect, scope: 'worktree', cost: 1 }],
  annotations: {
    readOnlyHint: id !== 'ailang-write',
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
}));

function sessionOf(token: string, effects: readonly string[]): SessionState {
  return {
    credentialId: createHash('sha256').update(token).digest('hex') as SessionState['credentialId'],
    episode: 'ep1' as SessionState['episode'],
    grants: effects.map((effect) => ({ effect, scope: 'worktree', budget: 5, expiresAt: 2_000_000_000 })),
    createdAt: 0,
    expiresAt: 2_000_000_000,
    revoked: false,
  };
}

export const SESSION = sessionOf(TOKEN, Object.values(EFFECTS));

export type Script = (call: Call) => Promise<JsonObject> | JsonObject;

/** Runs a script instead of tools; remembers calls in the order they were started and ended. */
export class InvokerDouble implements Invoker {
  readonly started: Call[] = [];
  readonly ended: Call[] = [];
  /** Committed bytes, when they are not what JSON.stringify makes of the output. */
  bytes: Buffer | null = null;
  script: Script = (call) => ({ ok: true, tool: call.tool, world: { effects: [], plan: `sha256:${'0'.repeat(64)}` } });

  visibleTools(session: SessionState): readonly ToolDescriptor[] {
    return TOOLS.filter(({ access }) => session.grants.some(({ effect }) => effect === access[0]?.effect));
  }

  async invoke(call: Call): Promise<Completed> {
    const position = this.started.push(call);
    const output = await this.script(call);
    this.ended.push(call);
    return {
      output,
      outputBytes: this.bytes ?? Buffer.from(JSON.stringify(output)),
      invocationId: `${call.surface}:${call.session.episode}:${call.taskId}`,
      entry: {
        index: position as Completed['entry']['index'],
        entryHash: `sha256:${'e'.repeat(64)}` as Completed['entry']['entryHash'],
        worldRef: `sha256:${'f'.repeat(64)}` as Completed['entry']['worldRef'],
        commit: '1'.repeat(40) as Completed['entry']['commit'],
      },
      reconciled: false,
    };
  }

  async drain(): Promise<void> {}
}

export interface Surface extends Listening {
  readonly invoker: InvokerDouble;
  readonly log: LogDouble;
  readonly reports: string[];
  /** Drives the clock of the surfaces; starts at 1,000,000. */
  readonly clock: { now: number | null };
}

function resolveSession(authorization: string | undefined): SessionResolution {
  if (authorization === undefined) return { outcome: 'absent' };
  if (authorization === BROKEN) throw new Error('the store is gone');
  const match = /^Bearer ([0-9a-fA-F]{64})$/.exec(authorization);
  if (match === null) return { outcome: 'malformed' };
  if (match[1] === TOKEN) return { outcome: 'live', session: SESSION };
  if (match[1] === READER) return { outcome: 'live', session: sessionOf(READER, ['Workspace.Read']) };
  return { outcome: match[1] === EXPIRED ? 'expired' : 'unknown' };
}

/** A real server on a free port over doubles, closed after the test. */
export async function startSurface(t: TestContext, limits: Partial<HttpLimits> = {}): Promise<Surface> {
  const invoker = new InvokerDouble();
  const log = new LogDouble();
  const reports: string[] = [];
  const clock: { now: number | null } = { now: null };
  let drawn = 0;
  const context: SurfaceContext = {
    log,
    invoker,
    toolchain: {
      name: 'embedded',
      version: 'v0.52.1',
      ref: `sha256:${'7'.repeat(64)}` as SurfaceContext['toolchain']['ref'],
    },
    repository: '/repo/.git',
    version: '0.1.0',
    now: () => clock.now ?? Date.now(),
    random: (bytes) => createHash('shake256', { outputLength: bytes }).update(String(drawn++)).digest(),
    resolveSession,
    report: (line) => void reports.push(line),
  };
  const server = await listen(context, { host: '127.0.0.1', port: 0 }, { ...HTTP_LIMITS, ...limits });
  atEnd(t, () => server.close(0));
  return { ...server, invoker, log, reports, clock };
}

export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: NodeJS.Dict<string>;
  readonly body?: string | Buffer;
}

/** One request on a connection of its own. Headers set to undefined are left out. */
export function ask(
  { port }: Listening,
  path: string,
  { method = 'GET', headers = {}, body }: Ask = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const req = request({ host: '127.0.0.1', port, path, method, headers: given, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    req.on('error', reject);
    req.end(body);
  });
}

export const MCP_HEADERS = {
  Authorization: `Bearer ${TOKEN}`,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** One POST to /mcp/. `message` is sent as it is when a string, encoded otherwise. */
export function postMcp(surface: Listening, message: unknown, headers: NodeJS.Dict<string> = {}): Promise<Answer> {
  const body = typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message);
  return ask(surface, '/mcp/', { method: 'POST', headers: { ...MCP_HEADERS, ...headers }, body });
}

/** The JSON on the one data line of a reply. */
export function dataOf(answer: Answer): unknown {
  const match = /^event: message\ndata: ([^\n]*)\n\n$/.exec(answer.text);
  if (match === null) throw new Error(`not one SSE event: ${answer.status} ${answer.text.slice(0, 300)}`);
  return JSON.parse(match[1] ?? '');
}

export const toolCall = (args: unknown, id: string | number = 1, name = 'ailang-read') => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** Resolves once `condition` holds; fails after five seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error('the condition did not come true');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
