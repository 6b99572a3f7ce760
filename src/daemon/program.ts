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
  readonly author: Identity;
  /** Unix seconds. */
  readonly time: number;
}): OperatorDraft & { readonly act: ProgramAct } {
  const { toolchain, tools, files } = toolsAct(options.tools, options.identity);
  return {
    kind: 'operator',
    act: { act: options.act, formatVersion: 1, semanticsEpoch: 1, toolchain, tools, time: options.time },
    author: options.author,
    interpreter: options.identity.ref,
    files,
  };
}

/** Whether the log's newest record of the program is this program. */
export function isRecorded(recorded: ProgramAct | undefined, current: ProgramAct): boolean {
  if (recorded === undefined) return false;
  const facts = ({ toolchain, tools }: ProgramAct): Buffer =>
    encodeCanonical({ toolchain: { ...toolchain } as JsonObject, tools });
  return facts(recorded).equals(facts(current));
}
