import { isLive } from '../broker/decide.js';
import { WorldError } from '../errors.js';
import { encodeCanonical } from '../log/canonical-json.js';
import type { SessionState } from '../log/types.js';
import type { ToolDescriptor } from '../tools/types.js';
import { type Invocation, type InvokerDeps, Progress } from './context.js';
import { InvocationFailure } from './failure.js';
import type { Call } from './types.js';

/** Most bytes of an input or output object. */
export const OBJECT_LIMIT = 1024 * 1024;

/**
 * Checks everything that can be known before a call is queued (world-formats 6, steps 1 and 6).
 * @throws InvocationFailure `invalid-call`, `unknown-tool`, `transition-mismatch`, `world-absent`, `unsupported-effect`
 */
export function admit(deps: InvokerDeps, call: Call): Invocation {
  const { surface, session, taskId, tool, args } = call;
  const invocationId = `${surface}:${session.episode}:${taskId}`;
  const fail = (kind: ConstructorParameters<typeof InvocationFailure>[0], message: string, cause?: unknown) =>
    new InvocationFailure(kind, invocationId, message, { cause });
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(taskId)) throw fail('invalid-call', 'a task id is 1 to 128 of A-Z a-z 0-9 . _ -');
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw fail('invalid-call', 'the arguments must be a JSON object');
  }
  const input = encodeInputObject(call, fail);
  const loaded = deps.tools.get(tool);
  if (loaded === undefined || !isVisible(loaded.tool.descriptor, session, seconds(deps))) {
    throw fail('unknown-tool', `unknown tool ${JSON.stringify(tool.slice(0, 80))}`);
  }
  if (call.transitionFn !== undefined && call.transitionFn !== loaded.transitionFn) {
    throw fail('transition-mismatch', `${tool} is ${loaded.transitionFn} here`);
  }
  if (deps.log.state.tools() === undefined) throw fail('world-absent', 'the log records no tools');
  const unbound = loaded.tool.descriptor.declaredEffects.find((declared) => !deps.broker.supports(declared.effect));
  if (unbound !== undefined) throw fail('unsupported-effect', `there is no handler for ${unbound.effect}`);
  return { call, invocationId, loaded, input, arrivedAt: deps.now(), progress: new Progress() };
}

/** Tools whose effect the session holds a live grant for, in byte order; a budget of 0 still lists them. */
export function visibleTools(deps: InvokerDeps, session: SessionState): readonly ToolDescriptor[] {
  const now = seconds(deps);
  return [...deps.tools.values()]
    .map(({ tool }) => tool.descriptor)
    .filter((descriptor) => isVisible(descriptor, session, now))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function seconds(deps: Pick<InvokerDeps, 'now'>): number {
  return Math.floor(deps.now() / 1000);
}

function isVisible(descriptor: ToolDescriptor, session: SessionState, now: number): boolean {
  return descriptor.access.some(({ effect, scope }) =>
    session.grants.some((grant) => grant.effect === effect && grant.scope === scope && isLive(grant, now)),
  );
}

function encodeInputObject(
  call: Call,
  fail: (kind: 'invalid-call', message: string, cause?: unknown) => InvocationFailure,
): Buffer {
  let input: Buffer;
  try {
    input = encodeCanonical(call.args);
  } catch (error) {
    const why = error instanceof WorldError ? error.message : 'they are not JSON';
    throw fail('invalid-call', `the arguments cannot be recorded: ${why}`, error);
  }
  if (input.length > OBJECT_LIMIT) {
    throw fail('invalid-call', `the arguments are ${input.length} bytes; the limit is ${OBJECT_LIMIT}`);
  }
  return input;
}
