import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { EpisodeId } from '../../src/log/types.js';
import type { EpisodePolicy } from '../../src/toolchain/types.js';

/** What an episode hands to the toolchain for a policy file. */
export const policyOf = (file: string, root: string): EpisodePolicy => ({
  episode: 'ep1' as EpisodeId,
  file,
  digest: createHash('sha256').update(readFileSync(file)).digest('hex'),
  sandbox: root,
});
