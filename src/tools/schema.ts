import type { Json, JsonRecord } from './types.js';

/** A text argument. */
export const textArgument = (description: string): JsonRecord => ({ type: 'string', description });

/** A closed object: a key outside it is refused by the plan too. */
export function inputSchema(properties: { [name: string]: JsonRecord }, required: readonly string[]): JsonRecord {
  const schema: { [key: string]: Json } = { type: 'object', properties };
  if (required.length > 0) schema.required = [...required];
  schema.additionalProperties = false;
  return schema;
}

const WORLD: JsonRecord = {
  type: 'object',
  description: 'effects: [{id, status (ok, denied or failed), record}] and plan, the ref of the effect plan',
};
const OK: JsonRecord = { type: 'boolean', description: 'false: refused, denied or failed' };
const REFUSED: JsonRecord = { type: 'string', description: 'Why there is no result' };

/**
 * An open object that only promises `world`: clients throw a result away, after its effect ran, when it does not fit the
 * schema, so a member that may be null or absent carries no type.
 */
export function outputSchema(properties: { [name: string]: JsonRecord }): JsonRecord {
  return { type: 'object', properties: { ...properties, ok: OK, refused: REFUSED, world: WORLD }, required: ['world'] };
}

/** What a policy-tool CLI operation answers. */
export const CLI_OUTPUT: { readonly [name: string]: JsonRecord } = {
  argv: { type: 'array', description: 'The command line that ran', items: { type: 'string' } },
  exit_code: { type: 'integer', description: 'Exit code of the operation' },
  stdout: { type: 'string', description: 'Standard output' },
  stderr: { type: 'string', description: 'Standard error' },
};
