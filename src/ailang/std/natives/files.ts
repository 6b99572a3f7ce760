import { type Effects, hostFailure, reasonOf } from '../../eval/effects.js';
import { List } from '../../eval/list.js';
import { compareStrings } from '../../eval/order.js';
import type { Bytes, Callable, Value } from '../../eval/values.js';
import type { EffectHost } from '../../interfaces.js';
import { err, type Natives, ok } from './native.js';

type Fs = NonNullable<EffectHost['fs']>;
type Action = (fs: Fs, ...args: Parameters<Callable>[1][]) => Value;

const text = (content: string): Buffer => Buffer.from(content, 'utf8');

/** All files below a directory; links and other things are left out. */
function walk(fs: Fs, root: string): string[] {
  const files: string[] = [];
  const pending = [root];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const name of fs.listDir(directory)) {
      const path = directory.endsWith('/') ? directory + name : `${directory}/${name}`;
      const kind = fs.stat(path);
      if (kind === 'directory') pending.push(path);
      else if (kind === 'file') files.push(path);
    }
  }
  return files.sort(compareStrings);
}

const actions = {
  readFile: (fs: Fs, path: string): Value => fs.readFile(path).toString('utf8'),
  readFileBytes: (fs: Fs, path: string): Value => fs.readFile(path).toString('base64'),
  writeFile: (fs: Fs, path: string, content: string): Value => fs.writeFile(path, text(content), false) as undefined,
  writeFileBytes: (fs: Fs, path: string, bytes: Bytes): Value => fs.writeFile(path, bytes.content, false) as undefined,
  appendFile: (fs: Fs, path: string, content: string): Value => fs.writeFile(path, text(content), true) as undefined,
  appendFileBytes: (fs: Fs, path: string, bytes: Bytes): Value => fs.writeFile(path, bytes.content, true) as undefined,
  listDir: (fs: Fs, path: string): Value => List.of(fs.listDir(path).sort(compareStrings)),
  walk: (fs: Fs, root: string): Value => List.of(walk(fs, root)),
  glob: (fs: Fs, root: string, suffix: string): Value =>
    List.of(walk(fs, root).filter((path) => path.endsWith(suffix))),
  mkdir: (fs: Fs, path: string): Value => fs.mkdir(path, false) as undefined,
  mkdirAll: (fs: Fs, path: string): Value => fs.mkdir(path, true) as undefined,
  removeFile: (fs: Fs, path: string): Value => fs.remove(path) as undefined,
  renameFile: (fs: Fs, from: string, to: string): Value => fs.rename(from, to) as undefined,
} satisfies Record<string, Action>;

/** What a `…Result` variant says it could not do. */
const results: Readonly<Record<string, readonly [action: keyof typeof actions, failure: string]>> = {
  readFileResult: ['readFile', 'cannot read file'],
  readFileBytes: ['readFileBytes', 'cannot read file'],
  writeFileResult: ['writeFile', 'cannot write file'],
  appendFileResult: ['appendFile', 'cannot append to file'],
  mkdirResult: ['mkdir', 'cannot create directory'],
  mkdirAllResult: ['mkdirAll', 'cannot create directory'],
  removeFileResult: ['removeFile', 'cannot remove file'],
  removeDirResult: ['removeFile', 'cannot remove directory'],
  renameFileResult: ['renameFile', 'cannot rename file'],
};

export function fileNatives(effects: Effects): Natives {
  const natives: Record<string, Callable> = {};
  for (const [name, action] of Object.entries<Action>(actions)) {
    natives[`_fs_${name}`] = (_depth, ...args) => {
      const fs = effects.use('FS', name);
      try {
        return action(fs, ...args);
      } catch (cause) {
        throw hostFailure(cause, name);
      }
    };
  }
  for (const [name, [action, failure]] of Object.entries(results)) {
    natives[`_fs_${name}`] = (_depth, ...args) => {
      const fs = effects.use('FS', name);
      try {
        return ok((actions[action] as Action)(fs, ...args));
      } catch (cause) {
        return err(`${failure}: ${reasonOf(cause)}`);
      }
    };
  }
  const probe = (name: string, holds: (kind: ReturnType<Fs['stat']>) => boolean): void => {
    natives[`_fs_${name}`] = (_depth, path: string) => {
      const fs = effects.use('FS', name);
      try {
        return holds(fs.stat(path));
      } catch {
        // A path that may not be looked at is as good as absent.
        return false;
      }
    };
  };
  probe('fileExists', (kind) => kind !== null);
  probe('isFile', (kind) => kind === 'file');
  probe('isDir', (kind) => kind === 'directory');
  return natives;
}
