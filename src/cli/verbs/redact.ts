import { resolve } from 'node:path';
import { planRedaction, redact } from '../../daemon/redact.js';
import { NO_ALLOWANCE } from '../../episode/policy.js';
import { WorldError } from '../../errors.js';
import { openRepository } from '../../git/repository.js';
import type { EntryIndex, Redaction, Sha256Ref } from '../../log/types.js';
import { expectPositionals, parseFlags, parseWholeNumber, usageError } from '../arguments.js';
import { EXIT_OK, EXIT_USAGE } from '../exit-codes.js';
import type { Io, VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd redact (<sha256:ref> | --entry <n>)… --reason <text> [--yes] [--sign-key <file>] [--repo <dir>]

Takes payloads out of the log for good: what callers sent and received (input, plan, output, requests and results of
effects). An entry says who took out what and why; in the place of each stands a marker with its ref and size. The chain,
every hash and every other proof stay valid; commit ids from the first such entry on become new, and the bytes leave the
repository's objects. Records, grants, budgets and snapshots of files are never redacted. Stop the daemon first.
  <sha256:ref>       the payload with this hash, in whatever entries it stands
  --entry <n>        every payload of an entry; may be repeated
  --reason <text>    why; it stays in the log
  --sign-key <file>  the key that signs entries again, when they are signed (default: git config world.signKey)
  --yes              do it without being asked
Clones and remotes that have the log keep the bytes: see docs/sharing.md. Exit 1 when bytes could not be removed here.`,

  async run({ args, io }) {
    const { values, positionals } = parseFlags(args, {
      entry: { type: 'string', multiple: true },
      reason: { type: 'string' },
      yes: { type: 'boolean' },
      'sign-key': { type: 'string' },
      repo: { type: 'string' },
    });
    const entries = (values.entry ?? []).map(
      (text) => parseWholeNumber(text, '--entry', { min: 0, max: Number.MAX_SAFE_INTEGER }) as EntryIndex,
    );
    if (entries.length === 0)
      expectPositionals(positionals, 1, Number.POSITIVE_INFINITY, '<sha256:ref> or --entry <n>');
    const wrong = positionals.find((text) => !/^sha256:[0-9a-f]{64}$/.test(text));
    if (wrong !== undefined) throw usageError(`"${wrong}" is no sha256: ref`);
    const reason = values.reason?.trim() ?? '';
    if (reason === '')
      throw usageError('redact needs --reason <text>', 'it stays in the log, beside who did it and when');
    const repository = await openRepository(resolve(io.cwd, values.repo ?? '.'));
    const plan = await planRedaction(repository, { refs: positionals as Sha256Ref[], entries });
    const { redactions, staying, elsewhere } = plan;
    for (const line of redactions.map(loss)) io.stderr.write(`  ${line}\n`);
    for (const { entry, path } of staying)
      io.stderr.write(`  entry ${entry} ${path} stays; it may repeat what the others said\n`);
    for (const { ref, entries: others } of elsewhere)
      io.stderr.write(`  ${ref} stands in entries ${others.join(', ')}, too, and stays there\n`);
    io.stderr.write('  versions of files in the snapshots of the worktrees stay\n');
    if (!values.yes) await consent(io);
    const signKey = values['sign-key'];
    const { act, before, after, left, journals } = await redact(repository, plan, reason, {
      directory: repository.worktree ?? repository.commonDir,
      ...{ workspaceRoot: undefined, examples: 'none', allowance: NO_ALLOWANCE, env: io.env },
      ...(signKey === undefined ? {} : { signKey: resolve(io.cwd, signKey) }),
      report: (line) => void io.stderr.write(`${line}\n`),
    });
    io.stdout.write(
      `redacted ${redactions.length} payload(s); entry ${act} says so\n  the log was ${before}, now it is ${after}\n  clones and remotes that have it keep the bytes, and hold another history now: docs/sharing.md\n`,
    );
    for (const file of journals) io.stderr.write(`ailang-worldd: ${file} may hold the bytes: remove it\n`);
    if (left.length === 0) return journals.length === 0 ? EXIT_OK : EXIT_USAGE;
    io.stderr.write(
      `ailang-worldd: ${left.length} object(s) of the old history are still here, because something else holds them\n` +
        `  other refs, an alternate or a pack with a .keep file: ${left.slice(0, 3).join(', ')}\n`,
    );
    return EXIT_USAGE;
  },
};

const LOST: readonly (readonly [RegExp, string])[] = [
  [/^input\.json$/, 'the arguments of the call; it cannot be replayed'],
  [/^plan\.json$/, 'what the plan asked for beyond effect, scope and cost; it cannot be replayed'],
  [/^output\.json$/, 'what the caller received; it cannot be replayed'],
  [/\/request$/, 'the payload of the effect; a change of files it made is no longer explained by it'],
  [/\/result\.json$/, 'what the effect answered; a change of files it made is no longer explained by it'],
];

function loss({ entry, path, bytes }: Redaction): string {
  const what = LOST.find(([pattern]) => pattern.test(path))?.[1] ?? 'its content';
  return `entry ${entry} ${path} (${bytes} B): can no longer be shown: ${what}`;
}

async function consent({ ask }: Io): Promise<void> {
  const refused = (hint: string): WorldError => new WorldError('consent-missing', 'nothing was redacted', { hint });
  if (ask === null) throw refused('it cannot be undone; to do it all the same: --yes');
  if (!/^y(?:es)?$/i.test((await ask('This cannot be undone. Redact? [y/N] ')).trim()))
    throw refused('answer y to redact');
}
