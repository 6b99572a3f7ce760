import { createHash } from 'node:crypto';
import { chmod, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WorldError } from '../errors.js';
import type { EpisodeId } from '../log/types.js';
import type { RunPolicy } from '../toolchain/types.js';

/** What no tool and no program may write, whatever its case (AGENTS.md section 1). */
export const DENY_LIST: readonly string[] = [
  '.github/**',
  '.pi/**',
  '.claude/**',
  '.gitmodules',
  '.gitattributes',
  '.ailang/**',
];

/** FS operations of one run. */
const FS_BUDGET = 1000;
const TIMEOUT_MS = 8000;
/** The restricted mode's defaults, which trusted_host would drop (world-formats 19.4). */
const BYTE_LIMITS = {
  max_source_bytes: 1_048_576,
  max_module_graph_bytes: 16_777_216,
  max_output_bytes: 8_388_608,
  max_fs_transfer_bytes: 8_388_608,
};

/** The capability set of the base policy, as a run without `caps` has it. */
export const BASE_CAPS: readonly string[] = ['FS', 'IO'];

/** What the operator allows runs beyond IO and FS. */
export interface RunAllowance {
  readonly caps: readonly string[];
  /** `IP:PORT` literals of the loopback, verbatim. */
  readonly net: readonly string[];
  readonly netHttp: boolean;
}

/** Programs get IO and FS, nothing more. */
export const NO_ALLOWANCE: RunAllowance = { caps: [], net: [], netHttp: false };

export interface PolicyText {
  readonly toml: string;
  readonly securityMode: RunPolicy['securityMode'];
  readonly caps: readonly string[];
  readonly netAllow: readonly string[];
}

/**
 * The policy of a run with exactly these capabilities (world-formats 19.3, 19.4). FS is always admitted, at budget 0
 * when it was not asked for, because the entry-inside-sandbox check hangs on it.
 * @throws WorldError `policy-path` when the sandbox path cannot be quoted
 */
export function renderPolicy(sandbox: string, requested: readonly string[], allowance: RunAllowance): PolicyText {
  if (!sandbox.startsWith('/') || !/^[^"\\\p{C}]+$/u.test(sandbox)) {
    throw new WorldError(
      'policy-path',
      `the worktree path ${JSON.stringify(sandbox)} cannot be written into a policy`,
      {
        hint: 'Choose a workspace root whose absolute path has only printable characters and no quote or backslash.',
      },
    );
  }
  const base = sameSet(requested, BASE_CAPS);
  const caps = base ? ['IO', 'FS'] : [...new Set([...requested, 'FS'])].sort();
  const env = requested.includes('Env');
  const net = requested.includes('Net');
  const securityMode = env ? 'trusted_host' : 'restricted';
  const lines = [
    `security_mode = "${securityMode}"`,
    `allowed_caps = ${list(caps)}`,
    `fs_sandbox = "${sandbox}"`,
    ...(net ? [`net_allow = ${list(allowance.net)}`] : []),
    ...(net && allowance.netHttp ? ['net_allow_http = true'] : []),
    `timeout_ms = ${TIMEOUT_MS}`,
    ...(env ? Object.entries(BYTE_LIMITS).map(([key, value]) => `${key} = ${value}`) : []),
    `fs_deny_write = ${list(env ? ['.git/**', ...DENY_LIST] : DENY_LIST)}`,
    'entry = "main"',
    '',
    '[budgets]',
    `FS = ${requested.includes('FS') ? FS_BUDGET : 0}`,
    '',
  ];
  return { toml: lines.join('\n'), securityMode, caps: [...caps].sort(), netAllow: net ? allowance.net : [] };
}

/** `<ep>.toml`, or `<ep>.run-<Cap.Cap>.toml` beside it. */
export function policyFileName(episode: EpisodeId, requested: readonly string[]): string {
  return sameSet(requested, BASE_CAPS) ? `${episode}.toml` : `${episode}.run-${[...requested].sort().join('.')}.toml`;
}

/** Renders a policy and puts it on disk whole: 0600, synced, then renamed. `directory` lies outside the sandbox. */
export async function writePolicy(
  directory: string,
  episode: EpisodeId,
  sandbox: string,
  requested: readonly string[],
  allowance: RunAllowance,
): Promise<RunPolicy> {
  const { toml, securityMode, caps, netAllow } = renderPolicy(sandbox, requested, allowance);
  const file = join(directory, policyFileName(episode, requested));
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.tmp`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(toml);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(temporary, 0o600);
  await rename(temporary, file);
  const digest = createHash('sha256').update(toml).digest('hex');
  return { episode, file, digest, sandbox, securityMode, caps, netAllow };
}

function list(items: readonly string[]): string {
  return `[${items.map((item) => `"${item}"`).join(', ')}]`;
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}
