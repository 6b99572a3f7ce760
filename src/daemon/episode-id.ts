import { WorldError } from '../errors.js';
import type { EpisodeId } from '../log/types.js';

/** @throws WorldError `episode-name` unless the text matches `^[a-z0-9][a-z0-9-]{0,63}$` */
export function parseEpisodeId(text: string): EpisodeId {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(text))
    throw new WorldError('episode-name', `"${text}" is not an episode name`, {
      hint: 'use 1 to 64 lower-case letters, digits and hyphens, beginning with a letter or digit',
    });
  return text as EpisodeId;
}
