import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const stacks = new WeakMap<TestContext, (() => unknown)[]>();

/**
 * Runs `undo` when the test ends, what was registered last first, and every step though another fails. The runner's own
 * hooks go in the order of registration, which removes a directory under what still writes to it, and end at the first
 * failure, which leaves the rest running.
 * @throws at the end of the test, the first failure
 */
export function atEnd(t: TestContext, undo: () => unknown): void {
  const known = stacks.get(t);
  if (known !== undefined) {
    known.push(undo);
    return;
  }
  const stack = [undo];
  stacks.set(t, stack);
  t.after(async () => {
    const failures: unknown[] = [];
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  });
}

/** A directory of its own, without links in its path, that goes when the test ends. */
export function temporaryDirectory(t: TestContext): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'ailang-world-test-')));
  // A child that was just killed may still be writing.
  atEnd(t, () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}
