import { firstRefusal, onlyKnown, requiredString, text } from './arguments.js';
import { ANNOTATIONS, describeTool } from './descriptor.js';
import { refuse, requestEffect } from './plan.js';
import { CLI_OUTPUT, inputSchema, outputSchema, textArgument } from './schema.js';
import { COMMITTED, costs, description, STRICT } from './texts.js';
import type { Tool } from './types.js';

const ID = 'examples-search';

export const tool: Tool = {
  descriptor: describeTool({
    id: ID,
    title: 'Search AILANG examples',
    description: description(
      "Search the AILANG examples corpus this daemon serves (policy-tool `examples_search`; the operator's --examples-dir) for `query`, then read a hit with ailang-cli op examples_show. The op admits no flags, so there is no limit argument. Use this before writing a construct you are unsure of. Returns {ok, argv, exit_code, stdout, stderr}, or {ok:false, refused} when no corpus is configured.",
      STRICT,
      costs('Ailang.Discover call'),
      COMMITTED,
    ),
    effects: ['Ailang.Discover'],
    input: inputSchema({ query: textArgument('Text to search the examples for') }, ['query']),
    output: outputSchema(CLI_OUTPUT),
    annotations: ANNOTATIONS.reads,
  }),
  plan(args) {
    const refusal = firstRefusal(
      () => onlyKnown(ID, args, ['query']),
      () => requiredString(args, 'query'),
    );
    if (refusal !== null) return refuse(refusal);
    return requestEffect('Ailang.Discover', { op: 'examples_search', query: text(args, 'query') });
  },
};
