const numbered = (count: number, write: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => write(n)).join('');
const booleans = 30;

/** Texts with very many different names, or whose types and matches grow with every line, each with what it is. */
export function heavyTexts(): readonly (readonly [what: string, text: string])[] {
  return [
    ['undefined names', `module m\n${numbered(5000, (n) => `func f${n}() -> int = g${n}(h${n})\n`)}`],
    ['unknown types', `module m\n${numbered(5000, (n) => `func f${n}(x: T${n}) -> int = 1\n`)}`],
    ['imported names', `module m\nimport std/list (${numbered(100_000, (n) => `n${n}, `)})\n`],
    ['effect variables', `module m\nfunc f() -> int ! {${numbered(50_000, (n) => `e${n}, `)}} = 1\n`],
    ['type variables', `module m\nfunc f(${numbered(10_000, (n) => `x${n}: a${n}, `)}) -> int = 1\n`],
    ['type parameters', `module m\nfunc f[${numbered(50_000, (n) => `a${n}, `)}]() -> int = 1\n`],
    ['constructors', `module m\ntype T = ${numbered(20_000, (n) => `| A${n} `)}\n`],
    [
      'every constructor matched',
      `module m\ntype T = ${numbered(2000, (n) => `| A${n} `)}\nfunc f(t: T) -> int = match t { ${numbered(2000, (n) => `A${n} => ${n}, `)} }\n`,
    ],
    ['numbers matched', `module m\nfunc f(x: int) -> int = match x { ${numbered(5000, (n) => `${n} => ${n}, `)} }\n`],
    [
      'booleans matched',
      `module m\nfunc f(x: (${'bool, '.repeat(booleans)}bool)) -> int = match x { ${numbered(booleans, (n) => `(${'_, '.repeat(n)}true${', _'.repeat(booleans - n)}) => ${n}, `)} }\n`,
    ],
    ['fields', `module m\nfunc f(x: int) -> int = { ${numbered(20_000, (n) => `a${n}: x, `)} }\n`],
    ['items', `module m\nfunc f(x: int) -> int = (${'x, '.repeat(50_000)}x)\n`],
    ['a ring of functions', `module m\n${numbered(2000, (n) => `func f${n}(x) = f${(n + 1) % 2000}(x)\n`)}`],
    ['one name for all functions', `module m\n${'func f() -> int = 1\n'.repeat(20_000)}`],
    ['doubling pairs', `module m\nfunc f(x0) {\n${numbered(60, (n) => `let x${n + 1} = (x${n}, x${n})\n`)}x60 }\n`],
    [
      'doubling calls',
      `module m\nfunc f(g0) {\n${numbered(60, (n) => `let g${n + 1} = \\x. g${n}(g${n}(x))\n`)}g60 }\n`,
    ],
    [
      'doubling aliases',
      `module m\ntype A0 = int\n${numbered(60, (n) => `type A${n + 1} = (A${n}, A${n})\n`)}func f(x: A60) -> A60 = x\n`,
    ],
    ['self application', 'module m\nfunc f() = (\\y. y(y))(\\y. y(y))\n'],
  ];
}
