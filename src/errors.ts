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
