/** Library modules in the order in which they are suggested. */
const moduleNames = (
  'list string io option result math json fs env map array bytes regex datetime net crypto clock rand debug iter xml html yaml jwt zip tar gzip deflate ' +
  'embedding simhash trace secret web process stream ai terminal sharedmem sharedindex sem cognition package extension smoke'
).split(' ');

const indexes = new WeakMap<(module: string) => string | null, Map<string, string[]>>();

/** Which library modules export a name; read once from their texts. */
export function stdModulesExporting(name: string, std: (module: string) => string | null): readonly string[] {
  let index = indexes.get(std);
  if (index === undefined) {
    index = buildIndex(std);
    indexes.set(std, index);
  }
  return index.get(name) ?? [];
}

/** `map` → the import line to add, or null when no library module exports it. */
export function stdImportHint(name: string, std: (module: string) => string | null): string | null {
  const [first, ...others] = stdModulesExporting(name, std);
  if (first === undefined) return null;
  const also = others.length === 0 ? '' : ` (also in ${others.slice(0, 3).join(', ')})`;
  return `\`${name}\` is in ${first}${also}: add import ${first} (${name}).`;
}

function buildIndex(std: (module: string) => string | null): Map<string, string[]> {
  const index = new Map<string, string[]>();
  const add = (name: string, module: string) => {
    const known = index.get(name);
    if (known === undefined) index.set(name, [module]);
    else if (!known.includes(module)) known.push(module);
  };
  for (const short of moduleNames) {
    const module = `std/${short}`;
    const text = std(module);
    if (text === null) continue;
    for (const found of text.matchAll(/^export (?:pure )?func (\w+)/gm)) add(found[1] ?? '', module);
    for (const found of text.matchAll(/^export type (\w+)([^=]*)=((?:.|\n(?!\s*(?:export|func|pure|type)\b))*)/gm)) {
      add(found[1] ?? '', module);
      for (const variant of (found[3] ?? '').matchAll(/(?:^|\|)\s*([A-Z]\w*)/g)) add(variant[1] ?? '', module);
    }
  }
  return index;
}
