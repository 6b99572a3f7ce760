import fc from 'fast-check';

/** What random functions may call: contracts, recursion, partial functions, functions of functions, type parameters. */
export const prelude = `import std/list (length, nth_or, take, drop, contains, map, filter, foldl, any, findIndex, head, last, reverse, range)
import std/string (substring, find, startsWith, endsWith, charAt, charCode, compare, replace, intToStr)
import std/string as S
import std/option (Option, Some, None, getOrElse)
import std/math (abs_Int, floor, ceil, abs_Float, isNaN)
type Shape = Dot | Line(int) | Box(int, Shape) deriving (Eq)
type P = { a: int, b: bool, n: string }
type W = W({ v: int, w: int })
pure func sum(xs: [int]) -> int
  ensures { true }
{ match xs { [] => 0, x :: r => x + sum(r) } }
pure func count(n: int) -> int
  requires { n >= 0 }
  ensures { result >= 0 }
{ if n <= 0 then 0 else 1 + count(n - 1) }
pure func half(n: int) -> int
  requires { n % 2 == 0 }
  ensures { result * 2 == n }
{ n / 2 }
pure func depth(s: Shape) -> int
  ensures { result >= 1 }
{ match s { Dot => 1, Line(_) => 1, Box(_, t) => 1 + depth(t) } }
pure func square(n: int) -> int = n * n
pure func twice(f: (int) -> int, x: int) -> int = f(f(x))
pure func pick[t](c: bool, x: t, y: t) -> t = if c then x else y
pure func isEven(n: int) -> bool = if n <= 0 then true else isOdd(n - 1)
pure func isOdd(n: int) -> bool = if n <= 0 then false else isEven(n - 1)
`;

const depth = { maxDepth: 2, depthSize: 'small', depthIdentifier: 'expression' } as const;

/** Templates between `§`, whose `#kind` places are filled with expressions of that kind: `(#int + #int)`. */
const templates = {
  int: `a § b § 0 § 1 § 2 § 7 § p.a § w.v § (#int + #int) § (#int - #int) § (#int * #int) § (#int / #int) § (#int % #int) § (#int >> 1) § (#int << 2)
(#int & 7) § (if #truth then #int else #int) § pick(#truth, #int, #int) § (let a = #int in a * 2 - b) § (let b = #int in let b = b + a in b)
length(#list) § sum(#list) § count(#int) § count(abs_Int(#int)) § half(#int) § half(2 * #int) § (-#int) § (~#int) § nth_or(#list, #int, #int)
(match #list { [] => #int, [x] => x, x :: _ => x + 1 }) § (match #list { [x, ...r] => x - length(r), [] => 0 })
foldl(\\acc q. acc + q, #int, #list) § foldl(\\acc q. if q > acc then q else acc, a, #list) § twice(#function, #int) § S.length(#text)
find(#text, #text) § charCode(#text) § compare(#text, #text) § getOrElse(#option, #int) § depth(#shape) § #record.a
(match #option { Some(x) if x > 0 => x, Some(x) => 0 - x, None => 0 }) § (match #int { 0 => 1, n if n > 2 => n - 1, n => n })
(match #shape { Dot => 0, Line(n) => n, Box(n, Line(m)) => n + m, Box(n, _) => n }) § (match #shape { Line(n) => n, Dot => 1, Box(n, Dot) => n })
(match (#int, #int) { (0, y) => y, (x, 0) => x, (x, y) => x - y }) § { letrec go = \\n acc. if n <= 0 then acc else go(n - 1, acc + n); go(#int, 0) }`,
  list: `xs § [a, b] § [1] § [] § (#int :: #list) § (#list ++ #list) § take(#int, #list) § drop(#int, #list) § map(#function, #list)
filter(#predicate, #list) § reverse(#list) § range(#int, #int)`,
  option: `o § None § Some(a) § Some(#int) § head(#list) § last(#list) § findIndex(#predicate, #list) § (if #truth then #option else #option)`,
  shape: `t § Dot § Line(a) § Box(#int, #shape) § (if #truth then #shape else #shape)`,
  record: `p § { p | a: #int } § { a: #int, b: #truth, n: #text }`,
  text: `s § "" § "a" § "ab" § "😀" § p.n § substring(#text, #int, #int) § charAt(#text, #int) § "\${#int}-\${#text}" § "\${#truth}\${#text}"
replace(#text, #text, #text) § intToStr(#int)`,
  truth: `p.b § (#int < #int) § (#int <= #int) § (#int == #int) § (#int != #int) § (#truth && #truth) § (#truth || #truth) § (#text < #text)
(#text == #text) § (#text >= #text) § (#shape == #shape) § (#list == #list) § (#option != #option) § (!#truth) § contains(#list, #int)
startsWith(#text, #text) § endsWith(#text, #text) § S.contains(#text, #text) § any(#predicate, #list) § isEven(#int)
(forall i: #int..#int => i >= a || #truth) § (forall i: 0..length(#list) => nth_or(#list, i, 0) > b)`,
  function: '\\q. q § \\q. q + 1 § \\q. 0 - q § square § \\q. q / 2 § \\q. q % 3 § abs_Int § \\q. a - q',
  predicate: '\\q. q > 0 § \\q. q == a § \\q. q % 2 == 0 § \\q. true § \\q. q < b',
  float: `x § y § 0.0 § 1.0 § 0.5 § (-0.0) § (#float + #float) § (#float - #float) § (#float * #float) § floor(#float) § ceil(#float) § abs_Float(#float)
(-#float) § (if #order then #float else #float)`,
  order:
    'x < y § isNaN(x) § (#float < #float) § (#float <= #float) § (#float == #float) § (#float != #float) § isNaN(#float) § (#order && #order)',
} as const;
type Kind = keyof typeof templates;

export const expressions = fc.letrec<Record<Kind, string>>((tie) => {
  const filled = (template: string): fc.Arbitrary<string> => {
    const parts = template.split(/#(\w+)/);
    const kinds = parts.filter((_, index) => index % 2 === 1) as Kind[];
    return fc
      .tuple(...kinds.map((kind) => tie(kind)))
      .map((values) => parts.map((part, index) => (index % 2 === 1 ? values[(index - 1) / 2] : part)).join(''));
  };
  const of = (kind: Kind): fc.Arbitrary<string> => {
    const all = templates[kind].split(/ § |\n/);
    const leaves = all.filter((template) => !template.includes('#'));
    const nodes = all.filter((template) => template.includes('#'));
    return fc.oneof(depth, fc.constantFrom(...leaves), ...nodes.map(filled));
  };
  return Object.fromEntries(Object.keys(templates).map((kind) => [kind, of(kind as Kind)])) as Record<
    Kind,
    fc.Arbitrary<string>
  >;
});
