import { asEpisodeId } from '../../episode/worktree.js';
import { expectPositionals, parseFlags } from '../arguments.js';
import { EXIT_OK } from '../exit-codes.js';
import { operate, operatorFlags } from '../operate.js';
import { runSubVerb, type SubVerbs } from '../sub-verb.js';
import type { VerbCall, VerbModule } from '../verb.js';

const ACTIONS: SubVerbs = { open, list, close };

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd episode open <name> [--repo <dir>] [--workspace-root <dir>]
       ailang-worldd episode list [--json] [--repo <dir>]
       ailang-worldd episode close <name> [--repo <dir>] [--workspace-root <dir>]

An episode is one piece of work: a worktree, a budget, a name (lower-case letters, digits, hyphens; at most 64).
open starts from HEAD. close revokes the episode's sessions and records its final tree;
the worktree stays on disk. All work while the daemon runs and without it.`,

  async run(call) {
    return runSubVerb('episode', ACTIONS, call);
  },
};

async function open({ args, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, operatorFlags);
  expectPositionals(positionals, 1, 1, '<name>');
  const episode = asEpisodeId(positionals[0] ?? '');
  const row = await operate({ op: 'episode-open', episode }, values, io);
  io.stdout.write(`episode ${row.episode} is open at ${row.worktree}\n  base ${row.baseCommit}\n`);
  return EXIT_OK;
}

async function list({ args, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, { ...operatorFlags, json: { type: 'boolean' } });
  expectPositionals(positionals, 0, 0, 'no arguments');
  const rows = await operate({ op: 'episode-list' }, values, io);
  if (values.json) io.stdout.write(`${JSON.stringify(rows)}\n`);
  else if (rows.length === 0) io.stdout.write('no episodes\n');
  else
    for (const row of rows)
      io.stdout.write(
        `${row.episode}  ${row.open ? 'open' : 'closed'}  ${row.baseCommit.slice(0, 12)}  ${row.worktree ?? '(no worktree here)'}\n`,
      );
  return EXIT_OK;
}

async function close({ args, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, operatorFlags);
  expectPositionals(positionals, 1, 1, '<name>');
  const row = await operate({ op: 'episode-close', episode: asEpisodeId(positionals[0] ?? '') }, values, io);
  io.stdout.write(`episode ${row.episode} is closed\n`);
  if (row.worktree !== null)
    io.stdout.write(`  its worktree stays; remove it with: git worktree remove --force '${row.worktree}'\n`);
  return EXIT_OK;
}
