import { resolve } from 'node:path';
import { askDaemon } from '../../daemon/control-client.js';
import { WorldError } from '../../errors.js';
import { openRepository } from '../../git/repository.js';
import { admissionText } from '../../sharing/admission-text.js';
import { UNSOUND } from '../../sharing/admit.js';
import { fetchLogs } from '../../sharing/fetch.js';
import { chooseRemote } from '../../sharing/remotes.js';
import { expectPositionals, parseFlags, usageError } from '../arguments.js';
import { EXIT_INTEGRITY, EXIT_OK, EXIT_USAGE } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd fetch [<remote>] [--world <id>] [--repo <dir>]

Brings the logs a git remote holds to refs/world/logs/* here. The chain of each is proven before its ref moves, and it
only moves forward: a log that is shorter than, or another history than, the one here is refused and changes nothing.
  <remote>       a remote's name, URL or path (default: git config world.remote, else origin)
  --world <id>   only the log of this world (16 hex digits)
  --repo <dir>   the repository (default: the current directory)
Exit 0 when every log is here, 3 when one does not hold, 1 when one was refused for another reason.`,

  async run({ args, io }) {
    const { values, positionals } = parseFlags(args, { world: { type: 'string' }, repo: { type: 'string' } });
    expectPositionals(positionals, 0, 1, '[<remote>]');
    if (values.world !== undefined && !/^[0-9a-f]{16}$/.test(values.world))
      throw usageError(`--world must be 16 hex digits, not "${values.world}"`);
    const repository = await openRepository(resolve(io.cwd, values.repo ?? '.'));
    const remote = await chooseRemote(repository, positionals[0]);
    await askDaemon(repository.commonDir, { op: 'flush' });
    let code = EXIT_OK;
    for (const { log, result } of await fetchLogs(repository, remote, values.world)) {
      if (!(result instanceof WorldError)) {
        io.stdout.write(`world ${log.world}  ${admissionText(result)}\n`);
        continue;
      }
      io.stderr.write(`ailang-worldd: ${result.message}\n  ${result.hint ?? ''}\n`);
      if (UNSOUND.has(result.code)) code = EXIT_INTEGRITY;
      else if (code === EXIT_OK) code = EXIT_USAGE;
    }
    return code;
  },
};
