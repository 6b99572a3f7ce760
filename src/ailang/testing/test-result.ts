/** What became of one test or property. */
export interface TestResult {
  readonly kind: 'test' | 'property';
  readonly name: string;
  /** `file:line:column`. */
  readonly location: string;
  readonly status: 'pass' | 'fail' | 'skip';
  readonly milliseconds: number;
  /** Why it failed or was skipped. */
  readonly error?: string;
  /** Cases of a property that were tried. */
  readonly cases: number;
  /** The simplest case found that fails: `x = 3, s = "a"`. */
  readonly failingInput?: string;
}
