import type { Json, JsonRecord } from './types.js';

/**
 * The checks every plan makes, in the order of world-formats 5.3. Each returns the refusal's text, or null when the
 * arguments pass.
 */
export type Refusal = string | null;

/** The first refusal, in order; later checks do not run. */
export function firstRefusal(...checks: readonly (() => Refusal)[]): Refusal {
  for (const check of checks) {
    const refusal = check();
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Names the first unknown key in the caller's order. */
export function onlyKnown(tool: string, args: JsonRecord, admitted: readonly string[]): Refusal {
  const unknown = Object.keys(args).find((key) => !admitted.includes(key));
  return unknown === undefined ? null : `unknown argument "${unknown}"; ${tool} admits only: ${admitted.join(', ')}`;
}

export function requiredString(args: JsonRecord, name: string): Refusal {
  return Object.hasOwn(args, name) ? optionalString(args, name) : `missing required argument "${name}"`;
}

export function optionalString(args: JsonRecord, name: string): Refusal {
  const value = argument(args, name);
  return value === undefined || typeof value === 'string' ? null : `argument "${name}" must be a string`;
}

/** The caller's own member: never one inherited from `Object.prototype`. */
export function argument(args: JsonRecord, name: string): Json | undefined {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

/** The text of a member that `requiredString` has let pass. */
export function text(args: JsonRecord, name: string): string {
  const value = argument(args, name);
  return typeof value === 'string' ? value : '';
}

/** Size as the policy layer counts it. */
export function utf8Bytes(value: string): number {
  return new TextEncoder().encode(value).length;
}
