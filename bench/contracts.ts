// Proof of a module of 40 functions with contracts, through MCP in a warm daemon: changed in every round, and unchanged.
import { median, startBenchDaemon, timed } from './support/daemon.js';

const rounds = 9;
const limitMs = 2000;

/** Ten kinds of functions; the number makes each another problem for the solver. */
const kinds: readonly ((n: number) => string)[] = [
  (n) => `pure func clamp${n}(x: int, low: int, high: int) -> int
  requires { low <= high }
  ensures { result >= low, result <= high, x < low || x > high || result == x, result < high + ${n} }
{ if x < low then low else if x > high then high else x }`,
  (n) => `pure func share${n}(total: int, parts: int) -> int
  requires { total >= 0, parts > ${n} }
  ensures { result * parts <= total, (result + 1) * parts > total }
{ total / parts }`,
  (n) => `pure func next${n}(light: Light) -> Light
  ensures { result != light || ${n} == 0, light != Red || result == Green }
{ match light { Red => Green, Green => Yellow, Yellow => Red } }`,
  (n) => `pure func deposit${n}(account: Account, amount: int) -> Account
  requires { amount > ${n} }
  ensures { result.balance == account.balance + amount, result.owner == account.owner }
{ { account | balance: account.balance + amount } }`,
  (n) => `pure func divide${n}(a: int, b: int) -> Option[int]
  ensures { match result { Some(q) => b != 0 && q == a / b + ${n}, None => b == 0 } }
{ if b == 0 then None else Some(a / b + ${n}) }`,
  (n) => `pure func label${n}(name: string) -> string
  requires { length(name) > 1 }
  ensures { startsWith(result, "n"), length(result) == length(name) + ${String(n).length + 2} }
{ "n${n}:\${name}" }`,
  (n) => `pure func sumTo${n}(n: int) -> int
  requires { n >= 0 }
  ensures { result * 2 == n * (n + 1) + ${2 * n} }
{ if n == 0 then ${n} else n + sumTo${n}(n - 1) }`,
  (n) => `pure func order${n}(a: int, b: int) -> (int, int)
  ensures { match result { (x, y) => x <= y + ${n} && x + y == a + b } }
{ if a <= b then (a, b) else (b, a) }`,
  (n) => `pure func push${n}(x: int, xs: [int]) -> [int]
  ensures { L.length(result) == L.length(xs) + 2, L.contains(result, ${n}) }
{ x :: ${n} :: xs }`,
  (n) => `pure func sign${n}(x: int) -> int
  ensures { result >= 0 - 1, result <= 1, x <= ${n} || result == 1 }
{ if x > ${n} then 1 else if x < ${n} then 0 - 1 else 0 }`,
];

function moduleOf(round: number): string {
  const functions = Array.from({ length: 40 }, (_, index) =>
    kinds[index % kinds.length]?.(Math.floor(index / kinds.length) * 100 + round),
  );
  return `module forty
import std/string (length, startsWith)
import std/list as L
import std/option (Option, Some, None)
type Light = Red | Yellow | Green deriving (Eq)
type Account = { owner: string, balance: int }
${functions.join('\n')}
`;
}

const daemon = await startBenchDaemon();
try {
  const check = async (): Promise<void> => {
    const { passed, error_count, errors } = await daemon.call('ailang-check', { path: 'forty.ail' });
    if (passed !== true || error_count !== 0) throw new Error(JSON.stringify(errors));
  };
  await daemon.write('forty.ail', moduleOf(1));
  await check();
  const { stdout } = await daemon.call('ailang-cli', { op: 'ai_check', path: 'forty.ail' });
  const { verified } = (JSON.parse(String(stdout)) as { verify: { verified: number } }).verify;
  if (verified !== 40) throw new Error(`${verified} of 40 functions are proven: ${stdout}`);
  const changed: number[] = [];
  const unchanged: number[] = [];
  for (let round = 2; round < rounds + 2; round += 1) {
    await daemon.write('forty.ail', moduleOf(round));
    changed.push(await timed(check));
    unchanged.push(await timed(check));
  }
  const again = median(changed);
  console.log(`40 functions, changed      ${again.toFixed(0).padStart(6)} ms (limit ${limitMs} ms)`);
  console.log(`40 functions, unchanged    ${median(unchanged).toFixed(0).padStart(6)} ms`);
  if (again > limitMs) process.exitCode = 1;
} finally {
  await daemon.stop();
}
