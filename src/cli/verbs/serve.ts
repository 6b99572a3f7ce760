import { resolve } from 'node:path';
import { parseBind } from '../../daemon/bind.js';
import { expectPositionals, parseFlags, parseWholeNumber, usageError } from '../arguments.js';
import { EXAMPLES_FLAGS, examplesCorpus } from '../examples-flags.js';
import { serveUntilSignal, startingUp } from '../run-daemon.js';
import { AILANG_FLAG, ailangBinary, RUN_FLAGS, RUN_FLAGS_USAGE, runAllowance } from '../run-flags.js';
import { SIGN_KEY_FLAG, SIGN_KEY_USAGE } from '../sign-key-flag.js';
import type { VerbModule } from '../verb.js';

/** Flags of the original's command line that this version does not honour, with what to do instead. */
const REFUSED: Readonly<Record<string, string>> = {
  db: 'the log lives in git: name the repository with --repo',
  'tool-ailang-bin': 'one binary does both: name it with --ailang-bin',
};

export const verb: VerbModule = {
  usage: `
Usage: ailang-worldd serve --repo <dir> [--workspace-root <dir>] [--bind 127.0.0.1:7644 | --port <n>]
         [--examples-dir <dir> | --no-examples]
         [--run-allow-caps Env,Net,Declassify] [--run-net-allow 127.0.0.1:<port>]... [--run-net-allow-http]
         [--ailang-bin <path>] [--sign-key <file>]

Serves the world of one repository: writes the log's first entry when there is none, opens no episode, mints no session
(episode open and session mint do, while it runs). Prints one line once it listens.
  --bind <host:port>      only 127.0.0.1, ::1 or localhost
  --examples-dir <dir>    corpus for examples-search (default: the one that ships with this package)
  --no-examples           no corpus: examples-search refuses
${RUN_FLAGS_USAGE}
${SIGN_KEY_USAGE}
Not supported, and refused: --tool-ailang-bin, --db.`,

  async run({ args, io }) {
    const { values, positionals } = parseFlags(args, {
      repo: { type: 'string' },
      'workspace-root': { type: 'string' },
      bind: { type: 'string' },
      port: { type: 'string' },
      ...EXAMPLES_FLAGS,
      ...RUN_FLAGS,
      ...AILANG_FLAG,
      ...SIGN_KEY_FLAG,
      db: { type: 'string' },
      'tool-ailang-bin': { type: 'string' },
    });
    expectPositionals(positionals, 0, 0, 'no arguments');
    for (const [name, reason] of Object.entries(REFUSED))
      if (values[name as keyof typeof values] !== undefined) throw usageError(`--${name} is not supported: ${reason}`);
    if (values.repo === undefined)
      throw usageError('serve needs --repo <dir>', 'ailang-worldd up serves the directory you stand in');
    if (values.bind !== undefined && values.port !== undefined) throw usageError('--bind and --port do not mix');
    const allowance = runAllowance(values);
    const port = parseWholeNumber(values.port ?? '7644', '--port', { min: 0, max: 65_535 });
    const repo = values.repo;
    const path = (text: string | undefined): string | undefined => text && resolve(io.cwd, text);

    const daemon = await startingUp('store-open', async () => {
      const bind = values.bind === undefined ? { host: '127.0.0.1', port } : parseBind(values.bind);
      const { startDaemon } = await import('../../daemon/start.js');
      return startDaemon({
        directory: resolve(io.cwd, repo),
        workspaceRoot: path(values['workspace-root']),
        examples: examplesCorpus(io.cwd, values),
        ailangBinary: ailangBinary(io.cwd, values),
        signKey: path(values['sign-key']),
        allowance,
        env: io.env,
        bind,
        report: (line) => void io.stderr.write(`${line}\n`),
      });
    });
    io.stdout.write(`ailang-worldd listening on ${daemon.url}\n`);
    return serveUntilSignal(daemon, io);
  },
};
