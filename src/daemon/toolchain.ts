import { stat } from 'node:fs/promises';
import { WorldError } from '../errors.js';
import { EmbeddedToolchain } from '../toolchain/embedded/toolchain.js';
import type { Toolchain } from '../toolchain/types.js';

/** Which corpus examples-search searches: the one this package ships, a directory of the operator's, or none. */
export type ExamplesCorpus = 'shipped' | 'none' | { readonly directory: string };

/**
 * The toolchain that does the episodes' work. Starts no process before the first call.
 * @throws WorldError `examples-missing` when the corpus is no directory; `toolchain-missing` when not built
 */
export async function openToolchain(examples: ExamplesCorpus): Promise<Toolchain> {
  if (typeof examples === 'string') return EmbeddedToolchain.open();
  const { directory } = examples;
  const info = await stat(directory).catch(() => null);
  if (!info?.isDirectory())
    throw new WorldError('examples-missing', `the examples directory ${directory} is not there`, {
      hint: 'give --examples-dir an existing directory, or leave it out',
    });
  return EmbeddedToolchain.open({ examplesDir: directory });
}
