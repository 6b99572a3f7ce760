import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { packageRoot } from '../../ailang/package-root.js';
import { askDaemon } from '../../daemon/control-client.js';
import { asEpisodeId } from '../../episode/worktree.js';
import { WorldError } from '../../errors.js';
import { git } from '../../git/child.js';
import { asGitOid } from '../../git/oid.js';
import { openRepository } from '../../git/repository.js';
import type { GitOid, Repository } from '../../git/types.js';
import type { EpisodeId, LogReader } from '../../log/types.js';
import { snapshotAt, snapshotBefore } from '../../provenance/files/snapshots.js';
import { collectTrailers, formatTrailer, type ProvenanceTrailer } from '../../provenance/trailer.js';
import { textReport } from '../../provenance/verify/text-report.js';
import { verify } from '../../provenance/verify/verify.js';
import { ownLog } from '../../sharing/own-log.js';
import { accountOf } from '../../sharing/pull-request/account.js';
import { bodyText } from '../../sharing/pull-request/body.js';
import { commitOn, mergedTree } from '../../sharing/pull-request/compose.js';
import { openWithGh } from '../../sharing/pull-request/github.js';
import { refuseRemoteBranch, requireRelated } from '../../sharing/pull-request/refusals.js';
import { unrecordedPaths } from '../../sharing/pull-request/unrecorded.js';
import { pushRef } from '../../sharing/push.js';
import { chooseRemote, type Remote } from '../../sharing/remotes.js';
import { expectPositionals, parseFlags, usageError } from '../arguments.js';
import { EXIT_INTEGRITY, EXIT_OK } from '../exit-codes.js';
import { readState } from '../local-log.js';
import { publishLog } from '../publish-log.js';
import type { Io, VerbModule } from '../verb.js';
import { replayTools } from './verify.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd pr [--title <text>] [--goal <text>] [--episode <name>] [--base <branch>] [--branch <name>]
         [--remote <remote>] [--template <file>] [--no-push] [--dry-run] [--allow-unproven] [--yes] [--json] [--repo <dir>]

Makes a branch with one commit of what an episode did, on top of the base: you are its author, its last paragraph is
the World-Provenance trailer. Proves it, publishes the log (as push does) and the branch, and opens the pull request with
gh, labelled ailang-world, when gh is on the PATH. Nothing is kept when a step fails before the branch is published.
  --title <text>     of commit and pull request (default: "Work of <episode>")
  --goal <text>      what the agent was asked to do; the first paragraph of the text
  --episode <name>   default: the only one with calls
  --base <branch>    default: the branch the repository is on
  --branch <name>    default: world/<episode>; never one that exists, here or on the remote
  --remote <remote>  as for push
  --template <file>  of the text, with {{goal}} {{summary}} {{calls}} {{budgets}} {{checks}} {{coverage}}
  --no-push          only the branch, here
  --dry-run          only prove it and show the text
  --allow-unproven   go on when not every line was made through World; the text names them
  --yes              publish the log without being asked
  --json             {branch, commit, base, episode, title, body_file, proven, pushed, url}
