import { InvocationFailure } from '../invocation/failure.js';
import type { InvocationFailureKind } from '../invocation/types.js';

export interface TaskError {
  readonly code: -32001 | -32600 | -32601 | -32602 | -32603;
  readonly message: string;
}

export const INVALID_REQUEST: TaskError = { code: -32600, message: 'invalid JSON-RPC request' };
export const METHOD_NOT_FOUND: TaskError = { code: -32601, message: 'method not found' };
export const INVALID_PARAMS: TaskError = { code: -32602, message: 'invalid params' };
const NOT_AUTHORIZED: TaskError = { code: -32602, message: 'not authorized' };
const ID_USED: TaskError = { code: -32602, message: 'task id already used in this session' };
const UNCONFIRMED: TaskError = {
  code: -32603,
  message: 'invocation outcome is not confirmed; resend the same task id',
};

/** The caller reads the deadline's error on a connection that is closed after it. */
export const DEADLINE: TaskError = { code: -32603, message: 'invocation exceeded its deadline' };

/** One answer for each way a call ends without a committed result (world-behaviour 4). */
const ANSWERS: Readonly<Record<Exclude<InvocationFailureKind, 'effects-unrecorded'>, TaskError>> = {
  'invalid-call': INVALID_PARAMS,
  'unknown-tool': NOT_AUTHORIZED,
  'transition-mismatch': { code: -32602, message: 'proposal does not match the registered transition' },
  'in-flight': ID_USED,
  'id-used': ID_USED,
  'unsupported-effect': { code: -32603, message: 'transition declares an effect this daemon has no handler for' },
  'world-absent': { code: -32603, message: 'no world is selected; commit a genesis world first' },
  execution: { code: -32603, message: 'transition execution failed' },
  output: { code: -32603, message: 'transition output is not a JSON object' },
  deadline: DEADLINE,
  unconfirmed: UNCONFIRMED,
  'not-committed': { code: -32603, message: 'invocation was not committed; send a new task id' },
  capacity: { code: -32603, message: 'transition invocation is not available in this daemon' },
};

/** Effects that ran without an entry come first, whatever else went wrong. An unforeseen error proves nothing. */
export function answerTo(failure: unknown): TaskError {
  if (!(failure instanceof InvocationFailure)) return UNCONFIRMED;
  if (failure.kind === 'effects-unrecorded' || failure.effectRecords.length > 0) {
    const refs = failure.effectRecords.join(' ');
    return {
      code: -32603,
      message: `effects were requested but the invocation was not confirmed committed; effect records: ${refs}`,
    };
  }
  return ANSWERS[failure.kind];
}
