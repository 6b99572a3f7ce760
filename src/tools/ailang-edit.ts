import { firstRefusal, onlyKnown, requiredString, text } from './arguments.js';
import { ANNOTATIONS, describeTool } from './descriptor.js';
import { worktreePath } from './path-rule.js';
import { refuse, requestEffect } from './plan.js';
import { inputSchema, outputSchema, textArgument } from './schema.js';
import { COMMITTED, costs, description, PATH_RULE, STRICT } from './texts.js';
import type { Tool } from './types.js';

const ID = 'ailang-edit';

export const tool: Tool = {
  descriptor: describeTool({
    id: ID,
    title: 'Edit (sandboxed)',
    description: description(
      "Replace old_text with new_text in a file inside this episode's worktree (policy-tool `edit`); old_text must occur exactly once (include enough context).",
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
        old_text: textArgument('Exact text to replace (must occur exactly once)'),
        new_text: textArgument('Replacement text'),
      },
      ['path', 'old_text', 'new_text'],
    ),
    output: outputSchema({}),
    annotations: ANNOTATIONS.changes,
  }),
  plan(args) {
    const refusal = firstRefusal(
      () => onlyKnown(ID, args, ['path', 'old_text', 'new_text']),
      () => requiredString(args, 'path'),
      () => requiredString(args, 'old_text'),
      () => requiredString(args, 'new_text'),
      () => worktreePath(args, 'path'),
    );
    if (refusal !== null) return refuse(refusal);
    return requestEffect('Workspace.Write', {
      op: 'edit',
      path: text(args, 'path'),
      old_text: text(args, 'old_text'),
      new_text: text(args, 'new_text'),
    });
  },
};
