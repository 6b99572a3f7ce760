import type { SessionResolution } from '../daemon/types.js';

export type SessionDenial = Exclude<SessionResolution['outcome'], 'live'>;

/** The words of each denial, on every surface (world-formats 14). */
export const DENIAL_TEXT: Readonly<Record<SessionDenial, string>> = {
  absent: 'session credential is absent: send Authorization: Bearer <session-credential>',
  malformed: 'malformed Authorization header: expected Bearer <64-hex-credential>',
  unknown: 'unknown session credential',
  expired: 'session credential has expired',
};

/** What tells a client that a bearer token is wanted; no discovery is offered. */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer' } as const;
