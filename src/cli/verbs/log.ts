import { expectPositionals, parseFlags, parseWholeNumber, usageError } from '../arguments.js';
import { entriesFrom } from '../client/follow.js';
import { LogClient } from '../client/log-lines.js';
import { optionalToken } from '../client/token.js';
import { EXIT_OK } from '../exit-codes.js';
import { suggest } from '../suggest.js';
import type { VerbCall, VerbModule } from '../verb.js';

const TAIL_ENTRIES = 20;
const ANY_INDEX = { min: 0, max: Number.MAX_SAFE_INTEGER };

const ACTIONS: Readonly<Record<string, (call: VerbCall) => Promise<number>>> = { tail, get: getEntry, range };

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd [--addr <url>] log tail [--from <n>] [--follow] [--interval <time>] [--raw]
       ailang-worldd [--addr <url>] log get <index>
       ailang-worldd [--addr <url>] log range --from <n> [--limit <m>]

tail prints one line per entry, the last ${TAIL_ENTRIES} unless --from is given:
  #<index> <8 hex of entry hash> <written by> <episode> <tool> [<effect> <status>]
  --follow          go on as entries arrive; a restart of the daemon is ridden over
  --interval <time> how often to ask when following, such as 500ms or 2s (default 1s)
  --raw             the entries as JSON
get and range print what the daemon answers. All take --session <file> (default: WORLD_SESSION).`,

  async run(call) {
    const [name = '', ...args] = call.args;
    const action = ACTIONS[name];
    if (action === undefined) {
      const near = suggest(name, Object.keys(ACTIONS));
      throw usageError(
        name === '' ? 'log needs a verb: tail, get or range' : `unknown log verb "${name}"`,
        near && `did you mean "log ${near}"?`,
      );
    }
    return action({ ...call, args });
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

function parseInterval(text: string): number {
  const match = /^(\d{1,6})(ms|s|m)?$/.exec(text);
  const unit = { ms: 1, s: 1_000, m: 60_000 }[match?.[2] ?? 's'] ?? 1_000;
  const value = Number(match?.[1]) * unit;
  if (match === null || value < 10 || value > 3_600_000)
    throw usageError(`--interval must be a time from 10ms to 60m such as 500ms or 2s, not "${text}"`);
  return value;
}
