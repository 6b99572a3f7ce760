/** Every effect an AILANG program can declare, as a policy names it. */
export const knownCapabilities: readonly string[] = [
  'AI',
  'Async',
  'Clock',
  'Cog',
  'DB',
  'DOM',
  'Debug',
  'Declassify',
  'Env',
  'FS',
  'IO',
  'Msg',
  'Net',
  'Process',
  'Rand',
  'Secret',
  'SharedIndex',
  'SharedMem',
  'Stream',
  'Trace',
];

/** What restricted mode has a confined adapter for. */
export const restrictedCapabilities: readonly string[] = [
  'AI',
  'Clock',
  'Declassify',
  'FS',
  'IO',
  'Net',
  'Process',
  'Rand',
  'Stream',
];
