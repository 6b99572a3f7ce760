import { errorReply, type Reply } from '../http/respond.js';

/** Why a read has no answer, in the envelope of world-behaviour 2. */
export const READ_FAILURES = {
  timeout: errorReply(503, 'Timeout', 'the read did not end in time; send it again'),
  internal: errorReply(500, 'Internal', 'internal store failure'),
} as const;

export const badRequest = (message: string): Reply => errorReply(400, 'BadRequest', message);
export const notFound = (message: string): Reply => errorReply(404, 'NotFound', message);
