/** What `verify` says: one report per level, each with counts and the first failures explained. */

export const LEVELS = ['chain', 'authority', 'trees', 'replay', 'signatures', 'pr'] as const;
export type LevelName = (typeof LEVELS)[number];

/** Lines of a file at the pull request's head, from 1, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** One thing that does not hold. */
export interface Finding {
  readonly level: LevelName;
  /** `entry 12`, `entry 12 output.json`, or a path of the pull request. */
  readonly where: string;
  readonly entry: number | null;
  /** Path in the repository and lines there, for findings about a pull request. */
  readonly file: string | null;
  readonly lines: LineRange | null;
  /** What does not hold, in one clause. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
  /** What it means for someone who relies on the log. */
  readonly meaning: string;
}

export interface LevelReport {
  readonly level: LevelName;
  readonly holds: boolean;
  /** What was looked at and found, by name: `entries`, `budget steps`. */
  readonly counts: Readonly<Record<string, number>>;
  /** In the order of the log or of the paths; at most `MAX_FINDINGS` are kept. */
  readonly findings: readonly Finding[];
  /** How many there are, kept or not. */
  readonly failures: number;
  /** True statements that are no failures: what could not be looked at, what was attributed to whom. */
  readonly notes: readonly string[];
}

export const MAX_FINDINGS = 200;
const MAX_NOTES = 40;

export type FindingFacts = Pick<Finding, 'what' | 'expected' | 'found' | 'meaning'> &
  Partial<Pick<Finding, 'where' | 'entry' | 'file' | 'lines'>>;

/** Collects what one level finds. */
export class LevelBook {
  readonly #counts = new Map<string, number>();
  readonly #findings: Finding[] = [];
  readonly #notes: string[] = [];
  #failures = 0;
  #notesLeft = 0;

  /** @param from findings about entries before this index belong to no one's question and are left out */
  constructor(
    readonly level: LevelName,
    private readonly from: number,
  ) {}

  count(name: string, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  fail(facts: FindingFacts): void {
    const { entry = null, file = null, lines = null } = facts;
    if (entry !== null && entry < this.from) return;
    this.#failures += 1;
    if (this.#findings.length >= MAX_FINDINGS) return;
    const { what, expected, found, meaning } = facts;
    const where = facts.where ?? (entry === null ? 'the log' : `entry ${entry}`);
    this.#findings.push({ level: this.level, where, entry, file, lines, what, expected, found, meaning });
  }

  note(text: string): void {
    if (this.#notes.length < MAX_NOTES) this.#notes.push(text);
    else this.#notesLeft += 1;
  }

  get failures(): number {
    return this.#failures;
  }

  report(): LevelReport {
    return {
      level: this.level,
      holds: this.#failures === 0,
      counts: Object.fromEntries(this.#counts),
      findings: this.#findings,
      failures: this.#failures,
      notes: this.#notesLeft === 0 ? this.#notes : [...this.#notes, `and ${this.#notesLeft} more of these`],
    };
  }
}

/** Long values are cut in the middle of nothing: the beginning identifies them. */
export function shown(value: unknown, limit = 200): string {
  const text = typeof value === 'string' ? value || '(empty)' : JSON.stringify(value);
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}
