import { resolve } from 'node:path';
import { askDaemon } from '../../daemon/control-client.js';
import { WorldError } from '../../errors.js';
import { openRepository } from '../../git/repository.js';
import { contentsOf } from '../../sharing/contents.js';
import { contentsText } from '../../sharing/contents-text.js';
import { ownLog } from '../../sharing/own-log.js';
import { type PushPlan, planPush, push } from '../../sharing/push.js';
import { chooseRemote } from '../../sharing/remotes.js';
import { expectPositionals, parseFlags } from '../arguments.js';
import { EXIT_OK } from '../exit-codes.js';
import type { Io, VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd push [<remote>] [--yes] [--dry-run] [--repo <dir>]

Publishes the log of this repository as refs/world/logs/<world id> on a git remote, over whatever git itself uses.
It only ever adds to what is there, never forces, and may be repeated: what is over already is not sent again.
Before the first push of a log to a remote it shows what is inside and asks; without a terminal it wants --yes.
  <remote>       a remote's name, URL or path (default: git config world.remote, else origin)
  --yes          publish without being asked
  --dry-run      only show what would be sent
  --repo <dir>   the repository (default: the current directory)
git itself reads no password from you here: use an ssh agent or a credential helper.`,

  async run({ args, io }) {
    const { values, positionals } = parseFlags(args, {
      yes: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      repo: { type: 'string' },
    });
    expectPositionals(positionals, 0, 1, '[<remote>]');
    const repository = await openRepository(resolve(io.cwd, values.repo ?? '.'));
    const remote = await chooseRemote(repository, positionals[0]);
    await askDaemon(repository.commonDir, { op: 'flush' });
    const log = await ownLog(repository);
    if (log === null)
      throw new WorldError('log-absent', 'this repository writes no log: there is nothing to push', {
        hint: 'ailang-worldd up begins one',
      });
    const plan = await planPush(repository, remote, log);
    if (plan.from === log.tip) {
      io.stdout.write(`${plan.ref} on ${remote.shown} is up to date\n`);
      return EXIT_OK;
    }
    const contents = await contentsOf(repository, plan.from, log.tip);
    io.stderr.write(`world ${log.world} to ${remote.shown}, as ${plan.ref}:\n${contentsText(contents)}`);
    if (values['dry-run']) return EXIT_OK;
    if (plan.from === null && !values.yes) await consent(plan, io);
    await push(repository, plan, (entries, of) => {
      if (of > entries) io.stderr.write(`  ${entries} of ${of} entries are over\n`);
    });
    io.stdout.write(`pushed ${contents.entries} entries to ${plan.ref} on ${remote.shown}\n`);
    return EXIT_OK;
  },
};

/** The first time only: from then on the remote has the log, and more of it is no surprise. */
async function consent({ remote, ref }: PushPlan, { ask }: Io): Promise<void> {
  const refused = (hint: string): WorldError =>
    new WorldError('consent-missing', `${remote.shown} has no ${ref} yet, and nothing was published`, { hint });
  if (ask === null) throw refused('if whoever can read the remote may read all of this: --yes');
  const answer = await ask('Whoever can read the remote can read all of this, for good. Publish it? [y/N] ');
  if (!/^y(?:es)?$/i.test(answer.trim())) throw refused('answer y to publish');
}
