import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../ailang/package-root.js';

/** Version of this package, as its package.json says. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  return version;
}
