import type { EffectHost } from '../../../src/ailang/interfaces.js';

/** A file system in memory, for programs under test. */
export function memoryFiles(files: Readonly<Record<string, Buffer>>): {
  readonly fs: NonNullable<EffectHost['fs']>;
  readonly contents: Map<string, Buffer>;
} {
  const contents = new Map(Object.entries(files));
  const refuse = (): never => {
    throw new Error('not here');
  };
  const fs: NonNullable<EffectHost['fs']> = {
    readFile: (path) => {
      const found = contents.get(path);
      if (found === undefined) throw new Error(`open ${path}: no such file or directory`);
      return found;
    },
    writeFile: (path, content) => {
      contents.set(path, content);
    },
    stat: (path) => (contents.has(path) ? 'file' : null),
    mkdir: () => undefined,
    listDir: refuse,
    remove: refuse,
    rename: refuse,
  };
  return { fs, contents };
}

/** One block of a tar archive and its content, padded. */
export function tarEntry(name: string, content: string, type = '0', link = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  const body = Buffer.from(content);
  header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(link, 157);
  header.write('ustar\0' + '00', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

export const tarOf = (...entries: readonly Buffer[]): Buffer => Buffer.concat([...entries, Buffer.alloc(1024)]);
