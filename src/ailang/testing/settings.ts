/** How random cases are drawn (ailang-language section 7). */
export interface TestSettings {
  /** Cases of each property. */
  readonly runs: number;
  readonly seed: number;
  /** Longest list and string, and a measure for the size of other values. */
  readonly maxSize: number;
  readonly minInt: number;
  readonly maxInt: number;
}

/** A variable has a value that is no number in its range. */
export class BadSetting extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `AILANG_TEST_*`. @param randomSeed taken when no seed is set @throws BadSetting */
export function readSettings(environment: Environment, randomSeed: number): TestSettings {
  const number = (name: string, otherwise: number, low: number, high: number): number => {
    const text = environment[`AILANG_TEST_${name}`];
    if (text === undefined || text === '') return otherwise;
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= low && value <= high) return value;
    throw new BadSetting(
      `AILANG_TEST_${name} is ${JSON.stringify(text)}; a whole number from ${low} to ${high} is wanted`,
    );
  };
  const far = Number.MAX_SAFE_INTEGER;
  const settings = {
    runs: number('RUNS', 100, 1, 100_000),
    seed: number('SEED', randomSeed, 0, 0xffff_ffff),
    maxSize: number('MAX_SIZE', 30, 0, 10_000),
    minInt: number('MIN_INT', -1000, -far, far),
    maxInt: number('MAX_INT', 1000, -far, far),
  };
  if (settings.minInt > settings.maxInt) throw new BadSetting('AILANG_TEST_MIN_INT is above AILANG_TEST_MAX_INT');
  return settings;
}
