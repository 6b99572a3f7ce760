import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { toolGrants } from '../../../src/daemon/grants.js';
import { type OpenWorld, openWorld } from '../../../src/daemon/open-world.js';
import type { GrantRequest } from '../../../src/daemon/sessions.js';
import { NO_ALLOWANCE, type RunAllowance } from '../../../src/episode/policy.js';
import { openRepository } from '../../../src/git/repository.js';
import type { ObjectFormat } from '../../../src/git/types.js';
import { loadTools } from '../../../src/invocation/transitions.js';
import type { CredentialId, EpisodeId, JsonObject } from '../../../src/log/types.js';
import type { ReplayTool } from '../../../src/provenance/verify/replay-level.js';
import { LEVELS, type LevelName, type LevelReport } from '../../../src/provenance/verify/report.js';
import { type Verdict, verify } from '../../../src/provenance/verify/verify.js';
import { atEnd, temporaryDirectory } from '../../cleanup.js';

/** A repository made by git and a world opened on it: real log, real worktree, real toolchain, no socket. */
export interface TestWorld {
  readonly repository: string;
  readonly world: OpenWorld;
  /** Root of the episode's worktree. */
  readonly worktree: string;
  git(...args: string[]): string;
  /** Opens an episode with a session for every tool. */
  open(episode: string, grants?: readonly GrantRequest[]): Promise<void>;
  mint(episode: string, grants: readonly GrantRequest[]): Promise<CredentialId>;
  /** One call of the episode opened last, or of another session. */
  call(tool: string, args: JsonObject, session?: CredentialId): Promise<JsonObject>;
  /** The trailer `provenance` prints. */
  trailer(episode?: string): Promise<string>;
  close(): Promise<void>;
}

export function gitIn(directory: string, home: string): (...args: string[]) => string {
  const person = { NAME: 'Olga Operator', EMAIL: 'olga@example.org' };
  const people = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(person).map(([part, value]) => [`GIT_${role}_${part}`, value] as const),
  );
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
    ...Object.fromEntries(people),
  };
  return (...args) =>
    execFileSync('git', args, { cwd: directory, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export function put(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

export async function makeWorld(
  t: TestContext,
  options: {
    files?: Readonly<Record<string, string | Buffer>>;
    format?: ObjectFormat;
    allowance?: RunAllowance;
    prepare?: (git: (...args: string[]) => string, repository: string) => void;
  } = {},
): Promise<TestWorld> {
  const base = temporaryDirectory(t);
  const repository = join(base, 'repository');
  mkdirSync(repository);
  mkdirSync(join(base, 'home'));
  const git = gitIn(repository, join(base, 'home'));
  git('init', '-q', '-b', 'main', `--object-format=${options.format ?? 'sha1'}`);
  git('config', 'user.name', 'Olga Operator');
  git('config', 'user.email', 'olga@example.org');
  put(repository, options.files ?? { 'a.txt': 'one\ntwo\nthree\n' });
  options.prepare?.(git, repository);
  git('add', '-A');
  git('commit', '-q', '-m', 'Begin');
  const env = { HOME: join(base, 'home'), XDG_STATE_HOME: join(base, 'state'), XDG_RUNTIME_DIR: join(base, 'run') };
  const workspaceRoot = join(base, 'workspaces');
  const world = await openWorld({
    directory: repository,
    workspaceRoot,
    examples: 'none',
    allowance: options.allowance ?? NO_ALLOWANCE,
    env,
    report: () => undefined,
  });
  let closed = false;
  const close = async (): Promise<void> => {
    if (!closed) await world.close();
    closed = true;
  };
  atEnd(t, close);
  let current: { readonly episode: string; readonly credential: CredentialId } | undefined;
  let task = 0;
  const mint = async (episode: string, grants: readonly GrantRequest[]) =>
    (await world.desk.mint({ episode: episode as EpisodeId, grants, ttlSeconds: 3600 })).credentialId;
  return {
    repository,
    world,
    get worktree() {
      return join(workspaceRoot, current?.episode ?? '');
    },
    git,
    mint,
    async open(episode, grants = toolGrants(50)) {
      await world.desk.openEpisode(episode as EpisodeId);
      current = { episode, credential: await mint(episode, grants) };
    },
    async call(tool, args, session = current?.credential) {
      const state = session === undefined ? undefined : world.log.state.session(session);
      if (state === undefined) throw new Error('no such session');
      task += 1;
      return (await world.invoker.invoke({ surface: 'mcp', session: state, taskId: `t${task}`, tool, args })).output;
    },
    async trailer(episode = current?.episode) {
      const { collectTrailers, formatTrailer } = await import('../../../src/provenance/trailer.js');
      await world.log.flush();
      const found = await collectTrailers(world.log, { scan: 5000, ...(episode === undefined ? {} : { episode }) });
      return found.map(formatTrailer).join('\n');
    },
    close,
  };
}

let tools: ReadonlyMap<string, ReplayTool> | undefined;

export async function replayTools(): Promise<ReadonlyMap<string, ReplayTool>> {
  tools ??= new Map(
    [...(await loadTools())].map(([id, { tool, transitionFn }]) => [
      id,
      { transitionFn, plan: tool.plan.bind(tool), finish: tool.finish?.bind(tool) } as unknown as ReplayTool,
    ]),
  );
  return tools;
}

export async function verifyIn(
  directory: string,
  more: Partial<Parameters<typeof verify>[0]> & { pr?: string } = {},
): Promise<Verdict> {
  return verify({
    repository: await openRepository(directory),
    ref: undefined,
    range: undefined,
    pullRequest: more.pr,
    texts: [],
    worlds: [],
    required: LEVELS.filter((level) => level !== 'pr' || more.pr !== undefined),
    tools: await replayTools(),
    ...more,
  });
}

export function levelOf(verdict: Verdict, level: LevelName): LevelReport {
  const found = [
    ...verdict.logs.flatMap((log) => log.levels),
    ...(verdict.pullRequest === null ? [] : [verdict.pullRequest.report]),
  ];
  const report = found.find((each) => each.level === level);
  if (report === undefined) throw new Error(`no level ${level}`);
  return report;
}

/** Names of the levels that fail. */
export function failing(verdict: Verdict): readonly string[] {
  return LEVELS.filter(
    (level) =>
      verdict.logs.some((log) => log.levels.some((each) => each.level === level && !each.holds)) ||
      (level === 'pr' && verdict.pullRequest?.report.holds === false),
  );
}

export const WRITER = `module writer

import std/fs (writeFile)
import std/io (println)

export func main() -> () ! {IO, FS} {
  writeFile("made.txt", "made by a program\\n");
  println("done")
}
`;
