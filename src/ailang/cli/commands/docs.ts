import { goJson } from '../../policy/go-text.js';
import { parseArguments } from './arguments.js';
import { type Command, printed, UsageError } from './context.js';
import { referencePage, searchReference, sharedWords } from './reference.js';

const excerptLines = 14;
const excerpts = 3;

/** `docs search [--json] [--limit N] <query>` over the reference that ships with the package; never the network. */
export const docsCommand: Command = ([sub, ...args]) => {
  if (sub !== 'search') throw new UsageError('docs takes search');
  const { flags, positionals } = parseArguments(args, { json: 'boolean', limit: 'string' });
  if (positionals.length === 0) throw new UsageError('query is missing');
  const limit = Number(flags.limit ?? '10');
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit is a positive number');
  const query = positionals.join(' ');
  const { total, hits } = searchReference(query);
  const shown = hits.slice(0, limit);
  if (flags.json) {
    const results = shown.map(({ section, score }) => ({ ...section, score: Number(score.toFixed(4)) }));
    return printed(`${goJson({ stats: { total_docs: total }, results }, 2)}\n`);
  }
  const lines = [`🔍 Search: "${query}"`, `   Scanned: ${total} docs`, ''];
  if (shown.length === 0) lines.push('No matching documents found.');
  shown.forEach(({ section, score }, index) => {
    lines.push(`${index + 1}. ${section.path} (${score.toFixed(2)})`, `   ${section.title}`);
    if (index < excerpts) lines.push(...excerpt(section.text, query));
  });
  return printed(`${lines.join('\n')}\n`);
};

/** The agent has no other way to open a page, so the best hits come with their text, or the part that fits best. */
function excerpt(text: string, query: string): string[] {
  const lines = text.split('\n');
  const shared = lines.map((line) => sharedWords(line, query));
  const best = shared.indexOf(Math.max(...shared));
  const from = best < excerptLines ? 0 : Math.min(best - 2, lines.length - excerptLines);
  const shown = lines.slice(from, from + excerptLines).map((line) => (line === '' ? '' : `     ${line}`));
  const more = (isCut: boolean): string[] => (isCut ? ['     …'] : []);
  return ['', ...more(from > 0), ...shown, ...more(from + excerptLines < lines.length), ''];
}

export const promptCommand: Command = (args) => {
  parseArguments(args, {});
  return printed(referencePage('prompt.md'));
};

export const devtoolsPromptCommand: Command = (args) => {
  parseArguments(args, {});
  return printed(referencePage('devtools-prompt.md'));
};

export const agentPromptCommand: Command = (args) => {
  parseArguments(args, {});
  return printed(referencePage('agent-prompt.md'));
};
