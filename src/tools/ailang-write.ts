import { firstRefusal, onlyKnown, requiredString, text } from './arguments.js';
import { ANNOTATIONS, describeTool } from './descriptor.js';
import { worktreePath } from './path-rule.js';
import { refuse, requestEffect } from './plan.js';
import { inputSchema, outputSchema, textArgument } from './schema.js';
import { COMMITTED, costs, description, PATH_RULE, STRICT } from './texts.js';
import type { Tool } from './types.js';

const ID = 'ailang-write';

export const tool: Tool = {
  descriptor: describeTool({
    id: ID,
    title: 'Write (sandboxed)',
    description: description(
      "Create or overwrite a file inside this episode's worktree (policy-tool `write`).",
      PATH_RULE,
      STRICT,
      'Returns {ok} or {ok:false, refused}.',
      costs('Workspace.Write call'),
      COMMITTED,
    ),
    effects: ['Workspace.Write'],
    input: inputSchema(
      {
        path: textArgument('File path, relative to the worktree root'),
        content: textArgument('The complete new file content'),
      },
      ['path', 'content'],
    ),
    output: outputSchema({}),
    annotations: ANNOTATIONS.replaces,
  }),
  plan(args) {
    const refusal = firstRefusal(
      () => onlyKnown(ID, args, ['path', 'content']),
      () => requiredString(args, 'path'),
      () => requiredString(args, 'content'),
      () => worktreePath(args, 'path'),
    );
    if (refusal !== null) return refuse(refusal);
    return requestEffect('Workspace.Write', { op: 'write', path: text(args, 'path'), content: text(args, 'content') });
  },
};
