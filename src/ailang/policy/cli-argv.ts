import type { CliOperation, ValueKind } from './cli-table.js';
import type { FileGuard } from './fileguard/fileguard.js';
import { GuardError } from './fileguard/guard-error.js';
import { clean, rootRelative } from './fileguard/lexical.js';
import { quoted } from './go-text.js';
import { Refusal } from './reply.js';
import type { PolicyToolCall, RequestField } from './request.js';

/**
 * The command line of an operation, every value judged (ailang-cli 1.8).
 * @param guard null when the policy admits no FS
 * @throws Refusal
 */
export function buildArgv(
  operation: CliOperation,
  call: PolicyToolCall,
  policyPath: string,
  guard: FileGuard | null,
): readonly string[] {
  const argv = [operation.command];
  if (operation.sub !== undefined) argv.push(operation.sub);
  if (operation.takesPolicy) argv.push('--policy', policyPath);
  argv.push(...flagArguments(operation, call, guard));
  const used = new Set<RequestField>();
  const { positional } = operation;
  if (positional !== undefined) {
    used.add(positional.field);
    const value = call.fields[positional.field];
    if (value !== '') argv.push(checkedValue(positional.kind, value, guard));
    else if (positional.required) throw new Refusal(`op ${call.op} requires ${positional.field}`);
  }
  if (operation.takesPackage) {
    used.add('package');
    if (call.fields.package !== '') argv.push('--package', checkedValue('path', call.fields.package, guard));
  }
  const stray = Object.entries(call.fields).find(([field, value]) => value !== '' && !used.has(field as RequestField));
  if (stray !== undefined) throw new Refusal(`op ${call.op} does not take ${stray[0]}`);
  return argv;
}

function flagArguments(operation: CliOperation, call: PolicyToolCall, guard: FileGuard | null): string[] {
  const names = [...call.flags.keys()].sort();
  return names.flatMap((name) => {
    const kind = Object.hasOwn(operation.flags, name) ? operation.flags[name] : undefined;
    if (kind === undefined) {
      const admitted = Object.keys(operation.flags).sort();
      const list = admitted.length === 0 ? 'none' : admitted.map((flag) => `--${flag}`).join(' ');
      throw new Refusal(`op ${call.op} does not admit flag --${name} (admitted: ${list})`);
    }
    const value = call.flags.get(name)!;
    if (kind !== 'boolean') return [`--${name}`, flagValue(name, kind, value, guard)];
    if (value === '' || value === 'true') return [`--${name}`];
    throw new Refusal(
      `flag --${name} is boolean: pass "" or "true" to set it, omit it to leave it off (got ${quoted(value)})`,
    );
  });
}

function flagValue(name: string, kind: ValueKind, value: string, guard: FileGuard | null): string {
  try {
    return checkedValue(kind, value, guard);
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(`flag --${name}: ${error.message}`);
    throw error;
  }
}

const modulePath = /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/;
const simpleToken = /^[A-Za-z0-9_][A-Za-z0-9_.@+:-]*$/;

function checkedValue(kind: ValueKind, value: string, guard: FileGuard | null): string {
  refuseFlagLike(value);
  switch (kind) {
    case 'path':
      return checkedPath(value, guard);
    case 'module':
      if (!modulePath.test(value) || value.includes('..'))
        throw new Refusal(`module ${quoted(value)} is not a module path`);
      return value;
    case 'word':
      if (!simpleToken.test(value) || value.includes('..')) throw new Refusal(`${quoted(value)} is not a simple token`);
      return value;
    case 'query':
      if (/[\0\n]/.test(value) || Buffer.byteLength(value) > 4096) throw new Refusal('query is malformed');
      return value;
  }
}

function refuseFlagLike(value: string): void {
  if (value.startsWith('-')) throw new Refusal(`${quoted(value)} looks like a flag; flags go in the flags field`);
}

function checkedPath(value: string, guard: FileGuard | null): string {
  if (guard === null) throw new Refusal(`path ${quoted(value)}: the policy admits no FS`);
  try {
    const relative = clean(rootRelative(guard.root, value));
    if (relative === '..' || relative.startsWith('../') || value.includes('/../'))
      throw new Refusal(`path ${quoted(value)} leaves the sandbox`);
    refuseFlagLike(relative);
    guard.size(value);
    if (guard.stat(value, 'lstat') === 'symlink')
      throw new Refusal(`path ${quoted(value)} is a symlink; CLI operations take real files inside the sandbox`);
    return relative;
  } catch (error) {
    if (!(error instanceof GuardError)) throw error;
    throw new Refusal(error.code === 'escape' ? error.message : `path ${quoted(value)}: ${error.message}`);
  }
}
