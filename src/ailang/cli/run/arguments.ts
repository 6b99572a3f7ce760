import { UsageError } from '../commands/context.js';
import { maxDepth } from './limits.js';

/** A decoded `run` command line. */
export interface RunArguments {
  readonly file: string;
  readonly policy: string | null;
  readonly caps: readonly string[];
  readonly entry: string;
  readonly argsJson: string;
  readonly argv: readonly string[];
  readonly verifyContracts: boolean;
  readonly noBudgets: boolean;
  readonly printResult: boolean;
  readonly relaxModules: boolean;
  readonly maxDepth: number;
  /** Flags given that a policy does not go with, in order. */
  readonly widening: readonly string[];
}

const booleans = new Set([
  'verify-contracts',
  'no-print',
  'print',
  'relax-modules',
  'no-budgets',
  'ai-stub',
  'allow-routing',
  'net-allow-http',
  'net-allow-localhost',
  'net-allow-metadata',
  'stream-allow-http',
  'stream-allow-localhost',
]);
const valued = new Set([
  'policy',
  'args-json',
  'caps',
  'entry',
  'max-recursion-depth',
  'allow-env',
  'allow-env-file',
  'env',
  'env-snapshot',
  'write-env-snapshot',
  'ai',
  'routing-fallback',
  'routing-require',
  'routing-prefer',
  'routing-max-price',
  'net-allow-domains',
  'stream-allow-domains',
  'stream-max-message',
  'process-allowlist',
  'stdlib-path',
  'package-dir',
  'fs-max-bytes',
]);
/** What goes with a policy, and what this build performs without one. */
const harmless = new Set([
  'policy',
  'args-json',
  'verify-contracts',
  'no-print',
  'print',
  'relax-modules',
  'max-recursion-depth',
]);
const performed = new Set([...harmless, 'caps', 'entry', 'no-budgets']);

/**
 * Flags come before the file; the first `--` ends them. After the file one leading `--` is dropped, the rest is the
 * program's (ailang-cli section 4). @throws UsageError
 */
export function parseRunArguments(args: readonly string[]): RunArguments {
  const flags = new Map<string, string>();
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at]!;
    if (word === '--') {
      at++;
      break;
    }
    if (!word.startsWith('-') || word === '-') break;
    const [, name = '', inline] = /^--?([^=]*)(?:=(.*))?$/s.exec(word)!;
    if (booleans.has(name)) flags.set(name, inline ?? 'true');
    else if (!valued.has(name)) throw new UsageError(`flag provided but not defined: -${name}`);
    else {
      const value = inline ?? args[++at];
      if (value === undefined) throw new UsageError(`flag needs an argument: -${name}`);
      flags.set(name, value);
    }
  }
  const file = args[at];
  if (file === undefined) throw new UsageError('the file to run is missing');
  const rest = args.slice(at + 1);
  const depth = Number(flags.get('max-recursion-depth') ?? maxDepth);
  if (!Number.isInteger(depth) || depth < 1) throw new UsageError('--max-recursion-depth is a positive number');
  const policy = flags.get('policy') ?? null;
  const unavailable = [...flags.keys()].find((name) => !performed.has(name));
  if (policy === null && unavailable !== undefined)
    throw new UsageError(`the embedded toolchain does not support --${unavailable}`);
  const isSet = (name: string): boolean => (flags.get(name) ?? 'false') !== 'false';
  return {
    file,
    policy,
    caps: (flags.get('caps') ?? '')
      .split(',')
      .map((cap) => cap.trim())
      .filter((cap) => cap !== ''),
    entry: flags.get('entry') ?? 'main',
    argsJson: flags.get('args-json') ?? 'null',
    argv: rest[0] === '--' ? rest.slice(1) : rest,
    verifyContracts: isSet('verify-contracts'),
    noBudgets: isSet('no-budgets'),
    printResult: !isSet('no-print') && (flags.get('print') ?? 'true') !== 'false',
    relaxModules: isSet('relax-modules'),
    maxDepth: depth,
    widening: [...flags.keys()].filter((name) => !harmless.has(name)),
  };
}
