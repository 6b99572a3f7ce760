/** What `policy-tool` answers (ailang-cli 1.2). Members that would be empty or zero are left out. */
export interface PolicyToolReply {
  readonly ok: boolean;
  readonly refused?: string;
  readonly content?: string;
  readonly argv?: readonly string[];
  readonly exit_code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly summary?: PolicySummary;
}

/** What a host compares with the policy it rendered, before first use (ailang-cli 1.4). */
export type PolicySummary = {
  readonly security_mode: string;
  readonly policy_digest: string;
  readonly fs_sandbox: string;
  readonly caps: string[];
  readonly net_allow: string[];
  readonly process_allow: string[];
  /** Null when no operation is admitted. */
  readonly cli: string[] | null;
  readonly ops: string[];
  readonly timeout_ms: number;
};

/** A refusal; thrown while a request is judged, answered as `{ok: false, refused}`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

export const refused = (text: string): PolicyToolReply => ({ ok: false, refused: text });
