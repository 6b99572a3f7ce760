import { readdirSync } from 'node:fs';
import type { Directory } from './directory.js';
import { systemError } from './system-error.js';

const plain = /^[\x21-\x7e]*$/;
const spaces = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;

/**
 * How a name that was not found is spelled on the disk: the same text in another normal form is the same file.
 * A file that only looks the same (another kind of blank) is not, and must not get a twin.
 * @returns null when there is no such file under any spelling
 * @throws an error naming the look-alike
 */
export function otherSpelling(directory: Directory, name: string): string | null {
  if (plain.test(name)) return null;
  const wanted = name.normalize('NFC');
  const lookAlike = wanted.replace(spaces, ' ');
  let twin: string | null = null;
  for (const entry of readdirSync(directory.at('.'))) {
    const candidate = entry.normalize('NFC');
    if (candidate === wanted) return entry;
    if (candidate.replace(spaces, ' ') === lookAlike) twin = entry;
  }
  if (twin === null) return null;
  throw systemError(
    'LOOKALIKE',
    `no such file; ${JSON.stringify(twin)} differs in the kind of blank${escapedBlanks(twin)}`,
  );
}

function escapedBlanks(name: string): string {
  const found = [...new Set(name.match(spaces) ?? [])].map(
    (blank) => `U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return found.length === 0 ? '' : ` (${found.join(', ')})`;
}
