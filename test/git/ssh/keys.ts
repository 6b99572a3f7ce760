import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MadeKey {
  readonly file: string;
  /** `<type> <base64>`. */
  readonly publicKey: string;
}

/** A key made by ssh-keygen. */
export function makeKey(directory: string, name: string, ...options: string[]): MadeKey {
  const file = join(directory, name);
  execFileSync('ssh-keygen', ['-q', '-N', '', '-C', 'a comment', '-f', file, ...options], { stdio: 'pipe' });
  return { file, publicKey: readFileSync(`${file}.pub`, 'utf8').split(' ').slice(0, 2).join(' ') };
}
