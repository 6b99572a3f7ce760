import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/ailang/package-root.js';

/** An executable that speaks the official protocol. The real binary is not available here; see `test/fixtures/official`. */
export function fakeOfficial(directory: string): string {
  const template = readFileSync(join(packageRoot(), 'test/fixtures/official/fake-ailang'), 'utf8');
  const file = join(directory, 'ailang');
  const text = template
    .replace('@NODE@', process.execPath)
    .replace('@PROGRAM@', join(packageRoot(), 'dist', 'ailang.js'));
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}
