import { type FileSystem, nodeFileSystem, type OpenFile } from '../../src/git/file-system.js';

export class Cut extends Error {
  readonly code = 'EIO';
}

export interface FaultyFileSystem extends FileSystem {
  /** Operations asked for so far. */
  readonly operations: number;
}

/**
 * Fails at the given operation (counted from 0); a write there writes half of its bytes first. `once`: a failing disk,
 * later operations work. `dead`: as if the process had ended there, nothing works from then on.
 */
export function faultyFileSystem(failAt: number, mode: 'once' | 'dead'): FaultyFileSystem {
  let operations = 0;
  const fails = () => {
    const now = operations;
    operations += 1;
    return mode === 'dead' ? now >= failAt : now === failAt;
  };
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (fails()) throw new Cut();
    return work();
  };
  const wrap = (file: OpenFile): OpenFile => ({
    writeFile: async (data) => {
      if (!fails()) return file.writeFile(data);
      if (operations - 1 === failAt) await file.writeFile(data.slice(0, data.length / 2));
      throw new Cut();
    },
    sync: () => step(() => file.sync()),
    datasync: () => step(() => file.datasync()),
    // The descriptor must not leak whatever happens; the kernel closes it, too.
    close: () => file.close(),
  });
  return {
    get operations() {
      return operations;
    },
    open: (path, flags, fileMode) => step(async () => wrap(await nodeFileSystem.open(path, flags, fileMode))),
    readFile: (path, flags) => step(() => nodeFileSystem.readFile(path, flags)),
    appendFile: (path, text) => step(() => nodeFileSystem.appendFile(path, text)),
    readdir: (path) => step(() => nodeFileSystem.readdir(path)),
    mkdir: (path) => step(() => nodeFileSystem.mkdir(path)),
    rmdir: (path) => step(() => nodeFileSystem.rmdir(path)),
    rename: (from, to) => step(() => nodeFileSystem.rename(from, to)),
    unlink: (path) => step(() => nodeFileSystem.unlink(path)),
  };
}
