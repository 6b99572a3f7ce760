import { diskName } from './disk-name.js';
import { fold } from './fold.js';
import { compileGlob } from './glob.js';

/** Why a path may not be written. `pattern` is the operator's own spelling. */
export type Protected = { readonly by: 'git' } | { readonly by: 'pattern'; readonly pattern: string };

/** Judges a path, given as root-relative components; null when it may be written. */
export type Protection = (components: readonly string[]) => Protected | null;

const git: Protected = { by: 'git' };

/**
 * `.git` at any depth, then the deny patterns in file order (ailang-cli section 2).
 * @param protectGit false only for programs under `trusted_host`
 */
export function protection(denyWrite: readonly string[], protectGit: boolean): Protection {
  const rules = denyWrite.map((pattern) => ({ pattern, matches: compilePattern(pattern) }));
  return (components) => {
    // Where `\\` separates too, one component is several.
    const names = components.flatMap((name) => name.split('\\')).map(diskName);
    if (protectGit && names.includes('.git')) return git;
    const rule = rules.find(({ matches }) => matches(names));
    return rule === undefined ? null : { by: 'pattern', pattern: rule.pattern };
  };
}

/** Something below this directory may be protected, so moving or removing the directory would touch it. */
export function shelters(denyWrite: readonly string[], components: readonly string[]): boolean {
  const names = components.map(diskName);
  return denyWrite.some((pattern) => {
    const parts = trimmed(pattern).split('/');
    if (parts.length <= names.length) return false;
    return names.every((name, index) => matcher(parts[index]!)(name));
  });
}

const trimmed = (pattern: string): string => pattern.trim().replace(/^(\.\/)+/, '');

function compilePattern(pattern: string): (names: readonly string[]) => boolean {
  const text = trimmed(pattern);
  // Spelled out where the mode does not protect it; a repository inside the worktree must be as safe as its own.
  if (fold(text) === '.git/**') return (names) => names.includes('.git');
  if (text.endsWith('/**')) {
    const directory = matcher(text.slice(0, -3));
    return (names) => names.some((_, index) => directory(names.slice(0, index + 1).join('/')));
  }
  const file = matcher(text);
  return (names) => file(names.join('/')) || file(names.at(-1) ?? '');
}

/** A malformed glob protects the file it spells literally. */
function matcher(pattern: string): (text: string) => boolean {
  const folded = fold(pattern);
  const glob = compileGlob(folded);
  return glob === null ? (text) => text === folded : (text) => glob.test(text);
}
