/** Effect names a row may use (ailang-language 3.3). */
export const knownEffects: readonly string[] =
  'IO FS Net Clock Rand DB Trace Async Env Debug AI SharedMem SharedIndex Stream Process Declassify DOM Msg Cog Secret'.split(
    ' ',
  );

const byLowerCase = new Map(knownEffects.map((name) => [name.toLowerCase(), name]));

/** The effect this name means when case is ignored, or null. */
export function effectIgnoringCase(name: string): string | null {
  return byLowerCase.get(name.toLowerCase()) ?? null;
}

/** `Debug` needs no declaration and no grant. */
export const ghostEffect = 'Debug';

/** Parameters of effects: key, then its values, the first being the default. */
export const effectParameters: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Rand: { mode: ['os', 'seeded', 'crypto'] },
  AI: { mode: ['fixed', 'routeable', 'replay-only'], scope: ['byok'] },
};
