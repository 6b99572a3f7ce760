import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { WorldError } from '../../errors.js';
import type { Sha256Ref } from '../../log/types.js';

/** The operator's `ailang` binary, known by its bytes. */
export class Binary {
  readonly path: string;
  readonly ref: Sha256Ref;
  #stamp: string;

  private constructor(path: string, ref: Sha256Ref, stamp: string) {
    this.path = path;
    this.ref = ref;
    this.#stamp = stamp;
  }

  /** @throws WorldError `toolchain-missing` */
  static async open(path: string): Promise<Binary> {
    try {
      const real = await realpath(path);
      const stamp = await stampOf(real);
      return new Binary(real, await hash(real), stamp);
    } catch (cause) {
      throw new WorldError('toolchain-missing', `the ailang binary ${path} cannot be read`, { cause });
    }
  }

  /**
   * Before every use: the same file as when it was hashed, by inode, size and change time; when any differs it is hashed
   * again. @throws WorldError `toolchain-changed`
   */
  async verify(): Promise<void> {
    const stamp = await stampOf(this.path);
    if (stamp === this.#stamp) return;
    const found = await hash(this.path);
    if (found !== this.ref)
      throw new WorldError('toolchain-changed', 'the ailang binary is no longer the one that was recorded', {
        hint: 'restart the daemon',
        data: { recorded: this.ref, found },
      });
    this.#stamp = stamp;
  }
}

async function stampOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

async function hash(path: string): Promise<Sha256Ref> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return `sha256:${digest.digest('hex')}` as Sha256Ref;
}
