import type * as fileSystem from 'node:fs';
import { dirname, join } from 'node:path';

export type ReplaceFs = Pick<
  typeof fileSystem,
  | 'openSync'
  | 'writeFileSync'
  | 'fchmodSync'
  | 'fsyncSync'
  | 'closeSync'
  | 'renameSync'
  | 'rmSync'
  | 'statSync'
  | 'realpathSync'
>;

/**
 * Replaces the content of a file: a new file beside it takes its mode and then its place, so a reader sees the old
 * text or the new one. A link stays a link. Nothing is left behind when it fails.
 * @param suffix makes the name of the new file, `.ailang-fmt-<suffix>`, its own
 */
export function replaceFile(fs: ReplaceFs, path: string, text: string, suffix: string): void {
  const target = fs.realpathSync(path);
  const { mode } = fs.statSync(target);
  const temporary = join(dirname(target), `.ailang-fmt-${suffix}`);
  const descriptor = fs.openSync(temporary, 'wx', 0o600);
  try {
    try {
      fs.writeFileSync(descriptor, text);
      fs.fchmodSync(descriptor, mode & 0o7777);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
