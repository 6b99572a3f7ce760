import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { languageVersion } from '../../ailang/cli/commands/version.js';
import { WorldError } from '../../errors.js';
import type { Sha256Ref } from '../../log/types.js';
import type { ToolchainIdentity } from '../types.js';

interface Measured {
  readonly ref: Sha256Ref;
  readonly stamp: string;
}

/** What the embedded toolchain is made of: the programs' bundles and the library they read. */
function files(root: string): string[] {
  const std = join(root, 'src', 'ailang', 'std');
  const sources = readdirSync(std).filter((name) => name.endsWith('.ail'));
  const programs = ['ailang.js', 'workers/run-child.cjs', 'workers/run-thread.cjs'];
  return [...programs.map((name) => join(root, 'dist', name)), ...sources.sort().map((name) => join(std, name))];
}

function stampOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
      return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
    })
    .join('\n');
}

function measure(root: string): Measured {
  const paths = files(root);
  const stamp = stampOf(paths);
  const hash = createHash('sha256');
  for (const path of paths) {
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
    hash.update(`${path.slice(root.length)}\0${digest}\n`);
  }
  return { ref: `sha256:${hash.digest('hex')}` as Sha256Ref, stamp };
}

/** The embedded toolchain's identity, hashed once and watched by the files' stamps afterwards. */
export class EmbeddedIdentity {
  readonly identity: ToolchainIdentity;
  readonly #root: string;
  #stamp: string;

  /** @throws WorldError when the package was not built */
  constructor(root: string) {
    this.#root = root;
    try {
      const { ref, stamp } = measure(root);
      this.#stamp = stamp;
      this.identity = { name: 'embedded', version: languageVersion, ref };
    } catch (cause) {
      throw new WorldError('toolchain-missing', 'the embedded toolchain is not built', {
        hint: 'run npm run build',
        cause,
      });
    }
  }

  /** @throws WorldError `toolchain-changed` when another toolchain would run than the log names */
  verify(): void {
    if (stampOf(files(this.#root)) === this.#stamp) return;
    const { ref, stamp } = measure(this.#root);
    if (ref !== this.identity.ref)
      throw new WorldError('toolchain-changed', 'the toolchain on disk is no longer the one that was recorded', {
        hint: 'restart the daemon',
        data: { recorded: this.identity.ref, found: ref },
      });
    this.#stamp = stamp;
  }
}
