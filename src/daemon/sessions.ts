import { createHash } from 'node:crypto';
import type { CredentialId, EpisodeId, Grant, LogState, OperatorAct } from '../log/types.js';
import type { MintedSession, SessionResolution } from './types.js';

/** SHA-256 over the 64 hex digits as text: the log never holds the token itself (world-formats 3). */
export function credentialIdOf(token: string): CredentialId {
  return createHash('sha256').update(token, 'ascii').digest('hex') as CredentialId;
}

/**
 * Judges an `Authorization` header: exactly two fields, the first `Bearer`, the second 64 hex digits of either case
 * (hashed as they stand). A session resolves while `now <= expiresAt`; its grants end one second earlier.
 * @param nowSeconds Unix seconds
 */
export function resolveBearer(
  authorization: string | undefined,
  state: LogState,
  nowSeconds: number,
): SessionResolution {
  if (authorization === undefined) return { outcome: 'absent' };
  const fields = authorization.split(/[ \t]+/).filter((field) => field !== '');
  const [scheme, token = ''] = fields;
  if (fields.length !== 2 || scheme !== 'Bearer' || !/^[0-9a-fA-F]{64}$/.test(token)) return { outcome: 'malformed' };
  const session = state.session(credentialIdOf(token));
  if (session === undefined || session.revoked) return { outcome: 'unknown' };
  if (nowSeconds > session.expiresAt) return { outcome: 'expired' };
  return { outcome: 'live', session };
}

/** A grant as the operator asks for it; its expiry is the session's. */
export type GrantRequest = Omit<Grant, 'expiresAt'>;

/** Makes a token and the act that records it. The caller appends the act before it hands out the token. */
export function mintSession(options: {
  readonly episode: EpisodeId;
  readonly grants: readonly GrantRequest[];
  readonly ttlSeconds: number;
  readonly nowSeconds: number;
  readonly random: (bytes: number) => Buffer;
}): { readonly minted: MintedSession; readonly act: Extract<OperatorAct, { act: 'session-mint' }> } {
  const token = options.random(32).toString('hex');
  const credentialId = credentialIdOf(token);
  const expiresAt = options.nowSeconds + options.ttlSeconds;
  return {
    minted: { token, credentialId },
    act: {
      act: 'session-mint',
      credentialId,
      episode: options.episode,
      grants: options.grants.map((grant) => ({ ...grant, expiresAt })),
      createdAt: options.nowSeconds,
      expiresAt,
    },
  };
}
