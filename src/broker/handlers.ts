import { CLI_OPS } from '../tools/cli-ops.js';
import type { JsonRecord } from '../tools/types.js';
import type { Handler } from './handler.js';
import { policyToolHandler } from './policy-tool-handler.js';
import { runHandler } from './run-handler.js';

/** Effect handlers by effect name. A name that is not here cannot be brokered. */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ['Workspace.Read', policyToolHandler(['read'])],
  ['Workspace.Write', policyToolHandler(['write', 'edit'])],
  ['Ailang.Check', policyToolHandler(['ai_check'])],
  ['Ailang.Discover', policyToolHandler(['builtins_list', 'examples_search'])],
  ['Ailang.CLI', policyToolHandler(CLI_OPS)],
  ['Ailang.Run', runHandler],
  ['Ailang.RunEnv', runHandler],
  ['Ailang.RunNet', runHandler],
]);

/** Which of the worktree's files carrying out this effect may leave changed: a write or edit changes the one it names. */
export function filesChangedBy(effect: string, payload: JsonRecord): 'none' | 'any' | { readonly path: string } {
  if (['Workspace.Read', 'Ailang.Check', 'Ailang.Discover'].includes(effect)) return 'none';
  if (effect === 'Ailang.CLI') return payload.op === 'test' ? 'any' : 'none';
  if (effect === 'Workspace.Write' && typeof payload.path === 'string') return { path: payload.path };
  return 'any';
}
