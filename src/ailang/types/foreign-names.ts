const lengthHint = 'Write length(xs), with import std/list (length), or std/string (length) for a string.';

/** What other languages call things AILANG names otherwise. */
const foreignNames: Readonly<Record<string, string>> = {
  True: 'Write true.',
  False: 'Write false.',
  null: 'Use Option: None, or Some(value).',
  nil: 'Use [] for an empty list, None for a missing value.',
  undefined: 'Use Option: None, or Some(value).',
  Nothing: 'Write None.',
  Just: 'Write Some(value).',
  Error: 'Write Err(message).',
  str: 'Write show(value).',
  toString: 'Write show(value).',
  to_string: 'Write show(value).',
  int: 'Write floatToInt(x), or stringToInt(s) from std/string.',
  len: lengthHint,
  size: lengthHint,
  printf: 'Write println("value: ${x}").',
  console: 'Write println(text).',
  puts: 'Write println(text).',
  putStrLn: 'Write println(text).',
  echo: 'Write println(text).',
  fold: 'Write foldl(\\acc x. e, start, xs), with import std/list (foldl).',
  reduce: 'Write foldl(\\acc x. e, start, xs), with import std/list (foldl).',
  each: 'Write forEachE(\\x. e, xs), with import std/list (forEachE).',
  forEach: 'Write forEachE(\\x. e, xs), with import std/list (forEachE).',
  sum: 'Write foldl(\\acc x. acc + x, 0, xs), with import std/list (foldl).',
  all: 'Write not any(\\x. not p(x), xs), with import std/list (any).',
  sort: 'Write sortBy(\\a b. if a < b then -1 else if a > b then 1 else 0, xs), with import std/list (sortBy).',
  fst: 'Take the tuple apart: match t { (a, b) => a }.',
  snd: 'Take the tuple apart: match t { (a, b) => b }.',
  self: 'There are no methods: pass the value as a parameter.',
  this: 'There are no methods: pass the value as a parameter.',
  for: 'There are no loops: use map, foldl or forEachE from std/list, or a recursive function.',
  while: 'There are no loops: write a recursive function.',
  return: 'The last expression of a block is its value: remove the word.',
};

/** How to write what another language calls `name`, or null. */
export function foreignName(name: string): string | null {
  return Object.hasOwn(foreignNames, name) ? (foreignNames[name] ?? null) : null;
}

/** Names of library functions in other languages. */
const synonyms: Readonly<Record<string, string>> = {
  len: 'length',
  size: 'length',
  count: 'length',
  fold: 'foldl',
  reduce: 'foldl',
  each: 'forEachE',
  forEach: 'forEachE',
  append: 'concat',
  includes: 'contains',
  indexOf: 'find',
  upper: 'toUpper',
  uppercase: 'toUpper',
  toUpperCase: 'toUpper',
  lower: 'toLower',
  lowercase: 'toLower',
  toLowerCase: 'toLower',
  strip: 'trim',
  slice: 'substring',
  substr: 'substring',
  startswith: 'startsWith',
  endswith: 'endsWith',
  parseInt: 'stringToInt',
  parseFloat: 'stringToFloat',
  toInt: 'stringToInt',
  unwrapOr: 'getOrElse',
  unwrap_or: 'getOrElse',
  withDefault: 'getOrElse',
  put: 'insert',
  abs: 'abs_Int',
  get: 'lookup',
  has: 'member',
  set: 'insert',
  delete: 'remove',
  parse: 'decode',
  stringify: 'encode',
  args: 'getArgs',
  argv: 'getArgs',
  input: 'readLine',
  read: 'readFile',
  write: 'writeFile',
};

/** The name among `known` that another language's `name` means, or null. */
export function synonymOf(name: string, known: { has(name: string): boolean }): string | null {
  const found = Object.hasOwn(synonyms, name) ? synonyms[name] : undefined;
  return found !== undefined && known.has(found) ? found : null;
}
