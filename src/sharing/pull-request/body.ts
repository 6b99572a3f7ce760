import { printable } from '../../provenance/printable.js';
import type { PathVerdict } from '../../provenance/verify/judge-path.js';
import type { Verdict } from '../../provenance/verify/verify.js';
import type { Account } from './account.js';

export interface BodyFacts {
  readonly goal: string;
  readonly episode: string;
  readonly world: string;
  readonly first: number;
  readonly last: number;
  readonly account: Account;
  readonly verdict: Verdict;
  /** The trailer's line. */
  readonly trailer: string;
}

/**
 * Fills `{{goal}}`, `{{summary}}`, `{{calls}}`, `{{budgets}}`, `{{checks}}`, `{{coverage}}` and `{{trailer}}` of a
 * template. The trailer is the last paragraph, also where the template forgets it.
 */
export function bodyText(template: string, facts: BodyFacts): string {
  const { account, verdict, goal, trailer } = facts;
  const parts: Readonly<Record<string, string>> = {
    goal,
    summary: `${account.calls} calls of episode ${code(facts.episode)}, entries ${facts.first} to ${facts.last} of world ${code(facts.world)}`,
    calls: table(
      ['tool', 'calls', 'refused, denied or failed'],
      [...account.tools].map(([tool, { calls, stopped }]) => [code(tool), calls, stopped]),
    ),
    budgets: table(
      ['effect', 'spent', 'granted'],
      account.budgets.map(({ effect, spent, granted }) => [code(effect), spent, granted]),
    ),
    checks:
      account.checks.length === 0
        ? 'Nothing was checked, proven or run.'
        : table(
            ['file', 'by', 'newest result', 'entry'],
            account.checks.map(({ file, what, result, entry }) => [code(file), code(what), result, entry]),
          ),
    coverage: coverage(verdict),
    trailer: '',
  };
  const text = template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => parts[name] ?? whole);
  return `${text.replace(/\n{3,}/g, '\n\n').trim()}\n\n${trailer}\n`;
}

function coverage(verdict: Verdict): string {
  const levels = verdict.logs.flatMap((log) => log.levels).filter(({ level }) => verdict.required.includes(level));
  const states = levels.map(({ level, holds }) => `${level} ${holds ? 'holds' : 'FAILS'}`).join(', ');
  const found = verdict.pullRequest?.coverage;
  if (found === undefined) return states;
  const rows = found.paths.map(({ path, changed, proven, how, remarks }) => [
    code(path),
    `${proven} of ${changed}`,
    [HOW[how], ...remarks].map(cell).join('; '),
  ]);
  const total = `${found.provenLines} of ${found.changedLines} changed lines made through World (${found.percent} %); ${states}.`;
  return `${total}\n\n${table(['file', 'lines made through World', 'how'], rows)}`;
}

const HOW: Readonly<Record<PathVerdict['how'], string>> = {
  snapshot: 'as recorded',
  'line-endings': 'as recorded, line ends converted',
  lines: 'line by line',
  'not-proven': 'not proven',
};

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const cell = (text: string): string => printable(text).replaceAll('|', '\\|');

/** Names from the log must stay names: no markup, no second column. */
const code = (text: string): string => `\`${cell(text).replaceAll('`', "'")}\``;
