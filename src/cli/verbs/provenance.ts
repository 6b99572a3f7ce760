import { asEpisodeId } from '../../episode/worktree.js';
import { collectTrailers, formatTrailer } from '../../provenance/trailer.js';
import { expectPositionals, parseFlags, parseWholeNumber } from '../arguments.js';
import { EXIT_OK } from '../exit-codes.js';
import { findRepository, readLog } from '../local-log.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] provenance [--since <entry>] [--episode <name>] [--scan <n>] [--repo <dir>]

Prints one World-Provenance trailer per episode, for the last paragraph of a commit message or pull request.
  --since <entry>   first entry looked at
  --scan <n>        how many of the newest entries to look at (default 500, at most 5000)
  --repo <dir>      the repository (default: the current directory; with --addr, the daemon's)
Exit 1 when the range holds no call.`,

  async run(call) {
    const { values, positionals } = parseFlags(call.args, {
      since: { type: 'string' },
      episode: { type: 'string' },
      scan: { type: 'string' },
      repo: { type: 'string' },
    });
    expectPositionals(positionals, 0, 0, 'no arguments');
    const range = {
      scan: parseWholeNumber(values.scan ?? '500', '--scan', { min: 1, max: 5_000 }),
      ...(values.since === undefined
        ? {}
        : { since: parseWholeNumber(values.since, '--since', { min: 0, max: Number.MAX_SAFE_INTEGER }) }),
      ...(values.episode === undefined ? {} : { episode: asEpisodeId(values.episode) }),
    };
    const repository = await findRepository(call, values.repo);
    const trailers = await readLog(repository, (reader) => collectTrailers(reader, range));
    for (const trailer of trailers) call.io.stdout.write(`${formatTrailer(trailer)}\n`);
    return EXIT_OK;
  },
};
