import { createHash } from 'node:crypto';
import { check } from '../../check.js';
import type { CoreProgram, EntryPoint } from '../../core/types.js';
import type { CheckResult } from '../../interfaces.js';
import type { FileGuard } from '../../policy/fileguard/fileguard.js';
import { GuardError, TooLargeError } from '../../policy/fileguard/guard-error.js';
import { quoted } from '../../policy/go-text.js';
import type { Policy } from '../../policy/policy.js';
import { builtins } from '../../std/builtins.js';
import { stdSource } from '../../std/source.js';
import { errorText } from '../diagnostics.js';
import { operatorPackages } from '../package-cache.js';
import { frozenSources, guardedSources, SourceTooLarge } from './sources.js';

/** Whether a program may run under a policy, and why not (ailang-cli 4.3). Keys in the order they are printed. */
export interface Decision {
  readonly ok: boolean;
  readonly error_kind?: string;
  readonly message?: string;
  readonly function?: string;
  readonly declared_effects: readonly string[] | null;
  readonly allowed_caps: readonly string[] | null;
  readonly missing_from_policy?: readonly string[];
}

export interface ModuleGraph {
  readonly digest: string;
  readonly files: number;
  readonly bytes: number;
}

/** What a denied run and `policy-check` print. */
export interface DecisionDocument {
  readonly file: string;
  readonly policy: string;
  readonly module?: string;
  readonly decision: Decision;
  readonly source_too_large?: true;
}

export type Admission =
  | {
      readonly kind: 'admitted';
      readonly program: CoreProgram;
      readonly entry: EntryPoint;
      readonly graph: ModuleGraph;
      readonly document: DecisionDocument;
    }
  | { readonly kind: 'denied'; readonly exitCode: 1 | 2; readonly document: DecisionDocument }
  /** No decision: the request itself is wrong. `message` follows `Error: --policy: `. */
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Judges a program, step by step in the order of ailang-cli 4.3; nothing of it runs.
 * @param path of the entry file from the guard's root; `file` is how it was named
 */
export function admit(policy: Policy, guard: FileGuard, path: string, file: string): Admission {
  const denied = (exitCode: 1 | 2, kind: string, message: string, more: Partial<DecisionDocument> = {}): Admission => {
    const decision = { ok: false, error_kind: kind, message, declared_effects: null, allowed_caps: null };
    return { kind: 'denied', exitCode, document: { file, policy: policy.path, decision, ...more } };
  };
  let source: string | null;
  try {
    source = guardedSources(guard, policy.limits.max_source_bytes).read(path);
    // Missing and unreadable files fail the same way; the guard's own error has the reason.
    if (source === null) guard.readFile(path, 0);
  } catch (error) {
    if (error instanceof TooLargeError)
      return denied(2, 'source_too_large', tooLarge(policy, guard, path), tooLargeMark);
    if (!(error instanceof GuardError)) throw error;
    if (error.code === 'escape')
      return {
        kind: 'refused',
        message: `program ${file} is outside fs_sandbox ${policy.fsSandbox} — a program runs only from inside the sandbox`,
      };
    return denied(1, 'read_failed', error.message.replace(/^(open|stat)at /, 'open '));
  }
  let result: CheckResult;
  const cache = operatorPackages();
  try {
    const host = frozenSources(guardedSources(guard, 0), policy.limits.max_module_graph_bytes);
    const packages = cache === null ? null : frozenSources(cache, policy.limits.max_module_graph_bytes);
    result = check({ file: path, host, std: stdSource, builtins, packages, coverage: false });
  } catch (error) {
    if (error instanceof SourceTooLarge) return denied(2, 'source_too_large', error.message, tooLargeMark);
    if (error instanceof GuardError) return denied(2, 'typecheck_failed', error.message);
    throw error;
  } finally {
    cache?.close();
  }
  const { program } = result;
  if (program === null) return denied(2, 'typecheck_failed', result.diagnostics.map(errorText).join('\n'));
  if (result.interface === null)
    return denied(2, 'missing_entry', 'no module interface produced — is the file a module?');
  const named = { module: result.interface.module };
  const entry = program.entries.find(({ name }) => name === policy.entry);
  if (entry === undefined)
    return denied(
      2,
      'missing_entry',
      `entry ${quoted(policy.entry)} not exported by module ${quoted(named.module)}`,
      named,
    );
  const decision = judge(policy, entry);
  const document = { file, policy: policy.path, ...named, decision };
  if (!decision.ok) return { kind: 'denied', exitCode: 2, document };
  return { kind: 'admitted', program, entry, graph: moduleGraph(result), document };
}

const tooLargeMark = { source_too_large: true } as const;

const tooLarge = (policy: Policy, guard: FileGuard, file: string): string =>
  `source size ${guard.size(file)} exceeds max_source_bytes=${policy.limits.max_source_bytes}`;

function judge(policy: Policy, entry: EntryPoint): Decision {
  const about = {
    function: entry.name,
    declared_effects: [...entry.effects],
    allowed_caps: [...policy.caps],
  };
  if (entry.openRow)
    return {
      ok: false,
      error_kind: 'parametric_entry_unsupported',
      message: 'the entry has an open effect row; declare the effects it performs',
      ...about,
    };
  const missing = entry.effects.filter((effect) => !policy.caps.includes(effect));
  if (missing.length === 0) return { ok: true, ...about };
  return {
    ok: false,
    error_kind: 'policy_violation',
    message: 'declared effects exceed policy',
    ...about,
    missing_from_policy: missing,
  };
}

function moduleGraph({ sources }: CheckResult): ModuleGraph {
  const hash = createHash('sha256');
  let bytes = 0;
  const sorted = [...sources].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, text } of sorted) {
    hash.update(`${path}\0${createHash('sha256').update(text).digest('hex')}\n`);
    bytes += Buffer.byteLength(text);
  }
  return { digest: hash.digest('hex'), files: sources.length, bytes };
}
