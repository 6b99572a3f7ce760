import { alignLines } from '../verify/line-diff.js';

/**
 * Carries a label for each line from one version of a text to the next. A line that stays keeps its label, also when
 * it moves to another place in the text; every other line gets the label of the new version. Blank lines do not count
 * as moved: one is like another.
 */
export function followLines<Label>(
  old: readonly string[],
  labels: readonly Label[],
  now: readonly string[],
  label: Label,
): readonly Label[] {
  const continued = alignLines(old, now);
  const moved = leftOver(old, new Set(continued));
  return now.map((line, at) => {
    const from = continued[at] ?? -1;
    return labels[from >= 0 ? from : (moved.get(line)?.shift() ?? -1)] ?? label;
  });
}

/** Where the lines that did not stay in place stood, by their text, first to last. */
function leftOver(old: readonly string[], stayed: ReadonlySet<number>): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, line] of old.entries()) {
    if (stayed.has(at) || line.trim() === '') continue;
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else known.push(at);
  }
  return places;
}
