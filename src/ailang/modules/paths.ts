/** `./a//b/../c.ail` → `a/c.ail`; a path that leaves the root keeps its leading `..`. */
export function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

/** The module an import means: `./d` in `a/b/c` is `a/b/d`. Null when it climbs above the first part. */
export function resolveImport(path: string, importer: string): string | null {
  if (!path.startsWith('./') && !path.startsWith('../')) return normalizePath(path);
  const base = importer.split('/').slice(0, -1).join('/');
  const resolved = normalizePath(`${base}/${path}`);
  return resolved.startsWith('..') ? null : resolved;
}
