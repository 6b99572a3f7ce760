import { type ParseArgsConfig, parseArgs } from 'node:util';
import { WorldError } from '../errors.js';
import { suggest } from './suggest.js';

type FlagTable = NonNullable<ParseArgsConfig['options']>;

/** A mistake on the command line: exit code 1, with what to do instead. */
export function usageError(message: string, hint?: string): WorldError {
  return new WorldError('usage', message, hint === undefined ? {} : { hint });
}

/**
 * Splits a verb's arguments into flags and positionals. Flags and positionals may stand in any order.
 * @throws WorldError `usage` for an unknown flag (with the nearest known one), a missing or superfluous value
 */
export function parseFlags<const T extends FlagTable>(args: readonly string[], options: T) {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const known = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (known === undefined) throw usageError(`unknown flag ${token.rawName}`, flagHint(token.name, options));
    if (known.type === 'string' && token.value === undefined) throw usageError(`flag ${token.rawName} needs a value`);
    if (known.type === 'boolean' && token.value !== undefined)
      throw usageError(`flag ${token.rawName} takes no value, but was given "${token.value}"`);
  }
  // Written again with `=` and `--`, so that a value may begin with a dash (`--arg old_text=-x`, `--json -`).
  const flags = tokens.flatMap((token) =>
    token.kind === 'option' ? [token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`] : [],
  );
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  return parseArgs<{ args: string[]; options: T; allowPositionals: true }>({
    args: [...flags, '--', ...positionals],
    options,
    allowPositionals: true,
  });
}

function flagHint(name: string, options: FlagTable): string {
  const near = suggest(name, Object.keys(options));
  if (near !== undefined) return `did you mean --${near}?`;
  const all = Object.keys(options).map((flag) => `--${flag}`);
  return all.length === 0 ? 'this verb takes no flags' : `known flags: ${all.join(', ')}`;
}

/** @throws WorldError `usage` unless there are between `min` and `max` positionals */
export function expectPositionals(positionals: readonly string[], min: number, max: number, names: string): void {
  if (positionals.length < min) throw usageError(`missing argument: expected ${names}`);
  const extra = positionals[max];
  if (extra !== undefined)
    throw usageError(`unexpected argument "${extra}"`, max === 0 ? undefined : `expected ${names}`);
}

/**
 * A whole number given as text.
 * @throws WorldError `usage` naming the flag when it is not one, or out of range
 */
export function parseWholeNumber(text: string, name: string, range: { min: number; max: number }): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value) || value < range.min || value > range.max)
    throw usageError(`${name} must be a whole number from ${range.min} to ${range.max}, not "${text}"`);
  return value;
}
