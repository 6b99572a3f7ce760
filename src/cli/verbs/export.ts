import { resolve } from 'node:path';
import { askDaemon } from '../../daemon/control-client.js';
import { asEpisodeId } from '../../episode/worktree.js';
import { openRepository } from '../../git/repository.js';
import { contentsOf } from '../../sharing/contents.js';
import { bytesText, contentsText } from '../../sharing/contents-text.js';
import { logPart, writeBundle } from '../../sharing/export.js';
import { expectPositionals, parseFlags } from '../arguments.js';
import { EXIT_OK } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd export [<episode>] [--out <file>] [--repo <dir>]

Writes the log up to the last entry of an episode (without one, all of it) into a git bundle, a file only you can read.
It begins at genesis, so what other episodes did before is in it too: a part could not be proven. It shows what is inside.
  --out <file>   default: <world>-<episode>.bundle here; a file that is there is never overwritten
  --repo <dir>   the repository (default: the current directory)
Whoever gets it: ailang-worldd import <file>, or: git fetch <file> 'refs/world/logs/*:refs/world/logs/*'`,

  async run({ args, io }) {
    const { values, positionals } = parseFlags(args, { out: { type: 'string' }, repo: { type: 'string' } });
    expectPositionals(positionals, 0, 1, '[<episode>]');
    const episode = positionals[0] === undefined ? undefined : asEpisodeId(positionals[0]);
    const repository = await openRepository(resolve(io.cwd, values.repo ?? '.'));
    await askDaemon(repository.commonDir, { op: 'flush' });
    const part = await logPart(repository, episode);
    const file = resolve(io.cwd, values.out ?? `${part.world}-${episode ?? 'log'}.bundle`);
    io.stderr.write(`world ${part.world}, entries 0 to ${part.last}:\n`);
    io.stderr.write(contentsText(await contentsOf(repository, null, part.tip)));
    const bytes = await writeBundle(repository, part, file);
    io.stdout.write(`${file} (${bytesText(bytes)})\n`);
    return EXIT_OK;
  },
};
