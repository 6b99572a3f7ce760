/** Floats that break most of what is false of floats. */
export const tellingFloats = [
  0,
  -0,
  1,
  -1,
  0.1,
  -0.5,
  3,
  Number.NaN,
  Infinity,
  -Infinity,
  1e16,
  -1e16,
  1e308,
  5e-324,
] as const;
