import { printable } from '../printable.js';
import type { PathVerdict } from './judge-path.js';
import type { Finding, LevelReport } from './report.js';
import type { Verdict } from './verify.js';

const SHOWN_FINDINGS = 5;
const SHOWN_NOTES = 5;

/** The verdict for people: one line per level, then what does not hold, explained. */
export function textReport(verdict: Verdict, colour: boolean): string {
  const paint = (text: string, good: boolean): string => (colour ? `\u001b[${good ? 32 : 31}m${text}\u001b[0m` : text);
  const lines: string[] = [];
  const level = (report: LevelReport): void => {
    const counts = Object.entries(report.counts).map(([name, count]) => `${count} ${name}`);
    const state = report.holds ? 'holds' : `FAILS (${report.failures})`;
    const loose = verdict.required.includes(report.level) ? '' : ' (not required)';
    lines.push(
      `${paint(report.holds ? '✓' : '✗', report.holds)} ${report.level.padEnd(10)} ${state}${loose}: ${counts.join(', ') || 'nothing to look at'}`,
    );
    for (const finding of report.findings.slice(0, SHOWN_FINDINGS)) lines.push(...explained(finding));
    if (report.failures > SHOWN_FINDINGS)
      lines.push(`    and ${report.failures - SHOWN_FINDINGS} more (--json lists them)`);
    for (const note of report.notes.slice(0, SHOWN_NOTES)) lines.push(`    note: ${note}`);
    if (report.notes.length > SHOWN_NOTES)
      lines.push(`    and ${report.notes.length - SHOWN_NOTES} more notes (--json)`);
  };
  for (const log of verdict.logs) {
    lines.push(`log ${log.ref}, world ${log.world ?? 'unknown'}, ${log.entries} entries`);
    log.levels.forEach(level);
    const { present, checked } = log.signatures;
    if (present === 0) lines.push('  signatures none present');
    else if (checked === 0) lines.push(`  signatures ${present} present, not checked (--allowed-signers <file>)`);
  }
  if (verdict.pullRequest !== null) {
    const { start, head, coverage, report } = verdict.pullRequest;
    lines.push(`pull request ${start.slice(0, 12)}..${head.slice(0, 12)}`);
    level(report);
    for (const path of coverage.paths)
      lines.push(`    ${paint(path.how === 'not-proven' ? '✗' : '✓', path.how !== 'not-proven')} ${pathLine(path)}`);
    lines.push(
      `  ${coverage.provenLines} of ${coverage.changedLines} changed lines made through World (${coverage.percent} %)`,
    );
  }
  lines.push(verdict.ok ? 'every required level holds' : 'NOT PROVEN: a required level does not hold');
  return `${lines.map(printableButColours).join('\n')}\n`;
}

function explained({ where, what, expected, found, meaning }: Finding): string[] {
  return [
    `    ${where}: ${what}`,
    `      expected  ${expected}`,
    `      found     ${found}`,
    `      means     ${meaning}`,
  ];
}

const HOW: Readonly<Record<PathVerdict['how'], string>> = {
  snapshot: 'as recorded',
  'line-endings': 'as recorded, line ends converted',
  lines: 'line by line',
  'not-proven': 'not proven',
};

function pathLine({ path, how, changed, proven, ranges, removedElsewhere, remarks }: PathVerdict): string {
  const details = [
    ...ranges.map(
      ({ lines, why }) =>
        `lines ${lines.first}-${lines.last} ${why === 'drift' ? 'changed outside every call' : 'not made through World'}`,
    ),
    ...(removedElsewhere > 0 ? [`${removedElsewhere} line(s) removed outside World`] : []),
    ...remarks,
  ];
  return `${path}: ${HOW[how]}, ${proven} of ${changed} lines${details.length > 0 ? `: ${details.join('; ')}` : ''}`;
}

/** The colours put here stay. */
function printableButColours(line: string): string {
  return line
    .split(/(\u001b\[(?:31|32|0)m)/)
    .map((part, at) => (at % 2 === 1 ? part : printable(part)))
    .join('');
}
