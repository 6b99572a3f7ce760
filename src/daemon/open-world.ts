import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { createBroker } from '../broker/broker.js';
import { createTimers } from '../broker/timers.js';
import type { Episodes } from '../episode/episodes.js';
import type { RunAllowance } from '../episode/policy.js';
import { tryVariants } from '../episode/try-variants.js';
import { WorldError } from '../errors.js';
import { gitIdentity } from '../git/child.js';
import { type PackMerger, startPackMerger } from '../git/merge-packs.js';
import { headCommit, openRepository } from '../git/repository.js';
import type { Identity, Repository } from '../git/types.js';
import { createInvoker } from '../invocation/invoker.js';
import { loadTools } from '../invocation/transitions.js';
import type { Invoker } from '../invocation/types.js';
import { daemonIdentity } from '../log/build-entry.js';
import { openWorldLog } from '../log/open.js';
import type { WorldLog } from '../log/types.js';
import type { Toolchain } from '../toolchain/types.js';
import { readControlFile } from './control-client.js';
import { openEpisodes, worktreesOf } from './episodes.js';
import { clearHomes, makeHome } from './homes.js';
import { OperatorDesk, type Worktrees } from './operator-desk.js';
import { type Places, placesFor } from './places.js';
import { isRecorded, programDraft } from './program.js';
import { openSigner } from './signing.js';
import { openToolchain, type ToolchainChoice } from './toolchain.js';

export interface WorldOptions extends ToolchainChoice {
  /** Any directory of the repository. */
  readonly directory: string;
  readonly workspaceRoot: string | undefined;
  /** What runs may do beyond IO and FS. */
  readonly allowance: RunAllowance;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** File of the key that signs the entries; default: the one `git config world.signKey` names, else none. */
  readonly signKey?: string | undefined;
  /** One line for the operator. */
  readonly report: (line: string) => void;
}

/** Everything of a world but its server: open for writing, so this process is the one writer. */
export interface OpenWorld {
  readonly repository: Repository;
  readonly places: Places;
  readonly log: WorldLog;
  readonly toolchain: Toolchain;
  readonly worktrees: Worktrees;
  readonly invoker: Invoker;
  readonly desk: OperatorDesk;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly random: (bytes: number) => Buffer;
  /** Appends a `tools` entry unless the log's newest record of tools, toolchain and allowance is this program. */
  recordProgram(): Promise<void>;
  /** Seals the log and gives up the writer lock. */
  close(): Promise<void>;
}

/**
 * Opens the repository's world for writing. Writes genesis when there is no log.
 * @throws WorldError `not-a-repository`, `bare-repository`, `unborn-head`, `writer-busy`, `policy-mismatch`, `unwritable`, `journal-corrupt`, `ref-moved` …
 */
export async function openWorld(options: WorldOptions): Promise<OpenWorld> {
  const repository = await openRepository(options.directory);
  if (repository.worktree === null)
    throw new WorldError('bare-repository', `${options.directory} is bare, or the inside of a .git directory`, {
      hint: 'go to a worktree of it: git worktree add <dir>, or a clone',
    });
  try {
    return await assemble(repository, options);
  } catch (error) {
    throw await nameOtherDaemon(error, repository);
  }
}

async function assemble(repository: Repository, options: WorldOptions): Promise<OpenWorld> {
  const places = placesFor(repository.commonDir, options.env, options.workspaceRoot);
  const now = Date.now;
  await mkdir(places.state, { recursive: true, mode: 0o700 });
  const signer = await openSigner(repository, options.signKey, places.workspaceRoot);
  const home = await makeHome(places.state);
  const toolchain = await openToolchain(options, home).catch(async (error: unknown) => {
    await rm(home, { recursive: true, force: true });
    throw error;
  });
  let log: WorldLog | undefined;
  let merger: PackMerger | undefined;
  try {
    const { identity } = toolchain;
    const { allowance } = options;
    await tryVariants(toolchain, allowance, places.state);
    const author = await operatorIdentity(repository, options.env);
    const tools = await loadTools();
    const draft = (act: 'genesis' | 'tools') =>
      programDraft({ act, tools, identity, allowance, author, time: Math.floor(now() / 1000) });
    log = await openWorldLog({
      repository,
      // A log in which no episode could be opened is not begun.
      genesis: async () => {
        await headCommit(repository);
        return draft('genesis');
      },
      packWritten: (pack) => merger?.notify(pack),
      signer,
    });
    await clearHomes(places.state, home);
    merger = startPackMerger(repository, { onError: (error) => options.report(`ailang-worldd: ${error.message}`) });
    const episodes: Episodes = openEpisodes({ repository, places, toolchain, allowance, log, now });
    const worktrees = worktreesOf({ repository, places, episodes, log });
    const timers = createTimers();
    const { report } = options;
    const broker = createBroker({ log, toolchain, timers, report, examples: options.examples !== 'none' });
    const interpreter = identity.ref;
    const invoker = createInvoker({ log, tools, broker, episodes, interpreter, daemon: daemonIdentity, now, timers });
    const desk = new OperatorDesk({ log, worktrees, author, interpreter, now, random: randomBytes });
    const [opened, merging] = [log, merger];
    return {
      ...{ repository, places, log, toolchain, worktrees, invoker, desk, now, random: randomBytes },
      async recordProgram() {
        const program = draft('tools');
        if (!isRecorded(opened.state.tools(), program.act)) await opened.append(program);
      },
      async close() {
        await toolchain.close();
        // Merging needs the writer lock, which the log gives up last.
        await merging.close();
        await opened.close();
      },
    };
  } catch (error) {
    await toolchain.close();
    await merger?.close();
    await log?.close();
    throw error;
  }
}

/** When another daemon has the log, where it can be reached. */
async function nameOtherDaemon(error: unknown, { commonDir }: Repository): Promise<unknown> {
  if (!(error instanceof WorldError) || error.code !== 'writer-busy') return error;
  const other = await readControlFile(commonDir);
  if (other === undefined || other.pid !== error.data.pid) return error;
  return new WorldError(error.code, `${error.message}, a daemon at ${other.url}`, {
    hint: `use that one, or stop it: kill ${other.pid}`,
    data: { ...error.data, url: other.url },
    cause: error,
  });
}

/** The operator's own git identity, or the name of the account when git has none. */
async function operatorIdentity(
  repository: Repository,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Identity> {
  const name = env.USER || env.LOGNAME || 'operator';
  return (await gitIdentity(repository, env)) ?? { name, email: `${name}@localhost` };
}
