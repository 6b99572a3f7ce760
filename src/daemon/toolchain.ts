import { stat } from 'node:fs/promises';
import { WorldError } from '../errors.js';
import { EmbeddedToolchain } from '../toolchain/embedded/toolchain.js';
import { OfficialToolchain } from '../toolchain/official/toolchain.js';
import type { Toolchain } from '../toolchain/types.js';

/** Which corpus examples-search searches: the one this package ships, a directory of the operator's, or none. */
export type ExamplesCorpus = 'shipped' | 'none' | { readonly directory: string };

export interface ToolchainChoice {
  readonly examples: ExamplesCorpus;
  /** The official `ailang` binary; absent: the embedded toolchain. */
  readonly ailangBinary?: string | undefined;
}

/** The release whose command line the tools were measured against. */
const MEASURED = /^v0\.52\.\d+$/;

/**
 * The toolchain that does the episodes' work. The embedded one starts no process before the first call; the official
 * one is hashed and asked for its version.
 * @param home private directory of its children, removed when the toolchain closes
 * @throws WorldError `examples-missing` when the corpus is no directory; `toolchain-missing`; `toolchain-version` for a
 * binary that is not v0.52.x
 */
export async function openToolchain({ examples, ailangBinary }: ToolchainChoice, home: string): Promise<Toolchain> {
  const corpus = typeof examples === 'string' ? {} : { examplesDir: await directory(examples.directory) };
  if (ailangBinary === undefined) {
    const { AILANG_Z3_PATH: z3Program } = process.env;
    return EmbeddedToolchain.open({ home, ...corpus, ...(z3Program ? { z3Program } : {}) });
  }
  const toolchain = await OfficialToolchain.open({ binary: ailangBinary, home, ...corpus });
  const { version } = toolchain.identity;
  if (MEASURED.test(version)) return toolchain;
  await toolchain.close();
  throw new WorldError('toolchain-version', `${ailangBinary} is AILANG ${version}; only v0.52.x is supported`, {
    hint: 'give --ailang-bin a v0.52 release, or leave it out to run the embedded toolchain',
    data: { version },
  });
}

async function directory(path: string): Promise<string> {
  const info = await stat(path).catch(() => null);
  if (info?.isDirectory()) return path;
  throw new WorldError('examples-missing', `the examples directory ${path} is not there`, {
    hint: 'give --examples-dir an existing directory, or leave it out',
  });
}
