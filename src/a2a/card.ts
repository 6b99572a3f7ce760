import type { SurfaceContext } from '../daemon/types.js';
import type { SessionState } from '../log/types.js';

/** The agent card: what this session may do now, ordered as tools/list (world-behaviour 4). */
export function agentCard(context: SurfaceContext, session: SessionState, host: string) {
  return {
    name: 'ailang-worldd',
    description: 'AILANG tools on one git worktree; every call is granted, budgeted and committed to the world log.',
    url: `http://${host}/a2a/`,
    version: context.version,
    capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: context.invoker.visibleTools(session).map(({ id, title, description }) => ({
      id,
      name: title,
      description,
      tags: [],
      examples: [],
    })),
  };
}
