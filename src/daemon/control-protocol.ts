import { z } from 'zod';

/** Requests on the owner-only channel: one JSON object per line, answered in order by one line each. */
const episode = z.string();
const grant = z.strictObject({
  effect: z.string().min(1),
  scope: z.string().min(1),
  budget: z.number().int().nonnegative(),
});

export const controlRequestSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('status') }),
  z.strictObject({ op: z.literal('flush') }),
  z.strictObject({
    op: z.literal('session-mint'),
    episode,
    grants: z.array(grant).min(1).max(64),
    ttlSeconds: z.number().int().positive().max(31_536_000),
  }),
  z.strictObject({ op: z.literal('session-list'), episode: episode.optional() }),
  z.strictObject({ op: z.literal('session-revoke'), credentialId: z.string().optional(), episode: episode.optional() }),
  z.strictObject({ op: z.literal('episode-open'), episode }),
  z.strictObject({ op: z.literal('episode-list') }),
  z.strictObject({ op: z.literal('episode-close'), episode }),
]);
export type ControlRequest = z.infer<typeof controlRequestSchema>;

export const sessionRowSchema = z.strictObject({
  credentialId: z.string(),
  episode: z.string(),
  live: z.boolean(),
  createdAt: z.number(),
  expiresAt: z.number(),
  grants: z.array(
    z.strictObject({
      effect: z.string(),
      scope: z.string(),
      budget: z.number(),
      expiresAt: z.number(),
      spent: z.number(),
    }),
  ),
});
/** One row of `session list`; times are Unix seconds, budgets calls. */
export type SessionRow = z.infer<typeof sessionRowSchema>;

export const episodeRowSchema = z.strictObject({
  episode: z.string(),
  open: z.boolean(),
  baseCommit: z.string(),
  /** Null when this machine has no worktree for it. */
  worktree: z.string().nullable(),
});
export type EpisodeRow = z.infer<typeof episodeRowSchema>;

export const statusSchema = z.strictObject({
  pid: z.number(),
  url: z.string(),
  repository: z.string(),
  headIndex: z.number(),
  headEntry: z.string(),
});
export type DaemonStatus = z.infer<typeof statusSchema>;

/** What each request is answered with. */
export const controlResultSchemas = {
  status: statusSchema,
  flush: z.strictObject({}),
  'session-mint': z.strictObject({ token: z.string(), credentialId: z.string(), expiresAt: z.number() }),
  'session-list': z.array(sessionRowSchema),
  'session-revoke': z.strictObject({ credentialIds: z.array(z.string()) }),
  'episode-open': episodeRowSchema,
  'episode-list': z.array(episodeRowSchema),
  'episode-close': episodeRowSchema,
} satisfies Record<ControlRequest['op'], z.ZodType>;

export type ControlResult<Op extends ControlRequest['op']> = z.infer<(typeof controlResultSchemas)[Op]>;

/** `<commonDir>/world/control.json`: where the running daemon listens. */
export const controlFileSchema = z.strictObject({ socket: z.string(), pid: z.number(), url: z.string() });
export type ControlFile = z.infer<typeof controlFileSchema>;

export const controlReplySchema = z.union([
  z.strictObject({ ok: z.literal(true), result: z.unknown() }),
  z.strictObject({
    ok: z.literal(false),
    error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().optional() }),
  }),
]);
