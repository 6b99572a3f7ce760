import { summaryLine } from '../../provenance/entry-summary.js';
import { listEntries } from '../../provenance/list-entries.js';
import { printable } from '../../provenance/printable.js';
import { expectPositionals, parseFlags, parseWholeNumber, usageError } from '../arguments.js';
import { entriesFrom } from '../client/follow.js';
import { LogClient } from '../client/log-lines.js';
import { optionalToken } from '../client/token.js';
import { EXIT_OK } from '../exit-codes.js';
import { findLog, findRepository } from '../local-log.js';
import { runSubVerb, type SubVerbs } from '../sub-verb.js';
import type { VerbCall, VerbModule } from '../verb.js';

const TAIL_ENTRIES = 20;
const ANY_INDEX = { min: 0, max: Number.MAX_SAFE_INTEGER };

const ACTIONS: SubVerbs = { tail, list, get: getEntry, range };

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] log tail [--from <n>] [--follow] [--interval <time>] [--raw]
       ailang-worldd [--addr <url>] log [list] [<filter>…] [--limit <n>] [--reverse] [--json] [--repo <dir>] [--ref <ref>]
       ailang-worldd [--addr <url>] log get <index>
       ailang-worldd [--addr <url>] log range --from <n> [--limit <m>]

tail prints one line per entry, the last ${TAIL_ENTRIES} unless --from is given:
  #<index> <8 hex of entry hash> <written by> <episode> <tool> [<effect> <status>]
  --follow          go on as entries arrive; a restart of the daemon is ridden over
  --interval <time> how often to ask when following, such as 500ms or 2s (default 1s)
  --raw             the entries as JSON
list reads git, with or without a daemon: a time and such a line per entry, newest first. Filters, all of which must hold:
  --episode <name>  --tool <tool or act>  --effect <effect>  --path <file or folder that was named or changed>
  --status <s>      ok, refused, failed, denied, or one denial such as denied:budget
  --since <when>    --until <when>: a time such as 2026-12-01T09:30Z, or how long ago: 90s, 30m, 2h, 7d
  --limit <n>       at most so many
  --reverse         oldest first
  --json            one JSON object per line
  --repo <dir>      the repository (default: the current directory; with --addr, the daemon's)
  --ref <ref>       the log's ref (default: refs/world/log, else the only one fetched)
get and range print what the daemon answers. All but list take --session <file> (default: WORLD_SESSION).`,

  async run(call) {
    if (call.args[0]?.startsWith('--')) return list(call);
    return runSubVerb('log', ACTIONS, call);
  },
};

async function tail({ args, addr, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, {
    from: { type: 'string' },
    follow: { type: 'boolean' },
    interval: { type: 'string' },
    raw: { type: 'boolean' },
    session: { type: 'string' },
  });
  expectPositionals(positionals, 0, 0, 'no arguments');
  const intervalMs = parseInterval(values.interval ?? '1s');
  const client = new LogClient(addr, await optionalToken(values.session, io));
  const from =
    values.from === undefined
      ? Math.max(0, (await client.headIndex()) - TAIL_ENTRIES + 1)
      : parseWholeNumber(values.from, '--from', ANY_INDEX);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  // Nobody reads any more.
  io.stdout.once('error', onSignal);
  try {
    const report = (line: string): void => void io.stderr.write(`ailang-worldd: ${line}\n`);
    const entries = entriesFrom(client, from, {
      follow: values.follow === true,
      intervalMs,
      signal: stop.signal,
      report,
    });
    for await (const entry of entries)
      io.stdout.write(`${values.raw ? JSON.stringify(entry) : await client.line(entry)}\n`);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    io.stdout.off('error', onSignal);
  }
  return EXIT_OK;
}

async function list(call: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(call.args, {
    episode: { type: 'string' },
    tool: { type: 'string' },
    effect: { type: 'string' },
    status: { type: 'string' },
    path: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    limit: { type: 'string' },
    reverse: { type: 'boolean' },
    json: { type: 'boolean' },
    repo: { type: 'string' },
    ref: { type: 'string' },
  });
  expectPositionals(positionals, 0, 0, 'no arguments');
  const { episode, tool, effect, status, path } = values;
  const now = Date.now() / 1000;
  const times = { since: parseWhen(values.since, '--since', now), until: parseWhen(values.until, '--until', now) };
  const limit =
    values.limit === undefined ? Number.POSITIVE_INFINITY : parseWholeNumber(values.limit, '--limit', ANY_INDEX);
  const repository = await findRepository(call, values.repo);
  const { tip } = await findLog(repository, values.ref);
  let left = limit;
  if (left === 0) return EXIT_OK;
  const filter = { episode, tool, effect, status, path: path?.replace(/^(?:\.\/)+/, ''), ...times };
  for await (const entry of listEntries(repository, tip, filter, values.reverse === true)) {
    const when = new Date(entry.time * 1000).toISOString().slice(0, 16).replace('T', ' ');
    call.io.stdout.write(`${values.json ? JSON.stringify(entry) : printable(`${when} ${summaryLine(entry)}`)}\n`);
    left -= 1;
    if (left <= 0) break;
  }
  return EXIT_OK;
}

async function getEntry({ args, addr, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, { session: { type: 'string' } });
  expectPositionals(positionals, 1, 1, '<index>');
  const index = parseWholeNumber(positionals[0] ?? '', 'the index', ANY_INDEX);
  const client = new LogClient(addr, await optionalToken(values.session, io));
  io.stdout.write(`${(await client.entry(index)).trim()}\n`);
  return EXIT_OK;
}

async function range({ args, addr, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, {
    from: { type: 'string' },
    limit: { type: 'string' },
    session: { type: 'string' },
  });
  expectPositionals(positionals, 0, 0, 'no arguments');
  if (values.from === undefined) throw usageError('log range needs --from <n>');
  const from = parseWholeNumber(values.from, '--from', ANY_INDEX);
  const limit = parseWholeNumber(values.limit ?? '100', '--limit', { min: 1, max: 500 });
  const client = new LogClient(addr, await optionalToken(values.session, io));
  io.stdout.write(`${(await client.range(from, limit)).trim()}\n`);
  return EXIT_OK;
}

/** @returns Unix seconds */
function parseWhen(text: string | undefined, name: string, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ago = /^(\d{1,9})(s|m|h|d)$/.exec(text);
  if (ago !== null) return now - Number(ago[1]) * ({ s: 1, m: 60, h: 3600, d: 86_400 }[ago[2] ?? 's'] ?? 1);
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw usageError(`${name} must be a time such as 2026-12-01T09:30Z, or 2h or 7d ago, not "${text}"`);
  return time / 1000;
}

function parseInterval(text: string): number {
  const match = /^(\d{1,6})(ms|s|m)?$/.exec(text);
  const unit = { ms: 1, s: 1_000, m: 60_000 }[match?.[2] ?? 's'] ?? 1_000;
  const value = Number(match?.[1]) * unit;
  if (match === null || value < 10 || value > 3_600_000)
    throw usageError(`--interval must be a time from 10ms to 60m such as 500ms or 2s, not "${text}"`);
  return value;
}
