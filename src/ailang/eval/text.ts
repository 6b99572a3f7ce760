/** Strings by code points. A string without surrogates, the usual case, is addressed by UTF-16 units directly. */
interface Indexed {
  readonly text: string;
  /** Unit offset of each code point, and the length; null when every unit is a code point. */
  readonly offsets: Uint32Array | null;
}

let last: Indexed = { text: '', offsets: null };

/** The index of the text used last is kept: programs walk one long string at a time. */
function indexed(text: string): Indexed {
  if (last.text !== text) last = { text, offsets: /[\ud800-\udfff]/.test(text) ? offsetsOf(text) : null };
  return last;
}

function offsetsOf(text: string): Uint32Array {
  const offsets: number[] = [];
  let at = 0;
  for (const character of text) {
    offsets.push(at);
    at += character.length;
  }
  offsets.push(at);
  return Uint32Array.from(offsets);
}

export function textLength(text: string): number {
  const { offsets } = indexed(text);
  return offsets === null ? text.length : offsets.length - 1;
}

/** Code points from start up to end; both are clamped. */
export function textSlice(text: string, start: number, end: number): string {
  const { offsets } = indexed(text);
  const length = offsets === null ? text.length : offsets.length - 1;
  const from = Math.min(Math.max(start, 0), length);
  const to = Math.min(Math.max(end, from), length);
  return offsets === null ? text.slice(from, to) : text.slice(offsets[from], offsets[to]);
}

export const characters = (text: string): string[] => (indexed(text).offsets === null ? text.split('') : [...text]);

/** The code point index of a unit offset; -1 stays -1. */
export function pointIndex(text: string, unit: number): number {
  const { offsets } = indexed(text);
  if (offsets === null || unit < 0) return unit;
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) < unit) low = middle + 1;
    else high = middle;
  }
  return low;
}
