import { resolve } from 'node:path';
import { toolGrants } from '../../daemon/grants.js';
import { asEpisodeId } from '../../episode/worktree.js';
import { expectPositionals, parseFlags, parseWholeNumber } from '../arguments.js';
import { EXAMPLES_FLAGS, examplesCorpus } from '../examples-flags.js';
import { serveUntilSignal, startingUp } from '../run-daemon.js';
import { AILANG_FLAG, ailangBinary, RUN_FLAGS, RUN_FLAGS_USAGE, runAllowance } from '../run-flags.js';
import { SIGN_KEY_FLAG, SIGN_KEY_USAGE } from '../sign-key-flag.js';
import { clientSnippets, shellQuote } from '../snippets.js';
import type { VerbModule } from '../verb.js';

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd up [--repo <dir>] [--episode ep1] [--budget 50] [--ttl 28800] [--port 7644]
         [--workspace-root <dir>] [--examples-dir <dir> | --no-examples] [--json]
         [--run-allow-caps Env,Net,Declassify] [--run-net-allow 127.0.0.1:<port>]... [--run-net-allow-http]
         [--ailang-bin <path>] [--sign-key <file>]

Serves a world for the git repository you stand in, on 127.0.0.1. What is missing is made: the log's first entry, an
episode in a worktree of its own outside the repository, a session with the six grants (and one more for each of Env and Net, when enabled), its token file (0600).
Started again, it goes on with the same log, episode and budgets.
  --episode <name>        which episode (default ep1); a new name is a new worktree and a fresh budget
  --budget <n>            calls per effect (default 50), when the session is minted
  --ttl <seconds>         how long the session lives (default 8 hours)
  --port <n>              0 takes a free one
  --workspace-root <dir>  where worktrees go (default: in the user's state directory)
  --examples-dir <dir>    corpus for examples-search (default: the one that ships with this package)
  --no-examples           no corpus: examples-search refuses
${RUN_FLAGS_USAGE}
${SIGN_KEY_USAGE}
  --json                  one line (url is the MCP endpoint): {"url","session_file","episode","worktree","repository","head"}`,

  async run({ args, io }) {
    const { values, positionals } = parseFlags(args, {
      repo: { type: 'string' },
      episode: { type: 'string' },
      budget: { type: 'string' },
      ttl: { type: 'string' },
      port: { type: 'string' },
      'workspace-root': { type: 'string' },
      ...EXAMPLES_FLAGS,
      ...RUN_FLAGS,
      ...AILANG_FLAG,
      ...SIGN_KEY_FLAG,
      json: { type: 'boolean' },
    });
    expectPositionals(positionals, 0, 0, 'no arguments');
    const episode = asEpisodeId(values.episode ?? 'ep1');
    const budget = parseWholeNumber(values.budget ?? '50', '--budget', { min: 0, max: 999_999_999 });
    const ttlSeconds = parseWholeNumber(values.ttl ?? '28800', '--ttl', { min: 1, max: 31_536_000 });
    const port = parseWholeNumber(values.port ?? '7644', '--port', { min: 0, max: 65_535 });
    const allowance = runAllowance(values);
    const path = (text: string | undefined): string | undefined => text && resolve(io.cwd, text);

    const { setUp } = await import('../../daemon/set-up.js');
    const { daemon, session } = await startingUp('store-open', () =>
      setUp({
        directory: resolve(io.cwd, values.repo ?? '.'),
        workspaceRoot: path(values['workspace-root']),
        examples: examplesCorpus(io.cwd, values),
        ailangBinary: ailangBinary(io.cwd, values),
        signKey: path(values['sign-key']),
        allowance,
        env: io.env,
        bind: { host: '127.0.0.1', port },
        report: (line) => void io.stderr.write(`${line}\n`),
        episode,
        grants: toolGrants(budget, allowance.caps),
        ttlSeconds,
      }),
    );
    const announcement = {
      url: `${daemon.url}/mcp/`,
      session_file: session.file,
      episode,
      worktree: session.worktree,
      repository: daemon.world.repository.commonDir,
      head: daemon.world.log.head.worldRef,
    };
    if (values.json) io.stdout.write(`${JSON.stringify(announcement)}\n`);
    else {
      io.stdout.write(`ailang-worldd listening on ${daemon.url}\n`);
      io.stdout.write(
        `  repository  ${daemon.world.repository.worktree}\n  episode     ${episode} at ${announcement.worktree}\n  token file  ${session.file} (${session.reused ? 'still valid' : 'new'})\n`,
      );
      if (session.dirty)
        io.stdout.write('  note        the worktree started from the last commit, not from your uncommitted changes\n');
      io.stdout.write(
        `\n${clientSnippets(daemon.url, session.file, programName())}\nCtrl-C stops the daemon; the log stays: git log refs/world/log\n`,
      );
    }
    return serveUntilSignal(daemon, io);
  },
};

/** How this program was called, so that what we print can be pasted: by its name, or as a script. */
function programName(): string {
  const script = process.argv[1] ?? '';
  return script.endsWith('.js') ? `node ${shellQuote(script)}` : 'ailang-worldd';
}
