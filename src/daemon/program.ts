import { randomBytes } from 'node:crypto';
import type { RunAllowance } from '../episode/policy.js';
import type { Identity } from '../git/types.js';
import { type LoadedTool, toolsAct } from '../invocation/transitions.js';
import { encodeCanonical } from '../log/canonical-json.js';
import type { JsonObject, OperatorAct, OperatorDraft } from '../log/types.js';
import type { ToolchainIdentity } from '../toolchain/types.js';

type ProgramAct = Extract<OperatorAct, { act: 'genesis' | 'tools' }>;

/** The entry that records which tools and which toolchain this program is. */
export function programDraft(options: {
  readonly act: 'genesis' | 'tools';
  readonly tools: ReadonlyMap<string, LoadedTool>;
  readonly identity: ToolchainIdentity;
  readonly allowance: RunAllowance;
  readonly author: Identity;
  /** Unix seconds. */
  readonly time: number;
}): OperatorDraft & { readonly act: ProgramAct } {
  const { toolchain, tools, files } = toolsAct(options.tools, options.identity);
  return {
    kind: 'operator',
    act: {
      act: options.act,
      ...{ formatVersion: 1, semanticsEpoch: 1, toolchain, tools, time: options.time },
      ...(options.act === 'genesis' ? { nonce: randomBytes(8).toString('hex') } : {}),
      ...recordedAllowance(options.allowance),
    },
    author: options.author,
    interpreter: options.identity.ref,
    files,
  };
}

/** Left out when runs get IO and FS only. */
function recordedAllowance({ caps, net, netHttp }: RunAllowance): Pick<ProgramAct, 'allowance'> {
  return caps.length === 0 ? {} : { allowance: { caps: [...caps], netAllow: [...net], netAllowHttp: netHttp } };
}

/** Whether the log's newest record of the program is this program. */
export function isRecorded(recorded: ProgramAct | undefined, current: ProgramAct): boolean {
  if (recorded === undefined) return false;
  const facts = ({ toolchain, tools, allowance }: ProgramAct): Buffer =>
    encodeCanonical({
      toolchain: { ...toolchain } as JsonObject,
      tools,
      allowance: allowance === undefined ? null : { ...allowance },
    });
  return facts(recorded).equals(facts(current));
}
