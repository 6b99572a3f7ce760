import ignore, { type Ignore } from 'ignore';

/** One file of patterns and the directory it governs. */
interface Level {
  /** Directory the patterns are relative to: '' or `a/b/`. */
  readonly base: string;
  readonly patterns: Ignore;
  readonly text: string;
}

/**
 * The ignore files that govern a directory, weakest first: the user's, the repository's `info/exclude`, then each
 * `.gitignore` from the root down. The deepest file with an opinion decides, as in gitignore(5).
 */
export class IgnoreRules {
  private constructor(
    private readonly levels: readonly Level[],
    private readonly ignoreCase: boolean,
  ) {}

  static of(texts: readonly string[], ignoreCase: boolean): IgnoreRules {
    return texts.reduce((rules, text) => rules.with('', text), new IgnoreRules([], ignoreCase));
  }

  /** Adds the `.gitignore` of a directory (`''` or `a/b/`). */
  with(base: string, text: string): IgnoreRules {
    const clean = text.replace(/^\ufeff/, '');
    if (clean.trim() === '') return this;
    const patterns = ignore({ ignorecase: this.ignoreCase, allowRelativePaths: true }).add(clean);
    return new IgnoreRules([...this.levels, { base, patterns, text: clean }], this.ignoreCase);
  }

  /** Whether git would leave out this path; a directory's path ends in `/`. Its parent must not be ignored. */
  ignores(path: string): boolean {
    for (const level of this.levels.toReversed()) {
      const { ignored, unignored } = level.patterns.test(path.slice(level.base.length));
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  /**
   * The rules below a directory that is walked. A weaker file may ignore the directory and a stronger one take it back;
   * then the weaker file's verdict on the directory must not reach what is in it.
   */
  below(directory: string): IgnoreRules {
    if (!this.levels.some((level) => level.patterns.test(directory.slice(level.base.length)).ignored)) return this;
    const levels = this.levels.map((level) => {
      const path = directory.slice(level.base.length);
      if (!level.patterns.test(path).ignored) return level;
      const text = `${level.text}\n!/${path.replaceAll(/[\\*?[\] ]/g, '\\$&')}`;
      const patterns = ignore({ ignorecase: this.ignoreCase, allowRelativePaths: true }).add(text);
      return { ...level, patterns, text };
    });
    return new IgnoreRules(levels, this.ignoreCase);
  }
}
