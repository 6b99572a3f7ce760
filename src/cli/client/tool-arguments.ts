import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonObject, JsonValue } from '../../log/types.js';
import { usageError } from '../arguments.js';
import type { Io } from '../verb.js';

/** The two ways to write a tool's arguments; they do not mix (world-behaviour 1.7). */
export interface ArgumentFlags {
  readonly arg?: readonly string[] | undefined;
  readonly 'arg-json'?: readonly string[] | undefined;
  readonly json?: string | undefined;
}

/** @throws WorldError `usage` naming the flag and what is wrong with it */
export async function toolArguments(flags: ArgumentFlags, io: Io): Promise<JsonObject> {
  const single = [...(flags.arg ?? []).map((text) => pair(text, '--arg')), ...(flags['arg-json'] ?? []).map(jsonPair)];
  if (flags.json === undefined) return Object.fromEntries(uniquePairs(single));
  if (single.length > 0) throw usageError('--json does not mix with --arg and --arg-json');
  const value = parseJson(await jsonText(flags.json, io), '--json');
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw usageError('--json must hold a JSON object');
  return value as JsonObject;
}

async function jsonText(value: string, io: Io): Promise<string> {
  if (value === '-') return (await io.readStdin()).toString('utf8');
  if (!value.startsWith('@')) return value;
  const file = resolve(io.cwd, value.slice(1));
  return readFile(file, 'utf8').catch(() => {
    throw usageError(`--json: cannot read ${file}`);
  });
}

function pair(text: string, flag: string): readonly [string, string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw usageError(`${flag} must look like name=value, not "${text}"`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

function jsonPair(text: string): readonly [string, JsonValue] {
  const [name, value] = pair(text, '--arg-json');
  return [name, parseJson(value, `--arg-json ${name}`)];
}

function uniquePairs(pairs: readonly (readonly [string, JsonValue])[]) {
  const seen = new Set<string>();
  for (const [name] of pairs) {
    if (seen.has(name)) throw usageError(`argument "${name}" is given twice`);
    seen.add(name);
  }
  return pairs;
}

function parseJson(text: string, flag: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw usageError(`${flag} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
