import { WorldError } from '../errors.js';
import { relate } from '../git/ancestry.js';
import { git } from '../git/child.js';
import type { GitOid, Repository } from '../git/types.js';
import type { OwnLog } from './own-log.js';
import { listRemoteLogs, type Remote, talk } from './remotes.js';
import { sharedRef } from './shared-ref.js';

/** What a push would do. */
export interface PushPlan {
  readonly remote: Remote;
  readonly log: OwnLog;
  readonly ref: string;
  /** Where the remote's copy ends; null when it has none. */
  readonly from: GitOid | null;
}

/** Entries of one push; a push that is cut off keeps what the steps before brought over. */
const stepEntries = 2000;

/**
 * Compares the log with the remote's copy of it.
 * @throws WorldError `log-continued` when the remote has entries that this repository lacks, `log-diverged`, `remote-failed`
 */
export async function planPush(repository: Repository, remote: Remote, log: OwnLog): Promise<PushPlan> {
  const there = (await listRemoteLogs(repository, remote)).find(({ world }) => world === log.world);
  const plan = { remote, log, ref: sharedRef(log.world), from: there?.tip ?? null };
  if (there === undefined) return plan;
  const relation = await relate(repository, there.tip, log.tip);
  if (relation === 'same' || relation === 'behind') return plan;
  if (relation === 'diverged')
    throw new WorldError(
      'log-diverged',
      `${remote.shown} holds another history of world ${log.world}; nothing was sent`,
      {
        hint: `Two repositories continued one log, or one was rewritten (redact). Look at: git log ${there.tip}`,
        data: { ref: plan.ref, found: there.tip, here: log.tip },
      },
    );
  throw new WorldError(
    'log-continued',
    `${remote.shown} holds entries of world ${log.world} that are not here; nothing was sent`,
    {
      hint: 'Another repository continued this log, or this one was set back. A log has one writer; nothing is ever overwritten.',
      data: { ref: plan.ref, found: there.tip, here: log.tip },
    },
  );
}

/**
 * Sends the log in steps, each a plain push that git itself lets through only when it adds to what is there.
 * @param sent told after each step how many entries are over
 * @throws WorldError `push-rejected` when the remote refuses or was moved meanwhile, `remote-failed`
 */
export async function push(
  repository: Repository,
  { remote, log, ref, from }: PushPlan,
  sent: (entries: number, of: number) => void = () => undefined,
): Promise<void> {
  const range = from === null ? [log.tip] : [log.tip, `^${from}`];
  const listed = await git(['rev-list', '--first-parent', '--reverse', ...range], {
    cwd: repository.commonDir,
    timeoutMs: 600_000,
  });
  const commits = listed.stdout.toString().split('\n').filter(Boolean);
  for (let end = Math.min(stepEntries, commits.length); end > 0; ) {
    await pushRef(repository, remote, `${commits[end - 1] ?? log.tip}:${ref}`, 'the log');
    sent(end, commits.length);
    if (end === commits.length) return;
    end = Math.min(end + stepEntries, commits.length);
  }
}

/**
 * One plain push, which git lets through only when it adds to what is there.
 * @param what is pushed, for the error
 * @throws WorldError `push-rejected`, `remote-failed`
 */
export async function pushRef(repository: Repository, remote: Remote, refspec: string, what: string): Promise<void> {
  const settings = ['-c', 'push.followTags=false', '-c', 'push.gpgSign=false'];
  const args = [...settings, 'push', '--porcelain', '--no-verify', '--recurse-submodules=no', remote.name, refspec];
  const answer = await talk(repository, remote, args, [0, 1]);
  const refused = answer.split('\n').find((line) => line.startsWith('!'));
  if (refused === undefined && /^(?:[ *=]\t)/m.test(answer)) return;
  const why = refused?.split('\t').at(-1) ?? 'git does not say why';
  throw new WorldError('push-rejected', `${remote.shown} did not take ${what}: ${why}`, {
    hint: 'Nothing was overwritten. See how it stands: ailang-worldd remote; then push again.',
    data: { why },
  });
}
