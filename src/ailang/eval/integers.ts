import type { Position } from '../diagnostic.js';
import { RuntimeFailure } from './failure.js';
import type { Int } from './values.js';

const MAX = Number.MAX_SAFE_INTEGER;

/** A bigint cut to 64 bits, as a number where that is exact. */
export function wrap(value: bigint): Int {
  const cut = BigInt.asIntN(64, value);
  return cut >= -9007199254740991n && cut <= 9007199254740991n ? Number(cut) : cut;
}

export function add(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (sum <= MAX && sum >= -MAX) return sum;
  }
  return wrap(BigInt(a) + BigInt(b));
}

export function sub(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (difference <= MAX && difference >= -MAX) return difference;
  }
  return wrap(BigInt(a) - BigInt(b));
}

export function mul(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // Adding 0 turns -0 into 0.
    if (product <= MAX && product >= -MAX) return product + 0;
  }
  return wrap(BigInt(a) * BigInt(b));
}

export function neg(a: Int): Int {
  return typeof a === 'number' ? 0 - a : wrap(-a);
}

export function div(a: Int, b: Int, position: Position): Int {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) {
    if ((a | 0) === a && (b | 0) === b && b > 0) return (a / b) | 0;
    return (a - (a % b)) / b + 0;
  }
  if (b === 0) throw zeroDivisor('division', position);
  return wrap(BigInt(a) / BigInt(b));
}

export function mod(a: Int, b: Int, position: Position): Int {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return (a % b) + 0;
  if (b === 0) throw zeroDivisor('modulo', position);
  return wrap(BigInt(a) % BigInt(b));
}

function zeroDivisor(operation: string, { file, line, column }: Position): RuntimeFailure {
  return new RuntimeFailure('RT001', `RT001: ${operation} by zero at ${file}:${line}:${column}`);
}

const small = (a: Int): a is number => ((a as number) | 0) === a;
const bothSmall = (a: Int, b: Int): boolean => typeof a === 'number' && typeof b === 'number' && small(a) && small(b);

export const and = (a: Int, b: Int): Int =>
  bothSmall(a, b) ? (a as number) & (b as number) : wrap(BigInt(a) & BigInt(b));
export const or = (a: Int, b: Int): Int =>
  bothSmall(a, b) ? (a as number) | (b as number) : wrap(BigInt(a) | BigInt(b));
export const xor = (a: Int, b: Int): Int =>
  bothSmall(a, b) ? (a as number) ^ (b as number) : wrap(BigInt(a) ^ BigInt(b));
export const complement = (a: Int): Int => (typeof a === 'number' && a < MAX ? -1 - a : wrap(~BigInt(a)));

/** Counts of 64 and more shift everything out; a negative count is refused. */
export function shl(a: Int, count: Int): Int {
  const by = shiftCount(count);
  return by >= 64 ? 0 : wrap(BigInt(a) << BigInt(by));
}

export function shr(a: Int, count: Int): Int {
  const by = shiftCount(count);
  if (typeof a === 'number' && small(a)) return a >> Math.min(by, 31);
  return wrap(BigInt(a) >> BigInt(Math.min(by, 63)));
}

export function shrLogical(a: Int, count: Int): Int {
  const by = shiftCount(count);
  return by >= 64 ? 0 : wrap(BigInt.asUintN(64, BigInt(a)) >> BigInt(by));
}

function shiftCount(count: Int): number {
  if (count < 0) throw new RuntimeFailure('RT001', `RT001: negative shift count ${count}`);
  return count > 64 ? 64 : Number(count);
}

/** Truncates toward zero; saturates, and NaN gives 0. */
export function fromDouble(value: number): Int {
  if (Number.isNaN(value)) return 0;
  if (value >= 2 ** 63) return 9223372036854775807n;
  if (value <= -(2 ** 63)) return -9223372036854775808n;
  const whole = Math.trunc(value);
  return whole <= MAX && whole >= -MAX ? whole + 0 : wrap(BigInt(whole));
}

/** An integer as an index or count: clamped into what a number holds exactly. */
export const toNumber = (value: Int): number => (typeof value === 'number' ? value : value > 0n ? MAX : -MAX);
