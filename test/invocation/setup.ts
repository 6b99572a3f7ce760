import { createBroker } from '../../src/broker/broker.js';
import { createTimers } from '../../src/broker/timers.js';
import { createInvoker } from '../../src/invocation/invoker.js';
import type { LoadedTool } from '../../src/invocation/transitions.js';
import type { Call } from '../../src/invocation/types.js';
import { sha256Ref } from '../../src/log/hash.js';
import type { CredentialId, Grant, JsonObject, SessionState } from '../../src/log/types.js';
import {
  EPISODE,
  FakeTime,
  grant,
  INTERPRETER,
  MemoryLog,
  MemoryWorktree,
  ScriptedToolchain,
} from '../broker/doubles.js';
import { ALL_TOOLS } from '../tools/all-tools.js';

export const LOADED: ReadonlyMap<string, LoadedTool> = new Map(
  ALL_TOOLS.map((tool) => [
    tool.descriptor.id,
    { tool, transitionFn: sha256Ref(tool.descriptor.id), source: Buffer.from(tool.descriptor.id) },
  ]),
);

export const EVERY_GRANT: readonly Grant[] = [
  'Workspace.Read',
  'Workspace.Write',
  'Ailang.Check',
  'Ailang.Run',
  'Ailang.Discover',
  'Ailang.CLI',
].map((effect) => grant(effect, 50));

export function sessionWith(grants: readonly Grant[]): SessionState {
  return {
    credentialId: 'c'.repeat(64) as CredentialId,
    episode: EPISODE,
    grants,
    createdAt: 0,
    expiresAt: 2_000_000_000,
    revoked: false,
  };
}

export function setup(options: { tools?: ReadonlyMap<string, LoadedTool> } = {}) {
  const log = new MemoryLog();
  const toolchain = new ScriptedToolchain();
  const worktree = new MemoryWorktree();
  const time = new FakeTime();
  const timers = createTimers(time.after);
  const invoker = createInvoker({
    log,
    tools: options.tools ?? LOADED,
    broker: createBroker({ log, toolchain, examples: true, timers, report: () => undefined }),
    episodes: { worktree: async () => worktree, forget: () => undefined },
    interpreter: INTERPRETER,
    daemon: { name: 'ailang-worldd', email: 'daemon@localhost' },
    now: () => time.now,
    timers,
  });
  let calls = 0;
  const call = (tool: string, args: JsonObject, extra: Partial<Call> = {}): Call => {
    calls += 1;
    return { surface: 'a2a', session: sessionWith(EVERY_GRANT), taskId: `t${calls}`, tool, args, ...extra };
  };
  return { log, toolchain, worktree, time, invoker, call };
}
