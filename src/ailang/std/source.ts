import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.js';

const directory = (): string => join(packageRoot(), 'src', 'ailang', 'std');
const cache = new Map<string, string | null>();

/** The AILANG text of `std/<name>`, or null when there is no such module. */
export function stdSource(module: string): string | null {
  const known = cache.get(module);
  if (known !== undefined) return known;
  const name = /^std\/([a-z][a-z0-9]*)$/.exec(module)?.[1];
  const file = name === undefined ? null : join(directory(), `${name}.ail`);
  const text = file !== null && existsSync(file) ? readFileSync(file, 'utf8') : null;
  cache.set(module, text);
  return text;
}

/** Paths of all library modules, sorted. */
export function stdModules(): readonly string[] {
  return readdirSync(directory())
    .filter((name) => name.endsWith('.ail'))
    .map((name) => `std/${name.slice(0, -'.ail'.length)}`)
    .sort();
}
