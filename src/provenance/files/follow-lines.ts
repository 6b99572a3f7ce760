import { alignLines } from '../verify/line-diff.js';

/** Of equal lines that went, only so many are looked at for where a moved block came from. */
const MAX_CANDIDATES = 64;

/**
 * Carries a label for each line from one version of a text to the next. A line that stays keeps its label, and so does
 * a block that moves to another place in the text; every other line gets the label of the new version. A block of
 * nothing but blanks and punctuation does not count as moved: one closing brace is like another.
 */
export function followLines<Label>(
  old: readonly string[],
  labels: readonly Label[],
  now: readonly string[],
  label: Label,
): readonly Label[] {
  const from = alignLines(old, now);
  // Lines of the old text that are spoken for.
  const taken = new Set<number>(from);
  const left = leftOver(old, taken);
  for (let at = 0; at < now.length; at += 1) {
    if ((from[at] ?? 0) >= 0) continue;
    const block = longestBlock(old, now, from, at, left, taken);
    if (!now.slice(at, at + block.length).some(isTelling)) continue;
    for (let offset = 0; offset < block.length; offset += 1) {
      from[at + offset] = block.start + offset;
      taken.add(block.start + offset);
    }
  }
  return now.map((_, at) => labels[from[at] ?? -1] ?? label);
}

/** Has a letter or a digit; any byte of a longer UTF-8 sequence counts as one. */
const isTelling = (line: string): boolean => /[A-Za-z0-9\u0080-\u00ff]/.test(line);

/** Where the lines that did not stay in place stood, by their text, first to last. */
function leftOver(old: readonly string[], stayed: ReadonlySet<number>): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, line] of old.entries()) {
    if (stayed.has(at)) continue;
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else known.push(at);
  }
  return places;
}

/** The longest run of lines that went and is the run of new lines that begins at `at`; the first of equals. */
function longestBlock(
  old: readonly string[],
  now: readonly string[],
  from: Int32Array,
  at: number,
  left: ReadonlyMap<string, readonly number[]>,
  taken: ReadonlySet<number>,
): { readonly start: number; readonly length: number } {
  const candidates = (left.get(now[at] ?? '') ?? []).filter((place) => !taken.has(place));
  let best = { start: 0, length: 0 };
  for (const start of candidates.slice(0, MAX_CANDIDATES)) {
    let length = 1;
    while (from[at + length] === -1 && now[at + length] === old[start + length] && !taken.has(start + length))
      length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}
