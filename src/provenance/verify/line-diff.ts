/** Lines with their ends, as latin1 text: equal text is equal bytes. */
export function linesOf(bytes: Buffer): readonly string[] {
  if (bytes.length === 0) return [];
  return bytes.toString('latin1').split(/(?<=\n)/);
}

export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** Above this many differences two files count as wholly different: the answer stays cheap, and never claims too much. */
const MAX_DIFFERENCES = 2000;

/**
 * For each line of `now`, the line of `old` it continues, or -1 where it is new. A longest common subsequence, by the
 * greedy algorithm of Myers; order is kept, so a moved line is new.
 */
export function alignLines(old: readonly string[], now: readonly string[]): Int32Array {
  const aligned = new Int32Array(now.length).fill(-1);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) {
    aligned[start] = start;
    start += 1;
  }
  let oldEnd = old.length;
  let nowEnd = now.length;
  while (oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd -= 1;
    nowEnd -= 1;
    aligned[nowEnd] = oldEnd;
  }
  alignMiddle(old.slice(start, oldEnd), now.slice(start, nowEnd), (a, b) => {
    aligned[start + b] = start + a;
  });
  return aligned;
}

function alignMiddle(old: readonly string[], now: readonly string[], match: (a: number, b: number) => void): void {
  const [n, m] = [old.length, now.length];
  if (n === 0 || m === 0) return;
  const limit = Math.min(n + m, MAX_DIFFERENCES);
  const offset = limit + 1;
  const reach = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  for (let d = 0; d <= limit; d++) {
    trace.push(reach.slice(offset - d - 1, offset + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && at(reach, offset + k - 1) < at(reach, offset + k + 1));
      let x = down ? at(reach, offset + k + 1) : at(reach, offset + k - 1) + 1;
      while (x < n && x - k < m && old[x] === now[x - k]) x += 1;
      reach[offset + k] = x;
      if (x >= n && x - k >= m) {
        walkBack(trace, n, m, match);
        return;
      }
    }
  }
}

/** Each kept row holds the diagonals from -d-1 to d+1, as they stood before step d. */
function walkBack(trace: readonly Int32Array[], n: number, m: number, match: (a: number, b: number) => void): void {
  let x = n;
  let y = m;
  for (let d = trace.length - 1; d >= 0; d--) {
    const row = trace[d] ?? new Int32Array();
    const value = (k: number): number => at(row, k + d + 1);
    const k = x - y;
    const down = k === -d || (k !== d && value(k - 1) < value(k + 1));
    const before = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : value(before);
    const fromY = d === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      match(x, y);
    }
    x = fromX;
    y = fromY;
  }
}

const at = (numbers: Int32Array, index: number): number => numbers[index] ?? 0;
