import { nearest } from '../syntax/edit-distance.js';
import { builtins } from './builtins.js';
import { stdSource } from './source.js';
import type { Builtin } from './types.js';

export interface BuiltinFilter {
  readonly json?: boolean;
  readonly byModule?: boolean;
  readonly byEffect?: boolean;
  /** Type and description below each name. */
  readonly verbose?: boolean;
  /** Exact module path. */
  readonly module?: string;
  /** Case-insensitive part of name, module or description. */
  readonly query?: string;
}

/** The text of `builtins list` (ailang-cli section 9), with its final newline. */
export function listBuiltins(filter: BuiltinFilter): string {
  const chosen = builtins.filter((builtin) => matches(builtin, filter));
  if (filter.json) return `${JSON.stringify({ count: chosen.length, builtins: chosen.map(record) })}\n`;
  if (chosen.length === 0) return 'No builtins registered\n';
  const entry = (line: (builtin: Builtin) => string) => (builtin: Builtin) =>
    filter.verbose ? `${line(builtin)}\n      ${builtin.type}\n      ${builtin.description}` : line(builtin);
  if (filter.byModule)
    return groups(
      chosen,
      (builtin) => builtin.module,
      entry(({ name, effect }) => `  ${name} [${effectWord(effect)}]`),
    );
  if (filter.byEffect)
    return groups(
      chosen,
      (builtin) => builtin.effect ?? 'Pure',
      entry(({ name, module }) => `  ${name} ${module}`),
    );
  const lines = chosen.map(
    entry(({ name, effect, module }) => `  ${name.padEnd(30)} [${effectWord(effect)}] ${module}`),
  );
  return `Total: ${chosen.length} builtins\n\n${lines.join('\n')}\n`;
}

/** The answer to `builtins show NAME`, as text and as JSON; `_NAME` is tried too. */
export function showBuiltin(name: string): { readonly text: string; readonly json: string; readonly found: boolean } {
  const builtin = builtins.find((one) => one.name === name) ?? builtins.find((one) => one.name === `_${name}`);
  if (builtin === undefined)
    return { text: notFound(name), json: JSON.stringify({ error: `builtin ${name} not found` }), found: false };
  const lines = [
    '',
    signature(builtin),
    ...usage(builtin),
    '',
    'Description:',
    `  ${builtin.description}`,
    '',
    `Module: ${builtin.module}`,
  ];
  const text = `${[...lines, `Effect: ${builtin.effect ?? 'pure'}`].join('\n')}\n`;
  return { text, json: JSON.stringify(record(builtin)), found: true };
}

/** The library functions that are made of it, which is what a program imports. */
function usage({ name, module }: Builtin): string[] {
  const functions = (stdSource(module) ?? '').split(/^(?=export )/m);
  const using = functions.filter((text) => new RegExp(`\\b${name}\\(`).test(text));
  const names = using.flatMap((text) => /^export (?:pure )?(?:extern )?func (\w+)/.exec(text)?.[1] ?? []);
  return names.length === 0 ? [] : ['', 'Usage:', ...names.map((one) => `  import ${module} (${one})`)];
}

function matches(builtin: Builtin, { module, query }: BuiltinFilter): boolean {
  if (module !== undefined && builtin.module !== module) return false;
  const wanted = query?.toLowerCase();
  if (wanted === undefined) return true;
  return [builtin.name, builtin.module, builtin.description].some((text) => text.toLowerCase().includes(wanted));
}

const effectWord = (effect: string | null): string => effect?.toLowerCase() ?? 'pure';
const signature = (builtin: Builtin): string => `${builtin.name}: ${builtin.type}`;

function record(builtin: Builtin): object {
  const { name, module, effect, description } = builtin;
  return {
    name,
    module,
    signature: signature(builtin),
    is_pure: effect === null,
    ...(effect === null ? {} : { effect }),
    num_args: parameterCount(builtin.type),
    description,
  };
}

/** Parameters of a function type as the table writes it: `a -> b`, `() -> b`, `(a, b) -> c`. */
export function parameterCount(type: string): number {
  if (type.startsWith('() ->')) return 0;
  if (!type.startsWith('(')) return 1;
  let depth = 0;
  let commas = 0;
  for (const character of type) {
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === ',' && depth === 1) commas += 1;
    if (depth === 0) break;
  }
  return commas + 1;
}

function groups(
  chosen: readonly Builtin[],
  key: (builtin: Builtin) => string,
  line: (builtin: Builtin) => string,
): string {
  const names = [...new Set(chosen.map(key))].sort();
  const blocks = names.map((name) => {
    const members = chosen.filter((builtin) => key(builtin) === name);
    return [`# ${name} (${members.length})`, ...members.map(line)].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

function notFound(name: string): string {
  const wanted = name.toLowerCase().replace(/^_/, '');
  const near = builtins.filter((builtin) => wanted !== '' && builtin.name.toLowerCase().includes(wanted)).slice(0, 5);
  const alike =
    nearest(
      `_${wanted}`,
      builtins.map((builtin) => builtin.name),
    ) ?? [];
  const names = new Set([alike, near.map((builtin) => builtin.name)].flat());
  const lines = names.size === 0 ? [] : ['Did you mean:', ...[...names].map((one) => `  ${one}`)];
  return `${[`Builtin '${name}' not found.`, ...lines].join('\n')}\n`;
}
