import { firstRefusal, onlyKnown, optionalString, text } from './arguments.js';
import { type Builtin, parseInventory } from './builtin-inventory.js';
import { ANNOTATIONS, describeTool } from './descriptor.js';
import { refuse, requestEffect } from './plan.js';
import { handlerResult, noResult, textOf } from './results.js';
import { inputSchema, outputSchema, textArgument } from './schema.js';
import { COMMITTED, costs, description, STRICT } from './texts.js';
import type { Tool } from './types.js';

const ID = 'builtins-search';
const EFFECT = 'Ailang.Discover';
/** Most matches a query returns. */
const QUERY_LIMIT = 10;

export const tool: Tool = {
  descriptor: describeTool({
    id: ID,
    title: 'Search AILANG builtins',
    description: description(
      "Search the REAL builtin inventory compiled into the tool binary (policy-tool `builtins_list`, text form). Pass query (case-insensitive substring over name/module/effect; at most 10 matches) and/or module (e.g. 'std/fs'); omit both for the full list. Use this instead of guessing builtin names. Returns {count, matches}, each match {name, module, effect}. Degraded: no signature or description is returned or searched (policy-tool caps a CLI op's stdout at 64 KiB and the JSON inventory exceeds it); use ailang-cli `builtins_show` or examples-search for usage. A truncated or unparseable inventory is refused, never an empty result.",
      STRICT,
      costs('Ailang.Discover call'),
      COMMITTED,
    ),
    effects: [EFFECT],
    input: inputSchema(
      { query: textArgument('Substring to look for'), module: textArgument('Module filter, e.g. std/fs') },
      [],
    ),
    output: outputSchema({
      count: { type: 'integer', description: 'Number of matches returned' },
      matches: { type: 'array', description: 'One {name, module, effect} per builtin', items: { type: 'object' } },
      status: { type: 'string', description: 'How the effect ended, when there is no inventory' },
    }),
    annotations: ANNOTATIONS.reads,
  }),
  plan(args) {
    const refusal = firstRefusal(
      () => onlyKnown(ID, args, ['query', 'module']),
      () => optionalString(args, 'query'),
      () => optionalString(args, 'module'),
    );
    if (refusal !== null) return refuse(refusal);
    return requestEffect(EFFECT, { op: 'builtins_list' }, { finish: true });
  },
  finish(args, results) {
    const handler = handlerResult(EFFECT, results);
    if (handler.output === null) return handler.result;
    const { refused, stdout, stderr } = handler.output;
    if (typeof refused === 'string') return noResult(handler.status, refused);
    const inventory = parseInventory(textOf(stdout));
    if (inventory === null) {
      return noResult(
        handler.status,
        `builtins_list returned an inventory that is truncated or unreadable; stderr: ${textOf(stderr)}`,
      );
    }
    const matches = search(inventory, text(args, 'query'), text(args, 'module'));
    return { count: matches.length, matches: matches.map(({ name, module, effect }) => ({ name, module, effect })) };
  },
};

function search(inventory: readonly Builtin[], query: string, module: string): readonly Builtin[] {
  const [wanted, inside] = [query.toLowerCase(), module.toLowerCase()];
  const found = inventory.filter(
    (builtin) =>
      builtin.module.toLowerCase().includes(inside) &&
      [builtin.name, builtin.module, builtin.effect].some((field) => field.toLowerCase().includes(wanted)),
  );
  return query === '' ? found : found.slice(0, QUERY_LIMIT);
}