Exit 0 when done, 3 when it is not proven, 1 when it cannot be made.`,

  async run({ args, io }) {
    const { values, positionals } = parseFlags(args, {
      title: { type: 'string' },
      goal: { type: 'string' },
      episode: { type: 'string' },
      base: { type: 'string' },
      branch: { type: 'string' },
      remote: { type: 'string' },
      template: { type: 'string' },
      'no-push': { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      'allow-unproven': { type: 'boolean' },
      yes: { type: 'boolean' },
      json: { type: 'boolean' },
      repo: { type: 'string' },
    });
    expectPositionals(positionals, 0, 0, 'no arguments');
    const repository = await openRepository(resolve(io.cwd, values.repo ?? '.'));
    const template = await readTemplate(io, values.template);
    const local = values['no-push'] === true || values['dry-run'] === true;
    const remote = local ? null : await chooseRemote(repository, values.remote);
    const base = await findBase(repository, values.base, remote?.name ?? 'origin');
    const asked = values.episode === undefined ? undefined : asEpisodeId(values.episode);
    const work = await readState(repository, (reader) => workOf(reader, asked));
    const { trailer } = work;
    const branch = values.branch ?? `world/${trailer.episode}`;
    await refuseBranch(repository, branch);
    await requireRelated(repository, base.commit, work.began);
    if (remote !== null) await refuseRemoteBranch(repository, remote, branch);
    const unrecorded = await unrecordedPaths(
      repository,
      trailer.episode,
      asGitOid(trailer.tree, repository.objectFormat),
    );
    if (unrecorded.length > 0) io.stderr.write(unrecordedText(trailer, unrecorded));
    const title = oneLine(values.title ?? `Work of ${trailer.episode}`);
    const tree = await mergedTree(
      repository,
      base.commit,
      work.opened,
      asGitOid(trailer.tree, repository.objectFormat),
    );
    const goal = values.goal === undefined ? '' : `${values.goal.trim()}\n\n`;
    const commit = await commitOn(repository, base.commit, tree, `${title}\n\n${goal}${formatTrailer(trailer)}\n`);
    const verdict = await verify({
      ...{ repository, ref: undefined, range: undefined, texts: [], tools: await replayTools() },
      pullRequest: `${base.commit}..${commit}`,
      required: ['chain', 'authority', 'trees', 'pr'],
    });
    const body = bodyText(template, {
      ...trailer,
      ...work,
      goal: goal.trim(),
      verdict,
      trailer: formatTrailer(trailer),
    });
    if (!verdict.ok && !values['allow-unproven']) {
      io.stderr.write(textReport(verdict, false));
      io.stderr.write(
        'ailang-worldd: nothing was made; --allow-unproven makes it all the same and names these lines\n',
      );
      return EXIT_INTEGRITY;
    }
    const made = { branch, commit, base: base.name, episode: trailer.episode, title, proven: verdict.ok };
    if (values['dry-run']) {
      io.stdout.write(values.json ? `${JSON.stringify({ ...made, body })}\n` : body);
      return EXIT_OK;
    }
    await setBranch(repository, branch, commit);
    const bodyFile = join(repository.commonDir, 'world', 'pull-requests', `${branch.replaceAll('/', '-')}.md`);
    await mkdir(dirname(bodyFile), { recursive: true });
    await writeFile(bodyFile, body);
    if (remote !== null) await publish(repository, remote, made, io, values.yes === true);
    const url =
      remote === null
        ? null
        : await openWithGh(repository.worktree ?? repository.commonDir, { ...made, bodyFile }, io.env);
    if (values.json) {
      const pushed = remote !== null;
      io.stdout.write(`${JSON.stringify({ ...made, body_file: bodyFile, pushed, url })}\n`);
    } else io.stdout.write(doneText({ ...made, bodyFile, remote, url }));
    return EXIT_OK;
  },
};

interface Work {
  readonly trailer: ProvenanceTrailer;
  /** Files the episode began with. */
  readonly opened: GitOid;
  /** Commit the episode began at. */
  readonly began: string;
  readonly account: Awaited<ReturnType<typeof accountOf>>;
}

async function workOf(reader: LogReader, asked: EpisodeId | undefined): Promise<Work> {
  const all = { scan: reader.head.index + 1 };
  const trailers = await collectTrailers(reader, asked === undefined ? all : { ...all, episode: asked });
  const [trailer] = trailers;
  if (trailer === undefined || trailers.length > 1)
    throw usageError('say which episode', trailers.map(({ episode }) => `--episode ${episode}`).join(' or '));
  const opened = await openedAt(reader, trailer);
  const began = reader.state.episode(trailer.episode as EpisodeId)?.baseCommit;
  if (began === undefined) throw new WorldError('episode-unknown', `episode ${trailer.episode} was never opened`);
  return { trailer, opened, began, account: await accountOf(reader, trailer.episode, trailer) };
}

async function openedAt(reader: LogReader, { first }: ProvenanceTrailer): Promise<GitOid> {
  let at = await snapshotAt(reader, first);
  for (let before = await snapshotBefore(reader, at); before !== null; before = await snapshotBefore(reader, at))
    at = before;
  return at.tree;
}

async function findBase(
  repository: Repository,
  asked: string | undefined,
  remote: string,
): Promise<{ readonly name: string; readonly commit: GitOid }> {
  const ask = async (...args: string[]): Promise<string | null> => {
    const { stdout, exitCode } = await git(args, { cwd: repository.gitDir, okExitCodes: [0, 1, 128] });
    return exitCode === 0 ? stdout.toString().trim() : null;
  };
  const name = asked ?? (await ask('symbolic-ref', '--quiet', '--short', 'HEAD'));
  if (name === null) throw usageError('the repository is on no branch', 'say which: --base main');
  for (const ref of [`refs/remotes/${remote}/${name}`, `refs/heads/${name}`]) {
    const commit = await ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
    if (commit !== null) return { name, commit: asGitOid(commit, repository.objectFormat) };
  }
  throw new WorldError('pr-base', `there is no branch ${JSON.stringify(name)}`, {
    hint: 'git fetch, or give another --base',
  });
}

async function refuseBranch(repository: Repository, branch: string): Promise<void> {
  const cwd = repository.commonDir;
  const named = await git(['check-ref-format', '--branch', branch], { cwd, okExitCodes: [0, 1, 128] });
  if (named.exitCode !== 0) throw usageError(`--branch: ${JSON.stringify(branch)} is no name for a branch`);
  const taken = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], { cwd, okExitCodes: [0, 1] });
  if (taken.exitCode === 0)
    throw new WorldError('pr-branch-exists', `the branch ${branch} exists already`, {
      hint: 'give another --branch, or remove it: git branch -D',
    });
}

/** Made only while there is none. */
async function setBranch(repository: Repository, branch: string, commit: GitOid): Promise<void> {
  await git(['update-ref', `refs/heads/${branch}`, commit, '0'.repeat(commit.length)], { cwd: repository.commonDir });
}

/** The log first, so that whoever sees the branch can prove it. A branch that could not be published is not kept. */
async function publish(
  repository: Repository,
  remote: Remote,
  { branch, commit }: { readonly branch: string; readonly commit: GitOid },
  io: Io,
  yes: boolean,
): Promise<void> {
  try {
    await askDaemon(repository.commonDir, { op: 'flush' });
    const log = await ownLog(repository);
    if (log === null) throw new WorldError('log-absent', 'this repository writes no log');
    const done = await publishLog(repository, remote, log, io, { yes, dryRun: false });
    io.stderr.write(`${done}\n`);
    await pushRef(repository, remote, `${commit}:refs/heads/${branch}`, `the branch ${branch}`);
  } catch (error) {
    await git(['update-ref', '-d', `refs/heads/${branch}`, commit], { cwd: repository.commonDir });
    throw error;
  }
}

function doneText(done: {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly bodyFile: string;
  readonly remote: Remote | null;
  readonly url: string | null;
}): string {
  const { branch, base, title, bodyFile, remote, url } = done;
  if (url !== null) return `${url}\n`;
  const next =
    remote === null
      ? `push it: ailang-worldd push, then git push <remote> ${branch}`
      : `open the pull request: ${branch} into ${base} on ${remote.shown}, label ailang-world`;
  return `branch ${branch}\n  title  ${title}\n  text   ${bodyFile}\n  next   ${next}\n`;
}

async function readTemplate(io: Io, file: string | undefined): Promise<string> {
  if (file === undefined) return readFile(join(packageRoot(), 'templates', 'pull-request.md'), 'utf8');
  const path = resolve(io.cwd, file);
  return readFile(path, 'utf8').catch(() => {
    throw usageError(`--template: cannot read ${path}`);
  });
}

function unrecordedText({ episode, last }: ProvenanceTrailer, paths: readonly string[]): string {
  const some = paths.slice(0, 5).map((path) => JSON.stringify(path));
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
  return `ailang-worldd: the worktree of ${episode} changed after entry ${last}, outside every call; not part of this: ${some.join(', ')}${more}\n`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
