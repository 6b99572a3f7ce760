import { goJson } from '../../policy/go-text.js';
import type { CommandOutcome } from '../../policy/policy-tool.js';
import { only, parseArguments } from './arguments.js';
import { type Command, failed, printed, UsageError } from './context.js';
import { Corpus, CorpusError, type Example } from './corpus.js';

/** `examples search|list|show|tags [--json]` (ailang-cli section 9). */
export const examplesCommand: Command = ([sub, ...args], context) => {
  try {
    const corpus = new Corpus(context.examples);
    if (sub === 'search') return search(corpus, args);
    if (sub === 'list') return list(corpus, args);
    if (sub === 'show') return show(corpus, args);
    if (sub === 'tags') return tags(corpus, args);
  } catch (error) {
    if (error instanceof CorpusError) return failed(error.message);
    throw error;
  }
  throw new UsageError('examples takes search, list, show or tags');
};

/** What a program may want to know of an example. */
const about = ({ path, status, tags, description }: Example): object => ({ path, status, tags, description });

const json = (document: object): CommandOutcome => printed(`${goJson(document, 2)}\n`);

function search(corpus: Corpus, args: readonly string[]): CommandOutcome {
  const { flags, positionals } = parseArguments(args, { json: 'boolean' });
  if (positionals.length === 0) throw new UsageError('query is missing');
  const query = positionals.join(' ');
  const hits = corpus.search(query);
  if (flags.json)
    return json({ query, results: hits.map(({ example, score, where }) => ({ ...about(example), score, where })) });
  const lines = [`🔍 Search: "${query}"`, `   Found ${hits.length} examples`, ''];
  hits.forEach(({ example, score, where }, index) => {
    lines.push(`${index + 1}. ${example.path} (${score.toFixed(2)}, ${where})`);
    lines.push(`   ${example.description}`, tagLine(example), '');
  });
  return printed(`${lines.join('\n')}\n`);
}

const tagLine = ({ tags }: Example): string => `   Tags: ${tags.join(', ')}`;

function list(corpus: Corpus, args: readonly string[]): CommandOutcome {
  const { flags, positionals } = parseArguments(args, { json: 'boolean', status: 'string', tags: 'string' });
  if (positionals.length > 0) throw new UsageError('examples list takes flags only');
  const status = flags.status ?? 'working';
  if (!['working', 'broken', 'all'].includes(status)) throw new UsageError('--status is working, broken or all');
  const wanted = flags.tags?.split(',').map((tag) => tag.trim().toLowerCase());
  const chosen = corpus.examples.filter(
    (example) =>
      (status === 'all' || example.status === status) &&
      (wanted === undefined || example.tags.some((tag) => wanted.includes(tag.toLowerCase()))),
  );
  if (flags.json) return json({ count: chosen.length, examples: chosen.map(about) });
  const lines = [`📚 AILANG Examples (${chosen.length}/${corpus.examples.length})`, ''];
  for (const example of chosen) {
    lines.push(`${example.status === 'working' ? '✅' : '⚠️'} ${example.path}`);
    lines.push(`   ${example.description}`, tagLine(example), '');
  }
  return printed(`${lines.join('\n')}\n`);
}

const rule = '─'.repeat(60);

function show(corpus: Corpus, args: readonly string[]): CommandOutcome {
  const { flags, positionals } = parseArguments(args, { json: 'boolean' });
  const name = only(positionals, 'name');
  const example = corpus.find(name);
  if (example === undefined) return failed(`example not found: ${name} (examples list names them all)`);
  const source = corpus.source(example);
  if (flags.json) return json({ ...about(example), source, expected: example.expected ?? null });
  const lines = [`📄 ${example.path}`, example.description, tagLine(example).trim(), rule, source.trimEnd(), rule];
  const expected = example.expected?.stdout;
  if (expected !== undefined) lines.push('📤 Expected output:', expected.trimEnd());
  return printed(`${lines.join('\n')}\n`);
}

function tags(corpus: Corpus, args: readonly string[]): CommandOutcome {
  const { flags } = parseArguments(args, { json: 'boolean' });
  const counts = new Map<string, number>();
  for (const example of corpus.examples) for (const tag of example.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  if (flags.json) return json({ tags: sorted.map(([tag, count]) => ({ tag, count })) });
  const lines = sorted.map(([tag, count]) => `  ${tag.padEnd(25)} (${count} examples)`);
  return printed(`🏷️  Available tags:\n\n${lines.join('\n')}\n\nUsage: ailang examples list --tags <tag>\n`);
}
