import { builtins } from './builtins.js';
import type { Builtin } from './types.js';

export interface BuiltinFilter {
  readonly json?: boolean;
  readonly byModule?: boolean;
  readonly byEffect?: boolean;
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
  if (filter.byModule)
    return groups(
      chosen,
      (builtin) => builtin.module,
      (b) => `  ${b.name} [${effectWord(b)}]`,
    );
  if (filter.byEffect)
    return groups(
      chosen,
      (builtin) => builtin.effect ?? 'Pure',
      (b) => `  ${b.name} ${b.module}`,
    );
  const lines = chosen.map((builtin) => `  ${builtin.name.padEnd(30)} [${effectWord(builtin)}] ${builtin.module}`);
  return `Total: ${chosen.length} builtins\n\n${lines.join('\n')}\n`;
}

/** The text of `builtins show NAME`; `_NAME` is tried too. */
export function showBuiltin(name: string): { readonly text: string; readonly found: boolean } {
  const builtin = builtins.find((one) => one.name === name) ?? builtins.find((one) => one.name === `_${name}`);
  if (builtin === undefined) return { text: notFound(name), found: false };
  const lines = [
    '',
    signature(builtin),
    '',
    'Description:',
    `  ${builtin.description}`,
    '',
    `Module: ${builtin.module}`,
  ];
  return { text: `${[...lines, `Effect: ${builtin.effect ?? 'pure'}`].join('\n')}\n`, found: true };
}

function matches(builtin: Builtin, { module, query }: BuiltinFilter): boolean {
  if (module !== undefined && builtin.module !== module) return false;
  const wanted = query?.toLowerCase();
  if (wanted === undefined) return true;
  return [builtin.name, builtin.module, builtin.description].some((text) => text.toLowerCase().includes(wanted));
}

const effectWord = (builtin: Builtin): string => builtin.effect?.toLowerCase() ?? 'pure';
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
  const lines = near.length === 0 ? [] : ['Did you mean:', ...near.map((builtin) => `  ${builtin.name}`)];
  return `${[`Builtin '${name}' not found.`, ...lines].join('\n')}\n`;
}
