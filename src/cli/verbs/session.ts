import { resolve } from 'node:path';
import type { ControlResult, SessionRow } from '../../daemon/control-protocol.js';
import { mergeGrants, parseGrant, toolGrants } from '../../daemon/grants.js';
import type { GrantRequest } from '../../daemon/sessions.js';
import { writeTokenFile } from '../../daemon/token-file.js';
import { asEpisodeId } from '../../episode/worktree.js';
import { expectPositionals, parseFlags, parseWholeNumber, usageError } from '../arguments.js';
import { EXIT_OK } from '../exit-codes.js';
import { type OperatorFlags, operate, operatorFlags } from '../operate.js';
import { runSubVerb, type SubVerbs } from '../sub-verb.js';
import type { Io, VerbCall, VerbModule } from '../verb.js';

const PRESET = 'se-tools';
const BUDGETS = { min: 0, max: 999_999_999 };
const TTLS = { min: 1, max: 31_536_000 };

const ACTIONS: SubVerbs = { new: newSession, mint, list, revoke };

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd session new <episode> [--budget 50] [--grant EFFECT=SCOPE:BUDGET]... [--ttl 3600] [--out <file>]
       ailang-worldd session mint --episode <name> --grant EFFECT=SCOPE:BUDGET... [--ttl 3600] [--out <file>]
       ailang-worldd session list [--episode <name>] [--json]
       ailang-worldd session revoke <credential id> | --episode <name>

new opens the episode when it does not exist and mints a session with the six grants of the eight tools (budget in
calls; --grant changes or adds one). mint takes exactly the grants given. --ttl is in seconds.
The token goes to --out (a new file, 0600), else once to stdout; the credential id goes to stderr.
Budgets belong to the episode: another session does not refill them. All take --repo <dir> and --workspace-root <dir>,
and work while the daemon runs and without it.`,

  async run(call) {
    return runSubVerb('session', ACTIONS, call);
  },
};

async function newSession({ args, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, {
    ...operatorFlags,
    preset: { type: 'string' },
    budget: { type: 'string' },
    grant: { type: 'string', multiple: true },
    ttl: { type: 'string' },
    out: { type: 'string' },
  });
  expectPositionals(positionals, 1, 1, '<episode>');
  const episode = asEpisodeId(positionals[0] ?? '');
  if (values.preset !== undefined && values.preset !== PRESET)
    throw usageError(`unknown preset "${values.preset}"`, `the one preset is ${PRESET}`);
  const budget = parseWholeNumber(values.budget ?? '50', '--budget', BUDGETS);
  const grants = mergeGrants(toolGrants(budget), (values.grant ?? []).map(parseGrant));
  const ttlSeconds = parseWholeNumber(values.ttl ?? '3600', '--ttl', TTLS);
  const known = await operate({ op: 'episode-list' }, values, io);
  if (!known.some((row) => row.episode === episode)) {
    const row = await operate({ op: 'episode-open', episode }, values, io);
    io.stderr.write(`episode ${episode} is open at ${row.worktree}\n`);
  }
  return mintInto({ episode, grants, ttlSeconds }, values.out, values, io);
}

async function mint({ args, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, {
    ...operatorFlags,
    episode: { type: 'string' },
    grant: { type: 'string', multiple: true },
    ttl: { type: 'string' },
    out: { type: 'string' },
  });
  expectPositionals(positionals, 0, 0, 'no arguments');
  if (values.episode === undefined) throw usageError('session mint needs --episode <name>');
  const grants = (values.grant ?? []).map(parseGrant);
  if (grants.length === 0)
    throw usageError(
      'session mint needs at least one --grant EFFECT=SCOPE:BUDGET',
      'session new grants all eight tools',
    );
  const ttlSeconds = parseWholeNumber(values.ttl ?? '3600', '--ttl', TTLS);
  return mintInto({ episode: asEpisodeId(values.episode), grants, ttlSeconds }, values.out, values, io);
}

async function mintInto(
  request: { episode: string; grants: readonly GrantRequest[]; ttlSeconds: number },
  out: string | undefined,
  flags: OperatorFlags,
  io: Io,
): Promise<number> {
  const minted = await operate({ op: 'session-mint', ...request, grants: [...request.grants] }, flags, io);
  if (out === undefined) io.stdout.write(`${minted.token}\n`);
  else await keep(minted, resolve(io.cwd, out), flags, io);
  io.stderr.write(`credential ${minted.credentialId} expires ${isoTime(minted.expiresAt)}\n`);
  return EXIT_OK;
}

/** A token nobody can have is revoked again. */
async function keep(minted: ControlResult<'session-mint'>, file: string, flags: OperatorFlags, io: Io): Promise<void> {
  try {
    await writeTokenFile(file, minted.token, { replace: false });
  } catch (error) {
    await operate({ op: 'session-revoke', credentialId: minted.credentialId }, flags, io);
    throw error;
  }
}

async function list({ args, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, {
    ...operatorFlags,
    episode: { type: 'string' },
    json: { type: 'boolean' },
  });
  expectPositionals(positionals, 0, 0, 'no arguments');
  const episode = values.episode === undefined ? {} : { episode: asEpisodeId(values.episode) };
  const rows = await operate({ op: 'session-list', ...episode }, values, io);
  if (values.json) io.stdout.write(`${JSON.stringify(rows)}\n`);
  else if (rows.length === 0) io.stdout.write('no sessions\n');
  else for (const row of rows) io.stdout.write(`${describe(row)}\n`);
  return EXIT_OK;
}

function describe(row: SessionRow): string {
  const grants = row.grants.map((grant) => {
    const left = Math.max(0, grant.budget - grant.spent);
    return `${grant.effect}=${grant.scope}:${left}/${grant.budget}`;
  });
  const state = row.live ? 'live' : 'expired';
  return `${row.credentialId.slice(0, 12)}  ${row.episode}  ${state}  ${isoTime(row.expiresAt)}  ${grants.join(' ')}`;
}

async function revoke({ args, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, { ...operatorFlags, episode: { type: 'string' } });
  const [credentialId] = positionals;
  expectPositionals(positionals, 0, 1, '<credential id>');
  if ((credentialId === undefined) === (values.episode === undefined))
    throw usageError('session revoke needs either a credential id or --episode <name>');
  const request = credentialId === undefined ? { episode: asEpisodeId(values.episode ?? '') } : { credentialId };
  const { credentialIds } = await operate({ op: 'session-revoke', ...request }, values, io);
  for (const id of credentialIds) io.stdout.write(`revoked ${id}\n`);
  return EXIT_OK;
}

function isoTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString();
}
