import { WorldError } from '../errors.js';
import type { GrantRequest } from './sessions.js';

/** The six effects behind the eight tools. */
export const TOOL_EFFECTS = [
  'Workspace.Read',
  'Workspace.Write',
  'Ailang.Check',
  'Ailang.Run',
  'Ailang.Discover',
  'Ailang.CLI',
] as const;

/** The effects of runs that the operator must enable, by the capability that needs them. */
const RUN_EFFECTS: Readonly<Record<string, string>> = { Env: 'Ailang.RunEnv', Net: 'Ailang.RunNet' };

/**
 * The six grants, each with the same budget (calls), and one for each enabled capability whose runs have an effect of
 * their own (a Declassify run is `Ailang.Run`).
 */
export function toolGrants(budget: number, enabledCaps: readonly string[] = []): readonly GrantRequest[] {
  const more = enabledCaps.flatMap((cap) => RUN_EFFECTS[cap] ?? []);
  return [...TOOL_EFFECTS, ...more].map((effect) => ({ effect, scope: 'worktree', budget }));
}

/**
 * `EFFECT=SCOPE:BUDGET`: the first `=` ends the effect, the last `:` begins the budget, so a scope may hold either.
 * @throws WorldError `grant-syntax`
 */
export function parseGrant(text: string): GrantRequest {
  const equals = text.indexOf('=');
  const colon = text.lastIndexOf(':');
  const effect = text.slice(0, Math.max(0, equals));
  const scope = text.slice(equals + 1, Math.max(0, colon));
  const budget = text.slice(colon + 1);
  if (equals < 1 || colon <= equals + 1 || !/^\d{1,15}$/.test(budget))
    throw new WorldError('grant-syntax', `"${text}" is not a grant`, {
      hint: 'write EFFECT=SCOPE:BUDGET, such as Workspace.Read=worktree:50',
    });
  return { effect, scope, budget: Number(budget) };
}

/** The preset with every explicit grant of the same effect and scope put in its place, and the others added. */
export function mergeGrants(
  preset: readonly GrantRequest[],
  explicit: readonly GrantRequest[],
): readonly GrantRequest[] {
  const merged = new Map([...preset, ...explicit].map((grant) => [JSON.stringify([grant.effect, grant.scope]), grant]));
  return [...merged.values()];
}
