import type { JsonObject, JsonValue } from '../log/types.js';
import type { PolicyToolRequest, PolicyToolResponse } from '../toolchain/types.js';
import { type Handler, type HandlerCall, HandlerFailure } from './handler.js';

/** Members of a policy-tool request; every value but `flags` is text (ailang-cli 1.1). */
const TEXT_MEMBERS: readonly string[] = ['op', 'path', 'content', 'old_text', 'new_text', 'module', 'query', 'package'];
const FILE_OPS: readonly string[] = ['read', 'write', 'edit'];

const NO_CORPUS =
  'no examples corpus configured: start ailang-worldd serve with --examples-dir DIR (an AILANG examples corpus: manifest.json plus runnable/; `ailang examples download` makes one at ~/.ailang/examples)';

/** A handler that sends the payload to `ailang policy-tool`, for these operations only (world-formats 19.1). */
export function policyToolHandler(ops: readonly string[]): Handler {
  return async (context, call) => {
    const request = requestOf(call, ops);
    const { policy } = call.worktree;
    const stamp = { tool: context.toolchain.identity.ref, policy_digest: policy.digest };
    if (request.op.startsWith('examples_') && !context.examples) {
      return { ok: false, refused: NO_CORPUS, ...stamp };
    }
    const response = await context.toolchain.policyTool(policy, request, call.deadlineMs);
    return { ...answerOf(request.op, response), ...stamp };
  };
}

/**
 * Encodes anew what was checked, so that nothing else reaches the toolchain: no unknown key, no key in another case, no
 * operation outside the effect's list.
 */
function requestOf(call: HandlerCall, ops: readonly string[]): PolicyToolRequest {
  const { op } = call.payload;
  if (typeof op !== 'string' || !ops.includes(op)) {
    throw new HandlerFailure(`op ${JSON.stringify(op ?? null)} is not one of ${call.effect}`);
  }
  const request: { op: string; [key: string]: JsonValue } = { op };
  for (const [key, value] of Object.entries(call.payload)) {
    if (key === 'flags') request.flags = flagsOf(op, value);
    else if (TEXT_MEMBERS.includes(key) && typeof value === 'string') request[key] = value;
    else throw new HandlerFailure(`the request member ${JSON.stringify(key)} is not admitted`);
  }
  return request;
}

function flagsOf(op: string, flags: JsonValue): JsonObject {
  if (typeof flags !== 'object' || flags === null || Array.isArray(flags)) {
    throw new HandlerFailure('flags must be an object of string values');
  }
  const entries = Object.entries(flags);
  if (entries.some(([, value]) => typeof value !== 'string')) {
    throw new HandlerFailure('flags must be an object of string values');
  }
  if (op === 'fmt' && entries.some(([name]) => name.toLowerCase().replace(/^-+/, '') === 'write')) {
    throw new HandlerFailure('op "fmt" flag "write" writes the worktree; ailang-cli never writes');
  }
  return Object.fromEntries(entries);
}

/** The members each kind of operation answers with, and no others. */
function answerOf(op: string, response: PolicyToolResponse): JsonObject {
  const { ok, refused, content, argv, exit_code, stdout, stderr } = response;
  const refusal: JsonObject = refused === undefined ? {} : { refused };
  if (FILE_OPS.includes(op)) return op === 'read' && ok ? { ok, content: content ?? '' } : { ok, ...refusal };
  if (refused !== undefined && argv === undefined) return { ok: false, refused };
  return { ok, ...refusal, argv: argv ?? [], exit_code: exit_code ?? 0, stdout: stdout ?? '', stderr: stderr ?? '' };
}
