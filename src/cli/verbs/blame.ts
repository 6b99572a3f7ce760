import { type BlamedLine, blame, episodeFor } from '../../provenance/files/blame.js';
import { type FileHistories, readHistories } from '../../provenance/files/histories.js';
import { printable } from '../../provenance/printable.js';
import { openCheckedObjects } from '../../provenance/verify/checked-objects.js';
import type { Origin } from '../../provenance/verify/history.js';
import { expectPositionals, parseFlags, parseWholeNumber, usageError } from '../arguments.js';
import { EXIT_OK } from '../exit-codes.js';
import { findLog, findRepository } from '../local-log.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] blame <path> [--episode <name>] [--entry <n>] [--porcelain | --json]
         [--repo <dir>] [--ref <ref>]

For each line of a file, the entry that wrote it: a call with its tool, a program that a call ran, drift (outside every
call), or base (it was there when the episode began). A block that moves within the file keeps its entry.
  <path>            from the root of the repository
  --episode <name>  default: the one that changed the file last (before or at --entry)
  --entry <n>       the file as it was after this entry (default: the newest)
  --porcelain       per line: "<entry or -> <line>", then by, tool, time and episode, a line each, then a tab and the text
  --json            {path, episode, lines: [{line, by, entry, tool, time, text}]}, times in Unix seconds
  --repo <dir>      the repository (default: the current directory; with --addr, the daemon's)
  --ref <ref>       the log's ref (default: refs/world/log, else the only one fetched)`,

  async run(call) {
    const { values, positionals } = parseFlags(call.args, {
      episode: { type: 'string' },
      entry: { type: 'string' },
      porcelain: { type: 'boolean' },
      json: { type: 'boolean' },
      repo: { type: 'string' },
      ref: { type: 'string' },
    });
    expectPositionals(positionals, 1, 1, '<path>');
    if (values.porcelain && values.json) throw usageError('--porcelain and --json do not mix');
    const path = (positionals[0] ?? '').replace(/^(?:\.\/)+/, '');
    const upTo =
      values.entry === undefined
        ? Number.POSITIVE_INFINITY
        : parseWholeNumber(values.entry, '--entry', { min: 0, max: Number.MAX_SAFE_INTEGER });
    const repository = await findRepository(call, values.repo);
    const { tip } = await findLog(repository, values.ref);
    const objects = openCheckedObjects(repository);
    try {
      const histories = await readHistories(repository, objects, tip, path);
      const history = episodeFor(histories, path, values.episode, upTo);
      const lines = rowsOf(await blame(objects, history, path, upTo), histories);
      const { stdout, colour } = call.io;
      const { episode } = history;
      if (values.json) stdout.write(`${JSON.stringify({ path, episode, lines: lines.map(asJson) })}\n`);
      else if (values.porcelain)
        stdout.write(Buffer.from(lines.map((row) => porcelain(row, episode)).join(''), 'latin1'));
      else stdout.write(table(lines, episode, colour));
      return EXIT_OK;
    } finally {
      await objects.close();
    }
  },
};

interface Row {
  readonly line: number;
  /** latin1: one character per byte. */
  readonly text: string;
  readonly by: Origin['by'];
  readonly entry: number | null;
  readonly tool: string | null;
  /** Unix seconds of the entry. */
  readonly time: number | null;
}

function rowsOf(lines: readonly BlamedLine[], { times }: FileHistories): readonly Row[] {
  return lines.map(({ text, origin }, at) => {
    const entry = origin.by === 'base' ? null : origin.entry;
    const tool = 'tool' in origin ? origin.tool : null;
    return { line: at + 1, text, by: origin.by, entry, tool, time: entry === null ? null : (times.get(entry) ?? null) };
  });
}

const asJson = (row: Row) => ({ ...row, text: bytesOf(row).toString() });

const bytesOf = ({ text }: Row): Buffer => Buffer.from(text.replace(/\n$/, ''), 'latin1');

function porcelain({ line, text, by, entry, tool, time }: Row, episode: string): string {
  const facts = [`by ${by}`, ...(tool === null ? [] : [`tool ${tool}`]), ...(time === null ? [] : [`time ${time}`])];
  return [`${entry ?? '-'} ${line}`, ...facts, `episode ${episode}`, `\t${text.replace(/\n$/, '')}`, ''].join('\n');
}

const DIM = '\u001b[2m';
const RED = '\u001b[31m';
const PLAIN = '\u001b[0m';

/** As git's blame lays it out: who, when, which line, the text. */
function table(rows: readonly Row[], episode: string, colour: boolean): string {
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
  const names = rows.map(nameOf);
  const [nameWidth, lineWidth] = [widest(names), String(rows.length).length];
  return rows
    .map((row, at) => {
      const when =
        row.time === null ? ' '.repeat(16) : new Date(row.time * 1000).toISOString().slice(0, 16).replace('T', ' ');
      const head = `${(names[at] ?? '').padEnd(nameWidth)} (${episode} ${when} ${String(row.line).padStart(lineWidth)}) `;
      // A terminal would obey what a file holds; --porcelain and --json have it as it is.
      const text = bytesOf(row).toString().split('\t').map(printable).join('\t');
      const paint = !colour ? '' : row.by === 'base' ? DIM : row.by === 'drift' ? RED : '';
      return `${paint}${head}${paint === '' ? '' : PLAIN}${text}\n`;
    })
    .join('');
}

function nameOf({ by, entry, tool }: Row): string {
  if (by === 'base') return 'base';
  if (by === 'drift') return `#${entry} drift`;
  return by === 'program' ? `#${entry} ${tool} (program)` : `#${entry} ${tool}`;
}
