import { argument, firstRefusal, onlyKnown, optionalString, type Refusal, requiredString, text } from './arguments.js';
import { CLI_OPS } from './cli-ops.js';
import { ANNOTATIONS, describeTool } from './descriptor.js';
import { worktreePath } from './path-rule.js';
import { refuse, requestEffect } from './plan.js';
import { isRecord } from './results.js';
import { CLI_OUTPUT, inputSchema, outputSchema, textArgument } from './schema.js';
import { COMMITTED, costs, description, STRICT } from './texts.js';
import type { JsonRecord, Tool } from './types.js';

const ID = 'ailang-cli';

export const tool: Tool = {
  descriptor: describeTool({
    id: ID,
    title: 'AILANG CLI (policy-allowlisted)',
    description: description(
      `Run an allowlisted ailang operation as a typed policy-tool request. ops: ${CLI_OPS.join(', ')}.`,
      'Field by op: check/ai_check/fmt/tree/policy_check: {path}; iface/pkg_docs: {module}; docs_search/examples_search: {query}; examples_show/builtins_show: {module: <name>}; test: {path?, package?}; flags: {"json": "", "limit": "5"} only where the op admits them (boolean flags take "").',
      "fmt's write flag is refused: ailang-cli never writes (fmt returns the formatted text; save it with ailang-write). NOT read/write/edit (their own tools) and NOT run (ailang-run). Paths and package directories follow the worktree path rule.",
      STRICT,
      'Returns {ok, argv, exit_code, stdout, stderr} or {ok:false, refused}.',
      costs('Ailang.CLI call'),
      COMMITTED,
    ),
    effects: ['Ailang.CLI'],
    input: inputSchema(
      {
        op: textArgument('The operation, e.g. "check", "iface", "docs_search", "test"'),
        path: textArgument('In-worktree file path (check, ai_check, fmt, tree, policy_check, test)'),
        module: textArgument('Module path or name (iface: "std/fs"; examples_show/builtins_show: a name)'),
        query: textArgument('Search text (docs_search, examples_search)'),
        package: textArgument('Package directory for test (in-worktree)'),
        flags: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Admitted flags by name; boolean flags take "" (e.g. {"json": ""})',
        },
      },
      ['op'],
    ),
    output: outputSchema(CLI_OUTPUT),
    annotations: ANNOTATIONS.reads,
  }),
  plan(args) {
    const refusal = firstRefusal(
      () => onlyKnown(ID, args, ['op', 'path', 'module', 'query', 'package', 'flags']),
      () => requiredString(args, 'op'),
      () => allowedOp(text(args, 'op')),
      () => worktreePath(args, 'path'),
      () => optionalString(args, 'module'),
      () => optionalString(args, 'query'),
      () => worktreePath(args, 'package'),
      () => flagsOf(args),
    );
    return refusal === null ? requestEffect('Ailang.CLI', args) : refuse(refusal);
  },
};

function allowedOp(op: string): Refusal {
  if (CLI_OPS.includes(op)) return null;
  return `op "${op}" is not an ailang-cli op; reads, writes and edits have their own tools, and run is ailang-run`;
}

function flagsOf(args: JsonRecord): Refusal {
  const flags = argument(args, 'flags');
  if (flags === undefined) return null;
  if (!isRecord(flags) || Object.values(flags).some((value) => typeof value !== 'string')) {
    return 'argument "flags" must be an object of string values';
  }
  if (text(args, 'op') !== 'fmt' || !Object.hasOwn(flags, 'write')) return null;
  return 'op "fmt" flag "write" writes the worktree; ailang-cli never writes (fmt without it returns the formatted text; write it with ailang-write)';
}
