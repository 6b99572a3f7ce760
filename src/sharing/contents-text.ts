import type { Amount, Contents } from './contents.js';

/** What the entries show to whoever gets them, line by line, for a person to decide on. */
export function contentsText(contents: Contents): string {
  const { calls, episodes } = contents;
  const of = (...tools: string[]): number =>
    calls.reduce((sum, [tool, count]) => sum + (tools.includes(tool) ? count : 0), 0);
  const rows: readonly (readonly [string, string])[] = [
    ['entries', `${contents.entries}${episodes.length === 0 ? '' : ` (episodes ${episodes.join(', ')})`}`],
    [
      'arguments',
      `${amount(contents.arguments)}: what callers sent${holding(of('ailang-write', 'ailang-edit'), 'whole or partial contents of files')}`,
    ],
    [
      'outputs',
      `${amount(contents.outputs)}: what callers received${holding(of('ailang-read'), 'contents of files read')}${holding(of('ailang-run'), 'output of programs')}`,
    ],
    [
      'files',
      `${amount(contents.files)}: every recorded version of the files in the worktrees, untracked ones included`,
    ],
    ['records', `${amount(contents.records)}: who was granted what, when, by whom; tool sources`],
    ['size', `at most ${bytesText(contents.packed)} packed`],
  ];
  return rows.map(([name, text]) => `  ${name.padEnd(10)}${text}\n`).join('');
}

function holding(calls: number, what: string): string {
  return calls === 0 ? '' : `, ${what} in ${calls} call${calls === 1 ? '' : 's'}`;
}

const amount = ({ objects, bytes }: Amount): string => `${bytesText(bytes)} in ${objects} objects`;

/** Decimal units, one digit. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${['B', 'kB', 'MB', 'GB'][power]}`;
}
