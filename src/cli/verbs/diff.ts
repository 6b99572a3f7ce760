import { git } from '../../git/child.js';
import { snapshotAt, snapshotBefore } from '../../provenance/files/snapshots.js';
import { findTarget } from '../../provenance/target.js';
import { expectPositionals, parseFlags, usageError } from '../arguments.js';
import { EXIT_OK } from '../exit-codes.js';
import { findRepository, readLog } from '../local-log.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] diff <entry>[..<entry>] [<path>…] [--stat | --name-only] [--repo <dir>] [--ref <ref>]

What an entry changed in its episode's files, or what changed from after one entry to after another: git's own diff.
An entry is an index, head, a sha256: ref or an invocation id.
  <path>…       only these files or folders
  --stat        a line per file, with counts
  --name-only   only the names
  --repo <dir>  the repository (default: the current directory; with --addr, the daemon's)
  --ref <ref>   the log's ref (default: refs/world/log, else the only one fetched)`,

  async run(call) {
    const { values, positionals } = parseFlags(call.args, {
      stat: { type: 'boolean' },
      'name-only': { type: 'boolean' },
      repo: { type: 'string' },
      ref: { type: 'string' },
    });
    expectPositionals(positionals, 1, Number.POSITIVE_INFINITY, '<entry>[..<entry>]');
    if (values.stat && values['name-only']) throw usageError('--stat and --name-only do not mix');
    const [range = '', ...paths] = positionals;
    const [from = '', to] = range.split('..');
    const repository = await findRepository(call, values.repo);
    const trees = await readLog(
      repository,
      async (reader) => {
        const first = await snapshotAt(reader, (await findTarget(reader, from)).index);
        if (to !== undefined) return [first, await snapshotAt(reader, (await findTarget(reader, to)).index)];
        return [(await snapshotBefore(reader, first)) ?? first, first];
      },
      values.ref,
    );
    const form = values.stat ? ['--stat'] : values['name-only'] ? ['--name-only'] : ['--patch'];
    const { stdout } = await git(
      [
        ...['diff', `--color=${call.io.colour ? 'always' : 'never'}`, '--no-relative', ...form],
        ...[...trees.map(({ tree }) => tree as string), '--', ...paths.map((path) => `:(top,literal)${path}`)],
      ],
      { cwd: repository.commonDir },
    );
    call.io.stdout.write(stdout);
    return EXIT_OK;
  },
};
