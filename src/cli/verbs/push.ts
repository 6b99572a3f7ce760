import { resolve } from 'node:path';
import { askDaemon } from '../../daemon/control-client.js';
import { WorldError } from '../../errors.js';
import { openRepository } from '../../git/repository.js';
import { ownLog } from '../../sharing/own-log.js';
import { chooseRemote } from '../../sharing/remotes.js';
import { expectPositionals, parseFlags } from '../arguments.js';
import { EXIT_OK } from '../exit-codes.js';
import { publishLog } from '../publish-log.js';
import type { VerbModule } from '../verb.js';

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
    const choices = { yes: values.yes === true, dryRun: values['dry-run'] === true };
    const done = await publishLog(repository, remote, log, io, choices);
    if (done !== null) io.stdout.write(`${done}\n`);
    return EXIT_OK;
  },
};
