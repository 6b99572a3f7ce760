import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorldError } from '../../errors.js';
import type {
  EpisodePolicy,
  PolicyToolRequest,
  PolicyToolResponse,
  RunPolicy,
  RunRequest,
  RunResult,
  Toolchain,
  ToolchainIdentity,
} from '../types.js';
import { verifySummary } from '../verify-summary.js';
import { Binary } from './binary.js';
import { boundedProcess } from './bounded-process.js';
import { parseReply } from './reply.js';

export interface OfficialOptions {
  /** `--ailang-bin`. */
  readonly binary: string;
  readonly examplesDir?: string;
  /** Private directory, holds HOME of all children, removed by `close`; absent: one in the temporary directory. */
  readonly home?: string;
}

/** More than any policy's own output limit leaves room for. */
const maxBytes = 96 * 1024 * 1024;

/** The official Go binary behind the toolchain port: one process per request (ailang-cli 1 and 4). */
export class OfficialToolchain implements Toolchain {
  readonly identity: ToolchainIdentity;
  readonly #binary: Binary;
  readonly #home: string;
  readonly #examples: string | null;

  private constructor(binary: Binary, version: string, home: string, examples: string | null) {
    this.identity = { name: 'official', version, ref: binary.ref };
    this.#binary = binary;
    this.#home = home;
    this.#examples = examples;
  }

  /** Hashes the binary and asks its version. @throws WorldError */
  static async open({ binary: path, examplesDir, home: given }: OfficialOptions): Promise<OfficialToolchain> {
    const binary = await Binary.open(path);
    const home = given ?? (await mkdtemp(join(tmpdir(), 'ailang-home-')));
    const { stdout } = await boundedProcess({
      file: binary.path,
      args: ['version'],
      cwd: home,
      environment: childEnvironment(home, null),
      stdin: '',
      deadlineMs: 10_000,
      maxBytes,
    });
    const version = /^AILANG (\S+)/m.exec(stdout)?.[1];
    if (version === undefined)
      throw new WorldError('toolchain-failed', `${path} does not answer "version" as ailang does`);
    return new OfficialToolchain(binary, version, home, examplesDir ?? null);
  }

  async openEpisode(policy: RunPolicy): Promise<void> {
    await mkdir(this.#cache(policy), { recursive: true, mode: 0o700 });
    verifySummary(policy, await this.policyTool(policy, { op: 'summary' }, 10_000));
  }

  async policyTool(policy: EpisodePolicy, request: PolicyToolRequest, deadlineMs: number): Promise<PolicyToolResponse> {
    const args = ['policy-tool', '--policy', policy.file];
    const { exitCode, stdout } = await this.#call(policy, args, JSON.stringify(request), deadlineMs);
    if (exitCode !== 0) throw new WorldError('toolchain-failed', `policy-tool ended with exit code ${exitCode}`);
    return parseReply(request.op, stdout);
  }

  run(policy: EpisodePolicy, request: RunRequest, deadlineMs: number): Promise<RunResult> {
    const args = ['run', '--policy', policy.file];
    if (request.args_json !== undefined) args.push('--args-json', request.args_json);
    args.push('--', request.path);
    if (request.argv !== undefined && request.argv.length > 0) args.push('--', ...request.argv);
    return this.#call(policy, args, request.stdin ?? '', deadlineMs);
  }

  async closeEpisode(policy: EpisodePolicy): Promise<void> {
    await rm(this.#cache(policy), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await rm(this.#home, { recursive: true, force: true });
  }

  #cache(policy: EpisodePolicy): string {
    return join(this.#home, policy.episode);
  }

  async #call(policy: EpisodePolicy, args: readonly string[], stdin: string, deadlineMs: number) {
    await this.#binary.verify();
    await verifyPolicy(policy);
    const environment = childEnvironment(this.#cache(policy), this.#examples);
    return boundedProcess({
      file: this.#binary.path,
      args,
      cwd: policy.sandbox,
      environment,
      stdin,
      deadlineMs,
      maxBytes,
    });
  }
}

/** The file must be what was rendered and confirmed: the binary reads it anew each time. @throws WorldError */
async function verifyPolicy({ episode, file, digest }: EpisodePolicy): Promise<void> {
  const text = await readFile(file).catch((cause: unknown) => {
    throw new WorldError('policy-unusable', `the policy of episode ${episode} cannot be read`, { cause });
  });
  if (createHash('sha256').update(text).digest('hex') === digest) return;
  throw new WorldError('policy-changed', `the policy of episode ${episode} is not the one that was rendered`, {
    hint: 'close the episode and open it again',
  });
}

/** The whole environment of a child: nothing of the daemon's own. */
function childEnvironment(home: string, examples: string | null): Record<string, string> {
  return {
    HOME: home,
    PATH: '/usr/bin:/bin',
    LANG: 'C',
    LC_ALL: 'C',
    AILANG_CACHE_DIR: home,
    AILANG_NO_GITHUB_SEARCH: '1',
    ...(examples === null ? {} : { AILANG_EXAMPLES: examples }),
  };
}
