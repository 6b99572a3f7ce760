import { stat } from 'node:fs/promises';
import { WorldError } from '../errors.js';
import { EmbeddedToolchain } from '../toolchain/embedded/toolchain.js';
import type { Toolchain } from '../toolchain/types.js';

/**
 * The toolchain that does the episodes' work. Starts no process before the first call.
 * @throws WorldError `examples-missing` when the corpus is no directory; `toolchain-missing` when not built
 */
export async function openToolchain(examplesDir: string | undefined): Promise<Toolchain> {
  if (examplesDir === undefined) return EmbeddedToolchain.open();
  const info = await stat(examplesDir).catch(() => null);
  if (!info?.isDirectory())
    throw new WorldError('examples-missing', `the examples directory ${examplesDir} is not there`, {
      hint: 'give --examples-dir an existing directory, or leave it out',
    });
  return EmbeddedToolchain.open({ examplesDir });
}
