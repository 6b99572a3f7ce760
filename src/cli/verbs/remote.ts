import { resolve } from 'node:path';
import { askDaemon } from '../../daemon/control-client.js';
import { relate } from '../../git/ancestry.js';
import { readRef } from '../../git/ref.js';
import { openRepository } from '../../git/repository.js';
import { ownLog } from '../../sharing/own-log.js';
import { chooseRemote, listRemoteLogs } from '../../sharing/remotes.js';
import { expectPositionals, parseFlags } from '../arguments.js';
import { EXIT_OK } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

const MEANING = {
  same: 'as here',
  behind: 'has fewer entries than here',
  ahead: 'has more entries than here',
  diverged: 'is another history than here',
  unknown: 'has entries that are not here',
  absent: 'not here yet',
} as const;

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd remote [<remote>] [--json] [--repo <dir>]

Lists the logs a git remote holds and how each stands to the one here. Changes nothing on either side.
  <remote>       a remote's name, URL or path (default: git config world.remote, else origin)
  --json         one JSON object: {"remote","logs":[{"world","ref","tip","own","relation"}]}; relation is of the remote's
                 log to the one here: same, behind, ahead, diverged, unknown (it has entries that are not here), absent
  --repo <dir>   the repository (default: the current directory)`,

  async run({ args, io }) {
    const { values, positionals } = parseFlags(args, { json: { type: 'boolean' }, repo: { type: 'string' } });
    expectPositionals(positionals, 0, 1, '[<remote>]');
    const repository = await openRepository(resolve(io.cwd, values.repo ?? '.'));
    const remote = await chooseRemote(repository, positionals[0]);
    await askDaemon(repository.commonDir, { op: 'flush' });
    const own = await ownLog(repository);
    const logs: { world: string; ref: string; tip: string; own: boolean; relation: keyof typeof MEANING }[] = [];
    for (const { world, ref, tip } of await listRemoteLogs(repository, remote)) {
      const here = own?.world === world ? own.tip : await readRef(repository, ref);
      const relation = here === null ? 'absent' : await relate(repository, tip, here);
      logs.push({ world, ref, tip, own: own?.world === world, relation });
    }
    if (values.json) {
      io.stdout.write(`${JSON.stringify({ remote: remote.shown, logs })}\n`);
      return EXIT_OK;
    }
    io.stdout.write(`${remote.shown}: ${logs.length === 0 ? 'no logs' : `${logs.length} log(s)`}\n`);
    for (const { world, own: ours, relation } of logs)
      io.stdout.write(`  world ${world}  ${MEANING[relation]}${ours ? ' (the one this repository writes)' : ''}\n`);
    if (own !== null && !logs.some((log) => log.own))
      io.stdout.write(`  world ${own.world}  not published; it is the one this repository writes\n`);
    return EXIT_OK;
  },
};
