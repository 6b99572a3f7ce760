import { mkdirSync, rmdirSync, statSync, utimesSync } from 'node:fs';

type Callback = (error: unknown, value?: unknown) => void;

/**
 * The file operations of the lock, done at once. Node's thread pool is where the log waits for its syncs, and a lock
 * that queues behind them costs every call milliseconds, while these take microseconds.
 */
export const lockFileSystem = {
  mkdir: (path: string, callback: Callback) => answer(callback, () => mkdirSync(path)),
  rmdir: (path: string, callback: Callback) => answer(callback, () => rmdirSync(path)),
  stat: (path: string, callback: Callback) => answer(callback, () => statSync(path)),
  utimes: (path: string, atime: Date, mtime: Date, callback: Callback) =>
    answer(callback, () => utimesSync(path, atime, mtime)),
  rmdirSync,
};

function answer(callback: Callback, action: () => unknown): void {
  let value: unknown;
  try {
    value = action();
  } catch (error) {
    callback(error);
    return;
  }
  callback(null, value);
}
