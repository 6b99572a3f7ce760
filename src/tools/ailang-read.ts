import { firstRefusal, onlyKnown, requiredString, text } from './arguments.js';
import { ANNOTATIONS, describeTool } from './descriptor.js';
import { worktreePath } from './path-rule.js';
import { refuse, requestEffect } from './plan.js';
import { inputSchema, outputSchema, textArgument } from './schema.js';
import { COMMITTED, costs, description, PATH_RULE, STRICT } from './texts.js';
import type { Tool } from './types.js';

const ID = 'ailang-read';

export const tool: Tool = {
  descriptor: describeTool({
    id: ID,
    title: 'Read (sandboxed)',
    description: description(
      "Read a file inside this episode's worktree (policy-tool `read`).",
      PATH_RULE,
      STRICT,
      'Returns {ok, content} or {ok:false, refused}.',
      costs('Workspace.Read call'),
      COMMITTED,
    ),
    effects: ['Workspace.Read'],
    input: inputSchema({ path: textArgument('File path, relative to the worktree root') }, ['path']),
    output: outputSchema({ content: { type: 'string', description: 'The whole file' } }),
    annotations: ANNOTATIONS.reads,
  }),
  plan(args) {
    const refusal = firstRefusal(
      () => onlyKnown(ID, args, ['path']),
      () => requiredString(args, 'path'),
      () => worktreePath(args, 'path'),
    );
    if (refusal !== null) return refuse(refusal);
    return requestEffect('Workspace.Read', { op: 'read', path: text(args, 'path') });
  },
};
