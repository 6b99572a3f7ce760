/** Bounds of the HTTP surfaces (world-formats 13). Times are milliseconds, sizes bytes. */
export interface HttpLimits {
  /** From connection to the end of the header. */
  readonly headerMs: number;
  /** From the start of a request to the end of its body. */
  readonly requestMs: number;
  /** Longest silence of a socket while a response is due or being written. */
  readonly responseMs: number;
  /** Longest pause between two requests of a connection. */
  readonly idleMs: number;
  readonly a2aBody: number;
  readonly mcpBody: number;
  /** Request bodies held in memory at one time, all requests together. */
  readonly bodiesTotal: number;
  /** One read of the log. */
  readonly readMs: number;
  /** How long a tools/call may wait for its turn before it is started. */
  readonly startMs: number;
  /** When a POST is answered although a started call has not ended: 20 s, the detached commit's 4 s, and a margin. */
  readonly answerMs: number;
  /** How long later calls of a session wait for the body of an earlier one. */
  readonly bodyTurnMs: number;
  /** Connections at one time; one more is cut at once. Keeps descriptors for the files of a call. */
  readonly connections: number;
  /** tools/call requests admitted at one time, all sessions together. */
  readonly callsInFlight: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headerMs: 5_000,
  requestMs: 30_000,
  responseMs: 30_000,
  idleMs: 120_000,
  a2aBody: 1 << 20,
  mcpBody: 4 << 20,
  bodiesTotal: 64 << 20,
  readMs: 10_000,
  startMs: 20_000,
  answerMs: 26_000,
  bodyTurnMs: 2_000,
  connections: 512,
  callsInFlight: 64,
};
