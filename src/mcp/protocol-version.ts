/** The revisions served, newest first. A request without the header is taken for the oldest. */
const SERVED = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
export type ProtocolVersion = (typeof SERVED)[number];

const NEWEST: ProtocolVersion = SERVED[0];
const OLDEST: ProtocolVersion = '2025-03-26';

/** What the `MCP-Protocol-Version` header of a request says; null for a revision we do not serve. */
export function headerVersion(header: string | undefined): ProtocolVersion | null {
  if (header === undefined) return OLDEST;
  return SERVED.find((version) => version === header) ?? null;
}

/**
 * What initialize answers: the newest revision served that is not newer than the one asked for. A client older than all
 * of them is offered the oldest, which every client of that age can speak.
 */
export function negotiate(asked: string): ProtocolVersion {
  return (/^\d{4}-\d{2}-\d{2}$/.test(asked) ? SERVED.find((version) => version <= asked) : NEWEST) ?? OLDEST;
}

/** Batches left the protocol after the oldest revision. */
export function allowsBatches(version: ProtocolVersion): boolean {
  return version === OLDEST;
}
