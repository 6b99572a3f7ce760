import { basename, dirname, join, resolve } from 'node:path';
import { WorldError } from '../../errors.js';
import type { EpisodeId } from '../../log/types.js';
import { restore } from '../../provenance/files/restore.js';
import { snapshotAt } from '../../provenance/files/snapshots.js';
import { findTarget } from '../../provenance/target.js';
import { expectPositionals, parseFlags } from '../arguments.js';
import { EXIT_OK } from '../exit-codes.js';
import { findRepository, readState } from '../local-log.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] restore <entry> [<path>…] [--into <dir>] [--repo <dir>] [--ref <ref>]

Brings back the files as they were after an entry, into a new linked worktree at the commit the episode began at:
git status and git diff there show what the episode had made of it. Your worktree and the episode's stay as they are.
  <path>…       only these files or folders from the snapshot, the rest from that commit
  --into <dir>  where to (default: <repository>-entry-<n> beside the repository); never one that exists
  --repo <dir>  the repository (default: the current directory; with --addr, the daemon's)
  --ref <ref>   the log's ref (default: refs/world/log, else the only one fetched)
Prints the directory. Remove it with: git worktree remove <dir>`,

  async run(call) {
    const { values, positionals } = parseFlags(call.args, {
      into: { type: 'string' },
      repo: { type: 'string' },
      ref: { type: 'string' },
    });
    expectPositionals(positionals, 1, Number.POSITIVE_INFINITY, '<entry> [<path>…]');
    const [target = '', ...paths] = positionals;
    const repository = await findRepository(call, values.repo);
    const snapshot = await readState(
      repository,
      async (reader) => {
        const { index, episode, tree } = await snapshotAt(reader, (await findTarget(reader, target)).index);
        const state = reader.state.episode(episode as EpisodeId);
        if (state === undefined) throw new WorldError('episode-unknown', `episode ${episode} was never opened`);
        return { index, tree, baseCommit: state.baseCommit };
      },
      values.ref,
    );
    const home = repository.worktree ?? dirname(repository.commonDir);
    const beside = join(dirname(home), `${basename(home)}-entry-${snapshot.index}`);
    const directory = values.into === undefined ? beside : resolve(call.io.cwd, values.into);
    await restore(repository, directory, snapshot, paths);
    call.io.stdout.write(`${directory}\n`);
    return EXIT_OK;
  },
};
