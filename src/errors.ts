/** Machine-readable facts about an error: plain JSON values, never secrets. */
export type ErrorData = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/**
 * Every error this package raises on purpose. `code` is stable and machine-readable (`kebab-case`), `message` says what
 * failed and why, `hint` what to do next. The original error is the `cause`. Nothing of it but `message` and `hint`
 * is shown to an operator, and nothing at all reaches an agent unless a surface maps it on purpose.
 */
export class WorldError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly data: ErrorData;

  constructor(code: string, message: string, options: { hint?: string; data?: ErrorData; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WorldError';
    this.code = code;
    this.hint = options.hint;
    this.data = options.data ?? {};
  }
}

/** Messages down the chain of causes, then what to do next, for the operator's own lines. Never for the wire. */
export function explainChain(failure: unknown): string {
  const parts: string[] = [];
  let hint: string | undefined;
  for (let error = failure, depth = 0; error !== undefined && depth < 5; depth++) {
    const message = error instanceof Error ? error.message : String(error);
    // A wrapper that says no more than what it wraps is not told.
    if (message !== parts.at(-1)) parts.push(message);
    if (error instanceof WorldError) hint ??= error.hint;
    error = error instanceof Error ? error.cause : undefined;
  }
  return hint === undefined ? parts.join(': ') : `${parts.join(': ')}; what to do: ${hint}`;
}
