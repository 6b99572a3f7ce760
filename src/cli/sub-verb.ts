import { usageError } from './arguments.js';
import { suggest } from './suggest.js';
import type { VerbCall } from './verb.js';

/** What the verbs of a verb do, by their names, in the order they are told. */
export type SubVerbs = Readonly<Record<string, (call: VerbCall) => Promise<number>>>;

/**
 * Runs the verb that the first argument names, with the arguments after it.
 * @throws WorldError `usage` when there is none, with the names or the nearest one
 */
export async function runSubVerb(verb: string, actions: SubVerbs, call: VerbCall): Promise<number> {
  const [name = '', ...args] = call.args;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return action({ ...call, args });
  const names = Object.keys(actions);
  const near = suggest(name, names);
  throw usageError(
    name === ''
      ? `${verb} needs a verb: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
      : `unknown ${verb} verb "${name}"`,
    near && `did you mean "${verb} ${near}"?`,
  );
}
