import { parse } from 'smol-toml';

/** The keys of a policy file, decoded and not yet judged. */
export interface PolicyDocument {
  readonly security_mode: string;
  readonly allowed_caps: readonly string[];
  readonly fs_sandbox: string;
  readonly fs_deny_write: readonly string[];
  readonly net_allow: readonly string[];
  readonly net_allow_http: boolean;
  readonly process_allow: readonly string[];
  readonly cli_allow: readonly string[] | null;
  readonly budgets: Readonly<Record<string, number>>;
  readonly timeout_ms: number | null;
  readonly max_source_bytes: number;
  readonly max_module_graph_bytes: number;
  readonly max_output_bytes: number;
  readonly max_fs_transfer_bytes: number;
  readonly ai_provider: string;
  readonly entry: string;
}

const keys = new Set([
  'security_mode',
  'allowed_caps',
  'fs_sandbox',
  'fs_deny_write',
  'net_allow',
  'net_allow_http',
  'process_allow',
  'cli_allow',
  'budgets',
  'timeout_ms',
  'max_source_bytes',
  'max_module_graph_bytes',
  'max_output_bytes',
  'max_fs_transfer_bytes',
  'ai_provider',
  'entry',
]);

/**
 * Strict TOML decoding: unknown keys and wrong types are errors.
 * @throws Error with the text that follows `policy: <path>: `
 */
export function decodePolicy(text: string): PolicyDocument {
  // With bigints an integer is told from a float that happens to be whole.
  const table = parse(text, { integersAsBigInt: true }) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(table).filter((key) => !keys.has(key));
  if (unknown.length > 0) throw new Error(`unknown fields: [${unknown.join(' ')}]`);
  const string = (key: string): string => typed(key, table[key] ?? '', 'a string', isString);
  const strings = (key: string): readonly string[] => typed(key, table[key] ?? [], 'an array of strings', isStrings);
  const integer = (key: string): number => Number(typed(key, table[key] ?? 0n, 'an integer', isBigint));
  return {
    security_mode: string('security_mode'),
    allowed_caps: strings('allowed_caps'),
    fs_sandbox: string('fs_sandbox'),
    fs_deny_write: strings('fs_deny_write'),
    net_allow: strings('net_allow'),
    net_allow_http: typed('net_allow_http', table.net_allow_http ?? false, 'a boolean', isBoolean),
    process_allow: strings('process_allow'),
    cli_allow: table.cli_allow === undefined ? null : strings('cli_allow'),
    budgets: budgets(table.budgets ?? {}),
    timeout_ms: table.timeout_ms === undefined ? null : integer('timeout_ms'),
    max_source_bytes: integer('max_source_bytes'),
    max_module_graph_bytes: integer('max_module_graph_bytes'),
    max_output_bytes: integer('max_output_bytes'),
    max_fs_transfer_bytes: integer('max_fs_transfer_bytes'),
    ai_provider: string('ai_provider'),
    entry: string('entry'),
  };
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isBigint = (value: unknown): value is bigint => typeof value === 'bigint';
const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString);
const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

function typed<T>(key: string, value: unknown, wanted: string, is: (value: unknown) => value is T): T {
  if (!is(value)) throw new Error(`toml: incompatible types: ${key} must be ${wanted}`);
  return value;
}

function budgets(value: unknown): Record<string, number> {
  const table = typed('budgets', value, 'a table', isTable);
  return Object.fromEntries(
    Object.entries(table).map(([name, limit]) => [
      name,
      Number(typed(`budgets.${name}`, limit, 'an integer', isBigint)),
    ]),
  );
}
