// How far programs run behind the same code written in JavaScript by hand: medians of one run, printed as ratios.
// A ratio above its limit ends the command with an error.
import { Bench } from 'tinybench';
import { check } from '../src/ailang/check.js';
import { Effects } from '../src/ailang/eval/effects.js';
import { loadProgram } from '../src/ailang/eval/load.js';
import { show } from '../src/ailang/eval/show.js';
import { builtins } from '../src/ailang/std/builtins.js';
import { stdSource } from '../src/ailang/std/source.js';

interface Pair {
  readonly name: string;
  readonly limit: number;
  /** Body of the module; `main` returns the result. */
  readonly ailang: string;
  readonly javascript: () => unknown;
}

const fib = (n: number): number => (n < 2 ? n : fib(n - 1) + fib(n - 2));
const total = (xs: readonly number[], at: number): number => (at === xs.length ? 0 : (xs[at] ?? 0) + total(xs, at + 1));
const range = (end: number): number[] => Array.from({ length: end }, (_, index) => index);

const pairs: readonly Pair[] = [
  {
    name: 'fib(25)',
    limit: 5,
    ailang: `func fib(n: int) -> int = if n < 2 then n else fib(n - 1) + fib(n - 2)
export func main() -> int = fib(25)`,
    javascript: () => fib(25),
  },
  {
    name: 'integer loop 10^6',
    limit: 5,
    ailang: `func loop(i: int, acc: int) -> int = if i == 0 then acc else loop(i - 1, (acc * 31 + i) % 1000003)
export func main() -> int = loop(1000000, 7)`,
    javascript: () => {
      let acc = 7;
      for (let i = 1000000; i !== 0; i -= 1) acc = (acc * 31 + i) % 1000003;
      return acc;
    },
  },
  {
    name: 'map, filter, foldl 10^5',
    limit: 8,
    ailang: `import std/list (map, filter, foldl, range)
export func main() -> int = foldl(\\acc x. acc + x, 0, map(\\x. x * 3, filter(\\x. x % 2 == 0, range(0, 100000))))`,
    javascript: () =>
      range(100000)
        .filter((x) => x % 2 === 0)
        .map((x) => x * 3)
        .reduce((acc, x) => acc + x, 0),
  },
  {
    name: 'recursion over a list',
    limit: 8,
    ailang: `import std/list (range)
func total(xs: [int]) -> int = match xs { [] => 0, [x, ...rest] => x + total(rest) }
export func main() -> int = total(range(0, 2000))`,
    javascript: () => total(range(2000), 0),
  },
  {
    name: 'building a list with ::',
    limit: 8,
    ailang: `import std/list (length)
func build(n: int, acc: [int]) -> [int] = if n == 0 then acc else build(n - 1, n :: acc)
export func main() -> int = length(build(100000, []))`,
    javascript: () => {
      const items: number[] = [];
      for (let n = 100000; n > 0; n -= 1) items.push(n);
      return items.length;
    },
  },
  {
    name: 'building a string',
    limit: 8,
    ailang: `import std/string (length)
func build(n: int, acc: string) -> string = if n == 0 then acc else build(n - 1, "\${acc}\${n},")
export func main() -> int = length(build(20000, ""))`,
    javascript: () => {
      let text = '';
      for (let n = 20000; n > 0; n -= 1) text = `${text}${n},`;
      return [...text].length;
    },
  },
  {
    name: 'split, map, join',
    limit: 8,
    ailang: `import std/string (split, join, toUpper, length, repeat)
import std/list (map)
export func main() -> int = length(join("-", map(\\w. toUpper(w), split(repeat("one two three ", 3000), " "))))`,
    javascript: () =>
      'one two three '
        .repeat(3000)
        .split(' ')
        .map((word) => word.toUpperCase())
        .join('-').length,
  },
  {
    name: 'float loop 10^6',
    limit: 8,
    ailang: `func loop(i: int, x: float) -> float = if i == 0 then x else loop(i - 1, x * 0.5 + 1.0 / (x + 1.0))
export func main() -> float = loop(1000000, 1.0)`,
    javascript: () => {
      let x = 1;
      for (let i = 1000000; i !== 0; i -= 1) x = x * 0.5 + 1 / (x + 1);
      return x;
    },
  },
];

function compiled(body: string): () => unknown {
  const text = `module main\n${body}\n`;
  const host = { read: (path: string): string | null => (path === 'main.ail' ? text : null) };
  const result = check({ file: 'main.ail', host, std: stdSource, builtins, relaxModules: true });
  if (result.program === null) throw new Error(result.diagnostics.map((one) => one.message).join('\n'));
  const effectHost = { charge: () => undefined };
  const options = { program: result.program, entry: 'main', argsJson: 'null', host: effectHost, maxDepth: 10_000 };
  const settings = { ...options, verifyContracts: false, printResult: false };
  const main = loadProgram(settings, 'main', new Effects(effectHost));
  return () => main([]);
}

const bench = new Bench({ time: 300, warmupTime: 100 });
for (const { name, ailang, javascript } of pairs) {
  const program = compiled(ailang);
  const [ours, theirs] = [show(program() as never), String(javascript())];
  if (ours !== theirs && Number(ours) !== Number(theirs)) throw new Error(`${name}: ${ours} is not ${theirs}`);
  bench.add(`ailang ${name}`, () => void program());
  bench.add(`javascript ${name}`, () => void javascript());
}
await bench.run();
const median = (name: string): number => {
  const result = bench.tasks.find((task) => task.name === name)?.result;
  return result !== undefined && 'latency' in result ? result.latency.p50 : Number.NaN;
};
for (const { name, limit } of pairs) {
  const [ours, theirs] = [median(`ailang ${name}`), median(`javascript ${name}`)];
  if (!(ours / theirs <= limit)) process.exitCode = 1;
  const ratio = (ours / theirs).toFixed(2).padStart(7);
  console.log(`${name.padEnd(26)} ${ratio}× (limit ${limit})  ${ours.toFixed(3)} ms / ${theirs.toFixed(3)} ms`);
}
