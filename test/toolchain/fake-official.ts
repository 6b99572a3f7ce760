import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { packageRoot } from '../../src/ailang/package-root.js';
import { scratch } from '../ailang/policy/scratch.js';

/** An executable that speaks the official protocol. The real binary is not available here; see `test/fixtures/official`. */
export function fakeOfficial(t: TestContext): string {
  const template = readFileSync(join(packageRoot(), 'test/fixtures/official/fake-ailang'), 'utf8');
  const file = join(scratch(t), 'ailang');
  const text = template
    .replace('@NODE@', process.execPath)
    .replace('@PROGRAM@', join(packageRoot(), 'dist', 'ailang.js'));
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}
