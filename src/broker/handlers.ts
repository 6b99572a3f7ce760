import type { Handler } from './handler.js';
import { policyToolHandler } from './policy-tool-handler.js';
import { runHandler } from './run-handler.js';

/** Operations of `ailang-cli`, as the policy's summary lists them under `cli`. */
const CLI_OPS: readonly string[] = [
  'agent_prompt',
  'ai_check',
  'axioms',
  'builtins_list',
  'builtins_show',
  'check',
  'devtools_prompt',
  'docs_search',
  'examples_list',
  'examples_search',
  'examples_show',
  'examples_tags',
  'fmt',
  'iface',
  'pkg_docs',
  'policy_check',
  'prompt',
  'test',
  'tree',
  'version',
];

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

/** Whether carrying out this effect may leave the worktree's files changed. */
export function mayChangeFiles(effect: string, op: unknown): boolean {
  if (effect === 'Ailang.CLI') return op === 'test';
  return !['Workspace.Read', 'Ailang.Check', 'Ailang.Discover'].includes(effect);
}
