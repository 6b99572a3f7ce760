import { WorldError } from '../errors.js';
import type { Repository } from '../git/types.js';
import { contentsOf } from '../sharing/contents.js';
import { contentsText } from '../sharing/contents-text.js';
import type { OwnLog } from '../sharing/own-log.js';
import { type PushPlan, planPush, push } from '../sharing/push.js';
import type { Remote } from '../sharing/remotes.js';
import type { Io } from './verb.js';

/**
 * Publishes the log: shows what is inside, and asks the first time.
 * @returns what was done, in one line; null for a dry run
 * @throws WorldError `consent-missing`, and what `planPush` and `push` raise
 */
export async function publishLog(
  repository: Repository,
  remote: Remote,
  log: OwnLog,
  io: Io,
  { yes, dryRun }: { readonly yes: boolean; readonly dryRun: boolean },
): Promise<string | null> {
  const plan = await planPush(repository, remote, log);
  if (plan.from === log.tip) return `${plan.ref} on ${remote.shown} is up to date`;
  const contents = await contentsOf(repository, plan.from, log.tip);
  io.stderr.write(`world ${log.world} to ${remote.shown}, as ${plan.ref}:\n${contentsText(contents)}`);
  if (dryRun) return null;
  if (plan.from === null && !yes) await consent(plan, io);
  await push(repository, plan, (entries, of) => {
    if (of > entries) io.stderr.write(`  ${entries} of ${of} entries are over\n`);
  });
  return `pushed ${contents.entries} entries to ${plan.ref} on ${remote.shown}`;
}

/** The first time only: from then on the remote has the log, and more of it is no surprise. */
async function consent({ remote, ref }: PushPlan, { ask }: Io): Promise<void> {
  const refused = (hint: string): WorldError =>
    new WorldError('consent-missing', `${remote.shown} has no ${ref} yet, and nothing was published`, { hint });
  if (ask === null) throw refused('if whoever can read the remote may read all of this: --yes');
  const answer = await ask('Whoever can read the remote can read all of this, for good. Publish it? [y/N] ');
  if (!/^y(?:es)?$/i.test(answer.trim())) throw refused('answer y to publish');
}
