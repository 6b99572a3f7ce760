import { firstRefusal, onlyKnown, requiredString, text } from './arguments.js';
import { ANNOTATIONS, describeTool } from './descriptor.js';
import { worktreePath } from './path-rule.js';
import { refuse, requestEffect } from './plan.js';
import { handlerResult, isInteger, isRecord, noResult, parseJson, textOf } from './results.js';
import { inputSchema, outputSchema, textArgument } from './schema.js';
import { COMMITTED, costs, description, PATH_RULE, STRICT } from './texts.js';
import type { Json, JsonRecord, Tool } from './types.js';

const ID = 'ailang-check';
const EFFECT = 'Ailang.Check';

export const tool: Tool = {
  descriptor: describeTool({
    id: ID,
    title: 'AILANG Check',
    description: description(
      "Type-check and Z3-verify an AILANG file inside this episode's worktree (policy-tool `ai_check`) and return STRUCTURED diagnostics: {ok:true, passed, error_count, errors:[{code, message, file}]} (line and column stay inside message), or {ok:false, status, refused}.",
      PATH_RULE,
      STRICT,
      costs('Ailang.Check call'),
      COMMITTED,
    ),
    effects: [EFFECT],
    input: inputSchema({ path: textArgument('Path to the .ail file, relative to the worktree root') }, ['path']),
    output: outputSchema({
      passed: { type: 'boolean', description: 'The verdict' },
      error_count: { type: 'integer', description: 'Number of errors' },
      errors: { type: 'array', description: 'One {code, message, file} per error', items: { type: 'object' } },
      status: { type: 'string', description: 'How the effect ended, when there is no report' },
    }),
    annotations: ANNOTATIONS.reads,
  }),
  plan(args) {
    const refusal = firstRefusal(
      () => onlyKnown(ID, args, ['path']),
      () => requiredString(args, 'path'),
      () => worktreePath(args, 'path'),
    );
    if (refusal !== null) return refuse(refusal);
    return requestEffect(EFFECT, { op: 'ai_check', path: text(args, 'path') }, { finish: true });
  },
  finish(_args, results) {
    const handler = handlerResult(EFFECT, results);
    if (handler.output === null) return handler.result;
    const { refused, stdout, stderr } = handler.output;
    const missing =
      typeof refused === 'string' ? refused : `ai_check returned no check report; stderr: ${textOf(stderr)}`;
    return report(parseJson(textOf(stdout))) ?? noResult(handler.status, missing);
  },
};

/** The agent's view of an `ai_check` report; null when it is none. */
function report(parsed: Json): JsonRecord | null {
  const check = isRecord(parsed) ? parsed.check : null;
  if (!isRecord(check)) return null;
  const { passed, error_count, errors } = check;
  if (typeof passed !== 'boolean' || !isInteger(error_count) || !Array.isArray(errors)) return null;
  return { ok: true, passed, error_count, errors: errors.map(diagnostic) };
}

/** The shape has no place for the suggestion of an error, so that it ends the message. */
function diagnostic(error: Json): JsonRecord {
  const { code, message, file, suggestion } = isRecord(error) ? error : {};
  const hint = textOf(suggestion);
  return { code: textOf(code), message: textOf(message) + (hint === '' ? '' : `\nHint: ${hint}`), file: textOf(file) };
}
