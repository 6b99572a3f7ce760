import { type Finding, LEVELS } from './report.js';
import type { Verdict } from './verify.js';

function findingsOf(verdict: Verdict): readonly Finding[] {
  const reports = [
    ...verdict.logs.flatMap(({ levels }) => levels),
    ...(verdict.pullRequest === null ? [] : [verdict.pullRequest.report]),
  ];
  return reports.filter(({ level }) => verdict.required.includes(level)).flatMap(({ findings }) => findings);
}

function sentence({ where, what, expected, found, meaning }: Finding): string {
  return `${where}: ${what}. Expected: ${expected}. Found: ${found}. ${meaning}`;
}

/** Workflow commands of GitHub Actions: one annotation per finding, on its lines where it has some. */
export function githubReport(verdict: Verdict): string {
  const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const lines = findingsOf(verdict).map((finding) => {
    const { file, lines, level } = finding;
    const place = file === null ? [] : [`file=${property(file)}`];
    const range = lines === null ? [] : [`line=${lines.first}`, `endLine=${lines.last}`];
    const title = file === null ? `World log: ${level} does not hold` : 'Not made through World';
    return `::error ${[...place, ...range, `title=${property(title)}`].join(',')}::${data(sentence(finding))}`;
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** SARIF 2.1.0, as code scanning takes it. */
export function sarifReport(verdict: Verdict, version: string): string {
  const rules = LEVELS.map((level) => ({ id: `world/${level}`, shortDescription: { text: RULES[level] } }));
  const results = findingsOf(verdict).map((finding) => {
    const { file, lines } = finding;
    const region = lines === null ? {} : { region: { startLine: lines.first, endLine: lines.last } };
    const location =
      file === null
        ? { logicalLocations: [{ fullyQualifiedName: finding.where }] }
        : {
            physicalLocation: {
              artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
              ...region,
            },
          };
    return {
      ruleId: `world/${finding.level}`,
      level: 'error',
      message: { text: sentence(finding) },
      locations: [location],
    };
  });
  const driver = { name: 'ailang-worldd verify', version, rules };
  const run = { tool: { driver }, results, columnKind: 'utf16CodeUnits' };
  const sarif = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(sarif, null, 2)}\n`;
}

const RULES: Readonly<Record<(typeof LEVELS)[number], string>> = {
  chain: 'The log is the one that was written: parents, indices, hashes and files',
  authority: 'Every effect was granted, and every budget step follows',
  trees: 'Every change of files is explained by a recorded effect',
  replay: 'Plan and finish give the recorded bytes again',
  signatures: 'Whoever may sign vouches for every entry',
  pr: 'Every changed line came from a recorded call',
};
