const LINES_PER_WINDOW = 5;
const WINDOW_MS = 60_000;

/**
 * Tells the operator about refused connects: many agents carry on without their tools when a connect fails and say so
 * nowhere. A client that retries for ever gets five lines a minute per kind, then a count.
 */
export class RefusalLog {
  readonly #report: (line: string) => void;
  readonly #now: () => number;
  readonly #windows = new Map<string, { since: number; lines: number }>();

  constructor(report: (line: string) => void, now: () => number) {
    this.#report = report;
    this.#now = now;
  }

  /** `kind` and `route` are our own words, never something a client sent. */
  note(route: string, kind: string): void {
    const key = `${route}: ${kind}`;
    const now = this.#now();
    const window = this.#windows.get(key);
    if (window === undefined || now - window.since >= WINDOW_MS || now < window.since) {
      const hidden = Math.max(0, (window?.lines ?? 0) - LINES_PER_WINDOW);
      this.#windows.set(key, { since: now, lines: 1 });
      this.#report(`ailang-worldd: refused ${key}${hidden > 0 ? ` (and ${hidden} more since the last line)` : ''}`);
      return;
    }
    window.lines += 1;
    if (window.lines <= LINES_PER_WINDOW) this.#report(`ailang-worldd: refused ${key}`);
  }
}
