/** How source files are found. Symbolic links are no directories, so a walk ends. */
export interface SourceTree {
  /** Null when there is nothing at the path. */
  kind(path: string): 'file' | 'directory' | 'symlink' | 'other' | null;
  /** Names in a directory. */
  list(path: string): readonly string[];
}

const maxFiles = 10_000;
const skipped = new Set(['node_modules', 'dist', 'build']);

/** The `.ail` files below a directory in the order of their paths; hidden directories are left out. */
export function findSources(tree: SourceTree, directory: string, suffix = '.ail'): string[] {
  const found: string[] = [];
  const pending = [directory.replace(/(?<=.)\/+$/, '')];
  for (let at = pending.pop(); at !== undefined && found.length < maxFiles; at = pending.pop()) {
    for (const name of [...tree.list(at)].sort()) {
      const path = at === '.' ? name : `${at}/${name}`;
      const kind = tree.kind(path);
      if (kind === 'file' && name.endsWith(suffix)) found.push(path);
      else if (kind === 'directory' && !name.startsWith('.') && !skipped.has(name)) pending.push(path);
    }
  }
  return found.sort();
}
