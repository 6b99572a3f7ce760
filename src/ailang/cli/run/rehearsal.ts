import { join } from 'node:path';
import { check } from '../../check.js';
import { run } from '../../eval/run.js';
import type { EffectHost } from '../../interfaces.js';
import { packageRoot } from '../../package-root.js';
import { parsePolicy } from '../../policy/policy-file.js';
import { builtins } from '../../std/builtins.js';
import { stdModules, stdSource } from '../../std/source.js';
import type { ChildRequest } from './messages.js';
import { policyLine } from './policy-line.js';
import { runUnderPolicy } from './run-program.js';

const program = `module rehearsal
import std/io (println)
import std/list (map, foldl)
import std/string (join)
import std/option (Option, Some, None)
import std/result (Result, Ok, Err)
import std/json (decode)
import std/fs (readFile)
type Shape = Circle(int) | Square(int)
pure func area(s: Shape) -> int = match s { Circle(r) => 3 * r * r, Square(a) => a * a }
export func main() -> () ! {IO} {
  let areas = map(area, [Circle(1), Square(2)]);
  println("\${show(foldl(\\a b. a + b, 0, areas))} \${join(",", map(\\n. show(n), areas))}")
}
`;

/**
 * Loads the library and goes the way of a run before there is one: what was done once is quick the next time. Nothing is
 * printed or written, and no connection is made.
 */
export function rehearse(net: NonNullable<EffectHost['net']>): void {
  for (const module of stdModules()) stdSource(module);
  const host = { read: (path: string) => (path === 'rehearsal.ail' ? program : null) };
  for (let round = 0; round < 3; round++) {
    const { program } = check({ file: 'rehearsal.ail', host, std: stdSource, builtins });
    if (program === null) return;
    run({
      program,
      entry: 'main',
      argsJson: 'null',
      host: { io: { write: () => {}, flush: () => {}, readLine: () => null }, charge: () => {} },
      maxDepth: 100,
      verifyContracts: false,
      printResult: false,
    });
  }
  for (const file of ['option.ail', 'no-such-file.ail']) runUnderPolicy(refusedRun(file), net, () => {});
}

/** Library modules have no `main`: such a run is judged like any other, and denied. */
function refusedRun(file: string): ChildRequest {
  const cwd = join(packageRoot(), 'src', 'ailang', 'std');
  const policyText = `security_mode = "restricted"
allowed_caps = ["IO", "FS"]
fs_sandbox = ${JSON.stringify(cwd)}
fs_deny_write = [".github/**", ".gitmodules"]
entry = "main"

[budgets]
FS = 1
`;
  const policy = parsePolicy('rehearsal.toml', Buffer.from(policyText));
  policyLine(policy, { digest: '', files: 1, bytes: 1 }, { ok: true, declared_effects: ['IO'], allowed_caps: ['IO'] });
  return {
    ...{ policyPath: 'rehearsal.toml', policyText, file, cwd, argsJson: 'null', argv: [], maxDepth: 100 },
    ...{ verifyContracts: false, printResult: false },
  };
}
