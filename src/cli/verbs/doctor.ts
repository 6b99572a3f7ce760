import { resolve } from 'node:path';
import { openRepository } from '../../git/repository.js';
import { expectPositionals, parseFlags } from '../arguments.js';
import type { Finding } from '../doctor/check.js';
import { checkDaemon, checkVariables, checkWorktrees } from '../doctor/daemon-checks.js';
import { checkJournal, repairJournal } from '../doctor/journal-checks.js';
import { checkLog } from '../doctor/log-checks.js';
import { checkHead, checkNode, checkRepository, checkWritable } from '../doctor/repository-checks.js';
import { EXIT_OK, EXIT_USAGE } from '../exit-codes.js';
import type { VerbModule } from '../verb.js';

const MARKS = { ok: '✓', note: '!', broken: '✗' } as const;
const COLOURS = { ok: '\u001b[32m', note: '\u001b[33m', broken: '\u001b[31m' } as const;

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd doctor [--repo <dir>] [--workspace-root <dir>] [--json] [--repair]

Looks at repository, git, node, journal, log, daemon and worktrees; changes nothing and is safe beside a running daemon.
One line per check: ✓ fine, ! worth knowing (with what to do), ✗ broken (with what to do).
  --repair  with no daemon running: sets a damaged journal aside, or puts the log's ref back after something else moved
            it (what it was moved to is kept below refs/world/foreign/), then looks again
Exit 0 when nothing is broken, else 1.`,

  async run({ args, io }) {
    const { values, positionals } = parseFlags(args, {
      repo: { type: 'string' },
      'workspace-root': { type: 'string' },
      json: { type: 'boolean' },
      repair: { type: 'boolean' },
    });
    expectPositionals(positionals, 0, 0, 'no arguments');
    const root = values['workspace-root'];
    if (values.repair) {
      const done = await repairJournal(await openRepository(resolve(io.cwd, values.repo ?? '.')));
      io.stderr.write(`ailang-worldd: ${done ?? 'nothing to repair'}\n`);
    }
    const findings = await examine(resolve(io.cwd, values.repo ?? '.'), io.env, root && resolve(io.cwd, root));
    if (values.json) io.stdout.write(`${JSON.stringify(findings)}\n`);
    else for (const finding of findings) io.stdout.write(line(finding, io.colour));
    return findings.some((finding) => finding.mark === 'broken') ? EXIT_USAGE : EXIT_OK;
  },
};

async function examine(
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
  workspaceRoot: string | undefined,
): Promise<readonly Finding[]> {
  const { findings, repository } = await checkRepository(directory);
  const start = [checkNode(process.version), checkVariables(env), ...findings];
  if (repository === null) return start;
  return [
    ...start,
    await checkHead(repository),
    await checkWritable(repository),
    await checkJournal(repository),
    ...(await checkLog(repository)),
    await checkDaemon(repository),
    ...(await checkWorktrees(repository, env, workspaceRoot)),
  ];
}

function line(finding: Finding, colour: boolean): string {
  const mark = colour ? `${COLOURS[finding.mark]}${MARKS[finding.mark]}\u001b[0m` : MARKS[finding.mark];
  const fix = finding.mark === 'ok' ? '' : `\n  ${''.padEnd(12)} ${finding.fix}`;
  return `${mark} ${finding.name.padEnd(12)} ${finding.text}${fix}\n`;
}
