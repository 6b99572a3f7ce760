/** One checked step of the walk. `detail` says what it holds, or what is broken when not `ok`. */
export interface Link {
  readonly name: 'world' | 'entry' | 'record' | 'input' | 'plan' | 'effect' | 'output' | 'operator';
  readonly ok: boolean;
  readonly ref?: string;
  /** The payload was taken out by an act of the log: what stands of the link holds, its bytes cannot be shown. */
  readonly redacted?: true;
  readonly detail: string;
}

/** What `why --json` prints (world-formats 22.1). */
export interface WhyChain {
  readonly entry: number;
  readonly matchedBy: string;
  /** False for operator entries: they are no calls. */
  readonly coordinator: boolean;
  readonly note?: string;
  readonly links: readonly Link[];
  readonly ok: boolean;
}
