import type { RequestField } from './request.js';

export type ValueKind = 'path' | 'module' | 'word' | 'query';
/** A flag is boolean unless it takes a value of some kind. */
export type FlagKind = 'boolean' | ValueKind;

/** One operation that `policy-tool` runs as a command of the toolchain (ailang-cli 1.8). */
export interface CliOperation {
  readonly command: string;
  readonly sub?: string;
  readonly positional?: { readonly field: RequestField; readonly kind: ValueKind; readonly required: boolean };
  readonly flags: Readonly<Record<string, FlagKind>>;
  /** Runs with the sandbox root as its working directory. */
  readonly inRoot: boolean;
  /** `--package <directory>` follows when the request names one. */
  readonly takesPackage?: true;
  /** `--policy <file>` goes before everything else. */
  readonly takesPolicy?: true;
}

const path = { field: 'path', kind: 'path', required: true } as const;
const optionalPath = { field: 'path', kind: 'path', required: false } as const;
const module = { field: 'module', kind: 'module', required: true } as const;
const name = { field: 'module', kind: 'word', required: true } as const;
const query = { field: 'query', kind: 'query', required: true } as const;
const plain = (command: string): CliOperation => ({ command, flags: {}, inRoot: false });

export const cliOperations: Readonly<Record<string, CliOperation>> = {
  agent_prompt: plain('agent-prompt'),
  ai_check: { command: 'ai-check', positional: path, flags: { timeout: 'word' }, inRoot: true },
  axioms: plain('axioms'),
  builtins_list: {
    command: 'builtins',
    sub: 'list',
    flags: {
      json: 'boolean',
      module: 'module',
      query: 'query',
      'by-module': 'boolean',
      'by-effect': 'boolean',
      verbose: 'boolean',
    },
    inRoot: false,
  },
  builtins_show: { command: 'builtins', sub: 'show', positional: name, flags: {}, inRoot: false },
  check: {
    command: 'check',
    positional: path,
    flags: { json: 'boolean', quiet: 'boolean', 'strict-syntax': 'boolean' },
    inRoot: true,
  },
  devtools_prompt: plain('devtools-prompt'),
  docs_search: {
    command: 'docs',
    sub: 'search',
    positional: query,
    flags: { json: 'boolean', limit: 'word' },
    inRoot: false,
  },
  examples_list: { command: 'examples', sub: 'list', flags: { tags: 'word', status: 'word' }, inRoot: false },
  examples_search: { command: 'examples', sub: 'search', positional: query, flags: {}, inRoot: false },
  examples_show: { command: 'examples', sub: 'show', positional: name, flags: {}, inRoot: false },
  examples_tags: { command: 'examples', sub: 'tags', flags: {}, inRoot: false },
  fmt: { command: 'fmt', positional: path, flags: { write: 'boolean', check: 'boolean' }, inRoot: true },
  iface: { command: 'iface', positional: module, flags: { compact: 'boolean' }, inRoot: true },
  pkg_docs: { command: 'pkg-docs', positional: module, flags: {}, inRoot: true },
  policy_check: { command: 'policy-check', positional: path, flags: {}, inRoot: true, takesPolicy: true },
  prompt: plain('prompt'),
  test: {
    command: 'test',
    positional: optionalPath,
    flags: { json: 'boolean', 'allow-skips': 'boolean', 'no-color': 'boolean', package: 'path' },
    inRoot: true,
    takesPackage: true,
  },
  tree: { command: 'tree', positional: optionalPath, flags: {}, inRoot: true },
  version: plain('version'),
};

const defaultAllow: readonly string[] = [
  'check',
  'ai-check',
  'iface',
  'fmt',
  'test',
  'docs:search',
  'examples',
  'builtins',
  'pkg-docs',
  'tree',
  'prompt',
  'agent-prompt',
  'devtools-prompt',
  'policy-check',
  'axioms',
  'version',
];

/** Names of the operations a policy admits, sorted. `allow` holds `cmd` or `cmd:sub`; null is the default set. */
export function admittedOperations(allow: readonly string[] | null): string[] {
  const admitted = new Set(allow ?? defaultAllow);
  return Object.entries(cliOperations)
    .filter(([, { command, sub }]) => admitted.has(command) || (sub !== undefined && admitted.has(`${command}:${sub}`)))
    .map(([operation]) => operation)
    .sort();
}

/** How a refusal lists what a policy admits. */
export const allowedText = (allow: readonly string[] | null): string => (allow ?? defaultAllow).join(', ');
