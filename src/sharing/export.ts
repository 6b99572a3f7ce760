import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdtemp, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WorldError } from '../errors.js';
import { git } from '../git/child.js';
import { errorCode } from '../git/file-system.js';
import type { GitOid, Repository } from '../git/types.js';
import { openLogReader } from '../log/reader.js';
import type { EntryIndex, EpisodeId } from '../log/types.js';
import { summarize } from '../provenance/entry-summary.js';
import { sharedRef } from './shared-ref.js';

/** A log up to some entry. */
export interface LogPart {
  readonly world: string;
  readonly last: EntryIndex;
  readonly tip: GitOid;
}

/**
 * The log up to the last entry of an episode; without one, all of it. It begins at genesis: a part could not be proven.
 * @throws WorldError `episode-unknown`, `log-absent`
 */
export async function logPart(repository: Repository, episode: EpisodeId | undefined): Promise<LogPart> {
  const reader = await openLogReader(repository);
  try {
    const { worldId: world, head } = reader;
    if (episode === undefined) return { world, last: head.index, tip: head.commit };
    if (reader.state.episode(episode) === undefined)
      throw new WorldError('episode-unknown', `episode ${episode} does not exist`, {
        hint: 'ailang-worldd episode list shows them',
      });
    for (let index = head.index; index > 0; index = (index - 1) as EntryIndex) {
      const entry = await reader.entry(index);
      if (entry !== null && summarize(entry).episode === episode) return { world, last: index, tip: entry.commit };
    }
    throw new WorldError('episode-unknown', `no entry of the log is of episode ${episode}`);
  } finally {
    await reader.close();
  }
}

/**
 * Writes a git bundle that holds the log under its shared name, readable by its owner only. `git fetch` takes it, too.
 * @returns its size in bytes
 * @throws WorldError `export-exists`, and what writing raises
 */
export async function writeBundle(repository: Repository, part: LogPart, file: string): Promise<number> {
  const work = await mkdtemp(join(dirname(file), `.${basename(file)}-`));
  try {
    const packed = await git(['pack-objects', '--revs', '--quiet', '--delta-base-offset', join(work, 'pack')], {
      cwd: repository.commonDir,
      input: `${part.tip}\n`,
      timeoutMs: 3_600_000,
    });
    const whole = join(work, randomBytes(4).toString('hex'));
    const handle = await open(whole, 'wx', 0o600);
    try {
      await handle.writeFile(header(repository, part));
      const pack = createReadStream(join(work, `pack-${packed.stdout.toString().trim()}.pack`));
      for await (const piece of pack) await handle.writeFile(piece as Buffer);
      await handle.sync();
      // A link fails where the name is taken; a rename would overwrite.
      await link(whole, file).catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error;
        throw new WorldError('export-exists', `${file} exists; an export never overwrites`, {
          hint: 'give another --out, or remove the file',
        });
      });
      return (await handle.stat()).size;
    } finally {
      await handle.close();
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** gitformat-bundle(5): version 2, and 3 where the hash must be named. */
function header({ objectFormat }: Repository, { tip, world }: LogPart): string {
  const first = objectFormat === 'sha1' ? '# v2 git bundle\n' : '# v3 git bundle\n@object-format=sha256\n';
  return `${first}${tip} ${sharedRef(world)}\n\n`;
}
