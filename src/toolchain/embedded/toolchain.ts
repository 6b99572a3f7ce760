import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maxDepth } from '../../ailang/cli/run/limits.js';
import { packageRoot } from '../../ailang/package-root.js';
import { type Policy, PolicyError } from '../../ailang/policy/policy.js';
import { loadPolicyText } from '../../ailang/policy/policy-file.js';
import { policyTool } from '../../ailang/policy/policy-tool.js';
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
import { Helper } from './helper.js';
import { EmbeddedIdentity } from './identity.js';

export interface EmbeddedOptions {
  /** Examples corpus; the shipped one when absent. */
  readonly examplesDir?: string;
  /** Private directory, HOME of all children, removed by `close`; absent: one in the temporary directory. */
  readonly home?: string;
  /** Run children kept ready (default 2). */
  readonly idleChildren?: number;
  /** Z3 program that proves instead of the bundled one. */
  readonly z3Program?: string;
}

/** The AILANG of `src/ailang` behind the toolchain port: file operations here, the rest in the helper's children. */
export class EmbeddedToolchain implements Toolchain {
  readonly #identity: EmbeddedIdentity;
  readonly #helper: Helper;
  readonly #home: string;

  private constructor(identity: EmbeddedIdentity, helper: Helper, home: string) {
    this.#identity = identity;
    this.#helper = helper;
    this.#home = home;
  }

  /** @throws WorldError when the package was not built */
  static async open(options: EmbeddedOptions = {}): Promise<EmbeddedToolchain> {
    const root = packageRoot();
    const identity = new EmbeddedIdentity(root);
    const home = options.home ?? (await mkdtemp(join(tmpdir(), 'ailang-home-')));
    const settings = {
      program: join(root, 'dist', 'ailang.js'),
      examples: options.examplesDir ?? null,
      idleChildren: options.idleChildren ?? 2,
      z3Program: options.z3Program ?? null,
    };
    return new EmbeddedToolchain(
      identity,
      new Helper(join(root, 'dist', 'workers', 'toolchain.js'), settings, home),
      home,
    );
  }

  get identity(): ToolchainIdentity {
    return this.#identity.identity;
  }

  /** The process that owns all children of this toolchain; undefined before it is first needed. */
  get helperPid(): number | undefined {
    return this.#helper.pid;
  }

  /** Starts the helper and waits until children are ready. @returns their pids */
  warm(): Promise<readonly number[]> {
    return this.#helper.warm();
  }

  async openEpisode(policy: RunPolicy): Promise<void> {
    verifySummary(policy, await this.policyTool(policy, { op: 'summary' }, 10_000));
  }

  async policyTool(policy: EpisodePolicy, request: PolicyToolRequest, deadlineMs: number): Promise<PolicyToolResponse> {
    const { resolved } = currentPolicy(policy);
    const reply = await policyTool(resolved, request, (argv, root) => {
      this.#identity.verify();
      return this.#helper.command(argv, root, deadlineMs);
    });
    return filled(request.op, reply);
  }

  async run(policy: EpisodePolicy, request: RunRequest, deadlineMs: number): Promise<RunResult> {
    this.#identity.verify();
    const { text } = currentPolicy(policy);
    const child = {
      policyPath: policy.file,
      policyText: text,
      file: request.path,
      cwd: policy.sandbox,
      argsJson: request.args_json ?? 'null',
      argv: request.argv ?? [],
      verifyContracts: false,
      printResult: true,
      maxDepth,
    };
    return this.#helper.run(child, request.stdin ?? '', deadlineMs);
  }

  async closeEpisode(): Promise<void> {}

  async close(): Promise<void> {
    await this.#helper.close();
    await rm(this.#home, { recursive: true, force: true });
  }
}

/** The policy as its file says now, which must be what the episode rendered. @throws WorldError */
function currentPolicy(policy: EpisodePolicy): { readonly resolved: Policy; readonly text: string } {
  try {
    const { policy: resolved, text } = loadPolicyText(policy.file);
    if (resolved.digest === policy.digest) return { resolved, text };
  } catch (cause) {
    if (!(cause instanceof PolicyError)) throw cause;
    throw new WorldError('policy-unusable', cause.message, { cause });
  }
  throw new WorldError('policy-changed', `the policy of episode ${policy.episode} is not the one that was rendered`, {
    hint: 'close the episode and open it again',
  });
}

/** The members that the protocol leaves out when they are empty. */
function filled(op: string, reply: Awaited<ReturnType<typeof policyTool>>): PolicyToolResponse {
  if (op === 'read' && reply.ok) return { ...reply, content: reply.content ?? '' };
  if (reply.argv === undefined || reply.refused !== undefined) return reply;
  return { ...reply, exit_code: reply.exit_code ?? 0, stdout: reply.stdout ?? '', stderr: reply.stderr ?? '' };
}
