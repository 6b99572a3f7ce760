import { BASE_CAPS } from '../episode/policy.js';
import { WorldError } from '../errors.js';
import type { RunPolicy, RunRequest } from '../toolchain/types.js';
import { firstRefusal, requiredString } from '../tools/arguments.js';
import { runBounds, runEffect } from '../tools/run-bounds.js';
import type { JsonRecord } from '../tools/types.js';
import { type Handler, type HandlerCall, HandlerFailure } from './handler.js';
import { runOutcome } from './run-outcome.js';

const MEMBERS: readonly string[] = ['path', 'args_json', 'stdin', 'argv', 'caps'];

/**
 * Runs a program under the policy of its exact capability set (world-formats 19.2). Every bound of the plan is checked
 * again, and the capabilities must be those of the effect that was granted.
 */
export const runHandler: Handler = async (context, call) => {
  const { request, caps } = checked(call);
  const policy = await policyFor(call, caps);
  const result = await context.toolchain.run(policy, request, call.deadlineMs);
  const outcome = runOutcome(result, policy);
  if (outcome === null) throw new HandlerFailure('the run ended in a way the policy layer does not explain');
  return outcome;
};

function checked(call: HandlerCall): { request: RunRequest; caps: readonly string[] } {
  const payload = call.payload as JsonRecord;
  const alien = Object.keys(payload).find((key) => !MEMBERS.includes(key));
  const refusal =
    alien === undefined
      ? firstRefusal(
          () => requiredString(payload, 'path'),
          () => runBounds(payload),
        )
      : `the request member ${JSON.stringify(alien)} is not admitted`;
  if (refusal !== null) throw new HandlerFailure(refusal);
  const caps = texts(payload.caps) ?? BASE_CAPS;
  if (runEffect(caps) !== call.effect) {
    throw new HandlerFailure(`a run with ${caps.join(', ')} is the effect ${runEffect(caps)}, not ${call.effect}`);
  }
  const argv = texts(payload.argv);
  return {
    caps,
    request: {
      path: String(payload.path),
      ...(typeof payload.args_json === 'string' ? { args_json: payload.args_json } : {}),
      ...(typeof payload.stdin === 'string' ? { stdin: payload.stdin } : {}),
      ...(argv === null ? {} : { argv }),
    },
  };
}

async function policyFor(call: HandlerCall, caps: readonly string[]): Promise<RunPolicy> {
  try {
    return await call.worktree.runPolicy(caps);
  } catch (error) {
    if (error instanceof WorldError && error.code === 'capability-not-enabled') {
      throw new HandlerFailure(error.message, error);
    }
    throw error;
  }
}

function texts(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;
}
