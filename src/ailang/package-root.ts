import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | undefined;

/** The directory of this package, whether the code runs from a bundle or from compiled sources. */
export function packageRoot(): string {
  if (found !== undefined) return found;
  let directory = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const manifest = join(directory, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'ailang-world') {
      found = directory;
      return directory;
    }
    const parent = dirname(directory);
    if (parent === directory) throw new Error('the ailang-world package directory was not found above its own code');
    directory = parent;
  }
}
