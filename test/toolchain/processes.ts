import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie that nobody reaps is gone for our purpose.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/** Waits until none of them is left; fails after ten seconds. */
export async function gone(pids: readonly number[]): Promise<void> {
  const until = performance.now() + 10_000;
  while (pids.some(alive)) {
    assert.ok(performance.now() < until, `still alive: ${pids.filter(alive)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
