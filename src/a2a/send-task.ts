import type { SurfaceContext } from '../daemon/types.js';
import { DENIAL_TEXT, type SessionDenial } from '../http/bearer.js';
import { describeCause } from '../http/operator-cause.js';
import { parseStrictJson } from '../http/strict-json.js';
import { InvocationFailure } from '../invocation/failure.js';
import type { Completed } from '../invocation/types.js';
import type { JsonObject, JsonValue, SessionState } from '../log/types.js';
import { answerTo, DEADLINE, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, type TaskError } from './failures.js';
import { type RequestId, requestEnvelope, requestId, taskParams } from './task.js';

export type TaskAnswer =
  | { readonly id: RequestId; readonly result: JsonObject }
  | { readonly id: RequestId; readonly error: TaskError };

/**
 * Answers the body of `POST /a2a/`: session, envelope, method, params, then the call, the first that is wrong. After
 * `deadline` (Unix milliseconds) the call is answered for although it goes on to its commit: resending the id finds it.
 */
export async function sendTask(
  context: SurfaceContext,
  body: Buffer,
  authorization: string | undefined,
  deadline: number,
): Promise<TaskAnswer> {
  const json = parseStrictJson(body);
  const value: JsonValue = json.ok ? json.value : null;
  const id = idOf(value);
  const resolution = context.resolveSession(authorization);
  if (resolution.outcome !== 'live') return { id, error: deniedSession(resolution.outcome) };
  const request = requestEnvelope.safeParse(value);
  if (!request.success) return { id, error: INVALID_REQUEST };
  if (request.data.method !== 'tasks/send') return { id, error: METHOD_NOT_FOUND };
  if (json.ok && json.flaw !== null) return { id, error: INVALID_PARAMS };
  const params = taskParams.safeParse(request.data.params);
  if (!params.success) return { id, error: INVALID_PARAMS };
  const { metadata, message } = params.data;
  const answer = invoke(context, resolution.session, id, {
    taskId: params.data.id,
    tool: metadata.skill_id,
    args: message.parts[0].data,
    ...(metadata.transition_fn === undefined ? {} : { transitionFn: metadata.transition_fn }),
  });
  return before(deadline - context.now(), answer, { id, error: DEADLINE });
}

async function before<T>(ms: number, answer: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), otherwise);
  });
  const first = await Promise.race([answer, late]);
  clearTimeout(timer);
  return first;
}

function deniedSession(denial: SessionDenial): TaskError {
  return { code: denial === 'malformed' ? -32600 : -32001, message: DENIAL_TEXT[denial] };
}

function idOf(value: JsonValue): RequestId {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const id = requestId.safeParse((value as JsonObject).id);
  return id.success ? id.data : null;
}

interface Task {
  readonly taskId: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly transitionFn?: string;
}

async function invoke(context: SurfaceContext, session: SessionState, id: RequestId, task: Task): Promise<TaskAnswer> {
  try {
    const visible = context.invoker.visibleTools(session).some((tool) => tool.id === task.tool);
    if (!visible) throw new InvocationFailure('unknown-tool', `a2a:${session.episode}:${task.taskId}`, 'no such skill');
    const completed = await context.invoker.invoke({ surface: 'a2a', session, ...task });
    return { id, result: taskResult(task.taskId, completed) };
  } catch (failure) {
    const invocationId =
      failure instanceof InvocationFailure ? failure.invocationId : `a2a:${session.episode}:${task.taskId}`;
    const cause = JSON.stringify(describeCause(failure));
    context.report(`ailang-worldd: a2a refusal: tasks/send ${invocationId}: ${cause}`);
    return { id, error: answerTo(failure) };
  }
}

function taskResult(taskId: string, { output, invocationId, entry }: Completed): JsonObject {
  return {
    id: taskId,
    status: { state: 'completed' },
    artifacts: [{ parts: [{ type: 'data', data: output }] }],
    metadata: { invocation_id: invocationId, world_ref: entry.worldRef, entry_index: entry.index },
  };
}
