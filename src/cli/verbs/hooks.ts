import { resolve } from 'node:path';
import { WorldError } from '../../errors.js';
import { git } from '../../git/child.js';
import { openRepository } from '../../git/repository.js';
import type { GitOid, Repository } from '../../git/types.js';
import { hooksDirectory } from '../../hooks/hooks-directory.js';
import { type HookStatus, hookStatus, installHooks, removeHooks } from '../../hooks/install.js';
import { judgePush, type PushedRef, type ReceivePolicy } from '../../hooks/receive.js';
import { ALL_HOOKS, CHAINED, CLIENT_HOOKS, SERVER_HOOKS } from '../../hooks/scripts.js';
import { expectPositionals, parseFlags, usageError } from '../arguments.js';
import { EXIT_INTEGRITY, EXIT_OK } from '../exit-codes.js';
import { runSubVerb, type SubVerbs } from '../sub-verb.js';
import type { VerbCall, VerbModule } from '../verb.js';

const ACTIONS: SubVerbs = { install, remove, status, receive };
const flags = { repo: { type: 'string' }, json: { type: 'boolean' } } as const;

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd hooks install [--server] [--repo <dir>] [--json]
       ailang-worldd hooks remove [--repo <dir>] [--json]
       ailang-worldd hooks status [--repo <dir>] [--json]

Git hooks, plain POSIX shell, for the repository and all its worktrees:
  reference-transaction  refs/world/* only move forward, whichever git command moves them
  prepare-commit-msg     a commit in an episode's worktree gets the World-Provenance trailer
  pre-push               with git config world.pushLog true, the log goes to the remote before a branch does
  pre-receive            on a server: a push whose trailer does not verify is refused
install takes the first three; in a bare repository, or with --server, the first and the last. A hook that is there
already is kept as <name>${CHAINED} and called first; remove puts it back as it was. They go where
core.hooksPath of the repository points, else into hooks/ of its git directory.
Settings of a server: world.receive lines|trailer (default lines: every changed line of a push with a trailer is proven;
trailer: the trailers are true), world.requireTrailer true (no push to a branch without one).
receive is what the pre-receive hook calls: it reads git's lines on stdin.`,

  async run(call) {
    return runSubVerb('hooks', ACTIONS, call);
  },
};

async function install({ args, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, { ...flags, server: { type: 'boolean' } });
  expectPositionals(positionals, 0, 0, 'no arguments');
  const repository = await openRepository(resolve(io.cwd, values.repo ?? '.'));
  const directory = await hooksDirectory(repository);
  const names = values.server || repository.worktree === null ? SERVER_HOOKS : CLIENT_HOOKS;
  const hooks = await installHooks(directory, names);
  io.stdout.write(values.json ? `${JSON.stringify({ directory, hooks })}\n` : rows(directory, hooks));
  return EXIT_OK;
}

async function remove({ args, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  expectPositionals(positionals, 0, 0, 'no arguments');
  const directory = await hooksDirectory(await openRepository(resolve(io.cwd, values.repo ?? '.')));
  const removed = await removeHooks(directory);
  if (values.json) io.stdout.write(`${JSON.stringify({ directory, removed })}\n`);
  else io.stdout.write(`${directory}: ${removed.length === 0 ? 'no hook of ours' : `removed ${removed.join(', ')}`}\n`);
  return EXIT_OK;
}

async function status({ args, io }: VerbCall): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  expectPositionals(positionals, 0, 0, 'no arguments');
  const directory = await hooksDirectory(await openRepository(resolve(io.cwd, values.repo ?? '.')));
  const hooks = await Promise.all(ALL_HOOKS.map((name) => hookStatus(directory, name)));
  io.stdout.write(values.json ? `${JSON.stringify({ directory, hooks })}\n` : rows(directory, hooks));
  return EXIT_OK;
}

const STATES: Readonly<Record<HookStatus['state'], string>> = {
  absent: 'not installed',
  installed: 'installed',
  outdated: 'installed by another version: install again',
  other: 'a hook that is not ours',
};

function rows(directory: string, hooks: readonly HookStatus[]): string {
  const lines = hooks.map(
    ({ name, state, chained }) =>
      `  ${name.padEnd(22)} ${STATES[state]}${chained ? `, calls ${name}${CHAINED} first` : ''}`,
  );
  return `${[directory, ...lines].join('\n')}\n`;
}

async function receive({ args, io }: VerbCall): Promise<number> {
  const { positionals } = parseFlags(args, {});
  expectPositionals(positionals, 0, 0, 'no arguments');
  const repository = await openRepository(io.cwd);
  const pushed = parsePushed((await io.readStdin()).toString());
  const { refusals, remarks } = await judgePush(repository, pushed, await receivePolicy(repository));
  for (const line of remarks) io.stderr.write(`ailang-world: ${line}\n`);
  for (const line of refusals) io.stderr.write(`ailang-world: refused: ${line}\n`);
  return refusals.length === 0 ? EXIT_OK : EXIT_INTEGRITY;
}

function parsePushed(text: string): readonly PushedRef[] {
  const oid = (hex: string): GitOid | null => (/^0+$/.test(hex) ? null : (hex as GitOid));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, from, to, ref] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (refs\/.+)$/.exec(line) ?? [];
      if (from === undefined || to === undefined || ref === undefined)
        throw usageError(`not a line of a pre-receive hook: ${JSON.stringify(line.slice(0, 200))}`);
      return { ref, from: oid(from), to: oid(to) };
    });
}

async function receivePolicy(repository: Repository): Promise<ReceivePolicy> {
  const setting = async (...args: string[]): Promise<string> =>
    (await git(['config', '--get', ...args], { cwd: repository.commonDir, okExitCodes: [0, 1] })).stdout
      .toString()
      .trim();
  const proven = (await setting('world.receive')) || 'lines';
  if (proven !== 'lines' && proven !== 'trailer')
    throw new WorldError('bad-setting', `world.receive is ${JSON.stringify(proven)}; it must be lines or trailer`);
  return { proven, trailerRequired: (await setting('--type=bool', 'world.requireTrailer')) === 'true' };
}
