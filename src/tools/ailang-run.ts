import { argument, firstRefusal, onlyKnown, requiredString } from './arguments.js';
import { ANNOTATIONS, describeTool } from './descriptor.js';
import { refuse, requestEffect } from './plan.js';
import { CAPABILITIES, runBounds, runEffect } from './run-bounds.js';
import { inputSchema, outputSchema, textArgument } from './schema.js';
import { COMMITTED, costs, description, PATH_RULE, STRICT } from './texts.js';
import type { JsonRecord, Tool } from './types.js';

const ID = 'ailang-run';
const ARGUMENTS = ['path', 'args_json', 'stdin', 'argv', 'caps'];

export const tool: Tool = {
  descriptor: describeTool({
    id: ID,
    title: 'AILANG Run (policy-gated)',
    description: description(
      "Execute an AILANG program inside this episode's worktree under the operator's policy: `ailang run --policy <policy> [--args-json J] -- <path> [-- <argv...>]`, from the worktree root, with `stdin` piped in. `caps` is the run's EXACT capability set, like the grader's `--caps` (default IO and FS): distinct names from Declassify, Env, FS, IO, Net, never Env with Net; each beyond IO and FS must also be enabled by the operator (`serve --run-allow-caps`), or the call is refused. An Env run is the effect Ailang.RunEnv and a Net run Ailang.RunNet, each needing its own session grant; any other run, Declassify included, is Ailang.Run. Net reaches only the loopback host:port pairs the operator named (`serve --run-net-allow`); every other host, port and redirect is refused. `argv` (at most 32 strings, each at most 1024 bytes, no NUL) always follows an inner `--`, so it never reaches the run's flag parser; `stdin` is text of at most 65536 bytes (absent = empty). The program's declared effect row must be a subset of the rendered policy's allowed_caps; an unrequested FS is admitted at budget 0, so it fails at first use; the run is bounded by the policy's timeout (8 s). Returns {admitted, exit_code, decision, limit, stdout, stderr, policy}; policy is {digest, security_mode, caps, net_allow} of the variant that ran. Denied programs never execute; read `decision.missing_from_policy` and narrow the program's effects or widen `caps`. A refused inner effect can still exit 0, so read stdout and stderr, not only exit_code. The program's inner effects are governed by the AILANG policy layer, not brokered one by one.",
      PATH_RULE,
      STRICT,
      costs('call of its effect'),
      COMMITTED,
    ),
    effects: ['Ailang.Run', 'Ailang.RunEnv', 'Ailang.RunNet'],
    input: inputSchema(
      {
        path: textArgument('Path to the .ail file, relative to the worktree root'),
        args_json: textArgument('JSON arguments for the entrypoint (passed as --args-json)'),
        stdin: textArgument("The program's whole standard input, at most 65536 UTF-8 bytes (absent = empty)"),
        argv: {
          type: 'array',
          items: { type: 'string' },
          description:
            'Program arguments (getArgs), passed after an inner --; at most 32, each at most 1024 bytes, no NUL',
        },
        caps: {
          type: 'array',
          items: { type: 'string', enum: [...CAPABILITIES] },
          description: "The run's exact capability set (default IO, FS); never Env with Net",
        },
      },
      ['path'],
    ),
    output: outputSchema({
      admitted: { type: 'boolean', description: 'Whether the program was let run' },
      exit_code: { type: 'integer', description: 'Exit code of the run' },
      decision: { description: "The policy layer's admission decision, or null" },
      limit: { description: 'The supervisor limit that ended the run {reason, stage}, or null' },
      stdout: { type: 'string', description: 'Standard output' },
      stderr: { type: 'string', description: 'Standard error' },
      policy: { type: 'object', description: '{digest, security_mode, caps, net_allow} of the policy that applied' },
    }),
    annotations: ANNOTATIONS.changes,
  }),
  plan(args) {
    const refusal = firstRefusal(
      () => onlyKnown(ID, args, ARGUMENTS),
      () => requiredString(args, 'path'),
      () => runBounds(args),
    );
    if (refusal !== null) return refuse(refusal);
    const caps = requestedCaps(args);
    const payload: JsonRecord = {};
    for (const name of ['path', 'args_json', 'stdin', 'argv']) {
      const value = argument(args, name);
      if (value !== undefined) payload[name] = value;
    }
    if (caps !== null) payload.caps = caps;
    return requestEffect(runEffect(caps ?? []), payload);
  },
};

/** Sorted, so that one set is one plan; null when the caller named none. */
function requestedCaps(args: JsonRecord): string[] | null {
  const caps = argument(args, 'caps');
  return Array.isArray(caps) ? caps.filter((cap) => typeof cap === 'string').sort() : null;
}
