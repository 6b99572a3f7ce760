import { fold } from './fold.js';

/** Code points that HFS+ passes over when it compares names; git's fsck does the same. */
const passedOver = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Names that git gives a meaning, with the prefix of the 8.3 short name that NTFS falls back on. */
const shortened = [
  ['.gitmodules', 'gitmod'],
  ['.gitmodules', 'gi7eba'],
  ['.gitattributes', 'gitatt'],
  ['.gitattributes', 'gi7d29'],
] as const;

/**
 * The key of the file that a name may open on some disk: letter case, Unicode form, ignorable characters (HFS+),
 * trailing dots and blanks, stream suffixes and 8.3 short names (NTFS) make no difference. What has the key `.git` is
 * what `git fsck` calls hasDotgit, and no remote that checks would take a tree with it.
 */
export function diskName(name: string): string {
  const key = fold(name.replaceAll(passedOver, ''));
  const plain = key.replace(/:.*$/s, '').replace(/[. ]+$/, '');
  if (plain === '') return key;
  // git makes `.git` first of all, so no other number is its.
  if (plain === 'git~1') return '.git';
  const [, stem, digits] = /^([^~]*)~([1-9]\d*)$/.exec(plain) ?? [];
  if (stem === undefined || digits === undefined) return plain;
  const [long] =
    shortened.find(([, prefix]) => prefix === stem || (plain.length === 8 && prefix.startsWith(stem))) ?? [];
  return long ?? plain;
}
