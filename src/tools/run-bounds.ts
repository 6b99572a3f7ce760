import { argument, firstRefusal, optionalString, type Refusal, utf8Bytes } from './arguments.js';
import { worktreePath } from './path-rule.js';
import type { JsonRecord } from './types.js';

/** Capabilities a run may ask for, in the order refusals name them. */
export const CAPABILITIES: readonly string[] = ['Declassify', 'Env', 'FS', 'IO', 'Net'];
/** UTF-8 bytes. */
const STDIN_LIMIT = 65536;
const ARGV_LIMIT = 32;
/** UTF-8 bytes of one item. */
const ARGV_ITEM_LIMIT = 1024;

/**
 * The bounds of a run in the order of world-formats 5.3, once `path` is there. The handler makes the same checks on the
 * planned payload.
 */
export function runBounds(args: JsonRecord): Refusal {
  return firstRefusal(
    () => optionalString(args, 'args_json'),
    () => worktreePath(args, 'path'),
    () => jsonText(args),
    () => optionalString(args, 'stdin'),
    () => stdinSize(args),
    () => argvBounds(args),
    () => capsBounds(args),
  );
}

/** The effect a run spends: Env and Net have their own, every other set is Ailang.Run. */
export function runEffect(caps: readonly string[]): string {
  if (caps.includes('Env')) return 'Ailang.RunEnv';
  return caps.includes('Net') ? 'Ailang.RunNet' : 'Ailang.Run';
}

function jsonText(args: JsonRecord): Refusal {
  const source = argument(args, 'args_json');
  if (typeof source !== 'string') return null;
  try {
    JSON.parse(source);
    return null;
  } catch {
    return 'argument "args_json" must be a string holding JSON';
  }
}

function stdinSize(args: JsonRecord): Refusal {
  const stdin = argument(args, 'stdin');
  const size = typeof stdin === 'string' ? utf8Bytes(stdin) : 0;
  return size > STDIN_LIMIT ? `argument "stdin" is ${size} bytes; the limit is ${STDIN_LIMIT}` : null;
}

function argvBounds(args: JsonRecord): Refusal {
  const argv = argument(args, 'argv');
  if (argv === undefined) return null;
  if (!Array.isArray(argv)) return 'argument "argv" must be an array of strings';
  if (argv.length > ARGV_LIMIT) return `argument "argv" has ${argv.length} items; the limit is ${ARGV_LIMIT}`;
  for (const item of argv) {
    if (typeof item !== 'string') return 'argument "argv" must be an array of strings';
    const size = utf8Bytes(item);
    if (size > ARGV_ITEM_LIMIT) return `an argv item is ${size} bytes; the limit is ${ARGV_ITEM_LIMIT}`;
    if (item.includes('\0')) return 'an argv item contains a NUL byte';
  }
  return null;
}

function capsBounds(args: JsonRecord): Refusal {
  const caps = argument(args, 'caps');
  if (caps === undefined) return null;
  if (!Array.isArray(caps)) return 'argument "caps" must be an array of capability names';
  const seen = new Set<string>();
  for (const cap of caps) {
    if (typeof cap !== 'string') return 'argument "caps" must be an array of capability names';
    if (!CAPABILITIES.includes(cap)) {
      return `unknown capability "${cap}"; caps admits only: ${CAPABILITIES.join(', ')}`;
    }
    if (seen.has(cap)) return `capability "${cap}" is listed twice`;
    seen.add(cap);
  }
  if (seen.size === 0) return 'argument "caps" names no capability';
  return seen.has('Env') && seen.has('Net') ? 'caps names both Env and Net; one run takes at most one of them' : null;
}
