import { explainFileError } from '../daemon/file-errors.js';
import { WorldError } from '../errors.js';
import { usageError } from './arguments.js';
import { EXIT_FATAL, EXIT_OK, EXIT_USAGE } from './exit-codes.js';
import { suggest } from './suggest.js';
import type { Io } from './verb.js';
import { VERBS, type VerbEntry } from './verbs.js';

const DEFAULT_ADDR = 'http://127.0.0.1:7644';
const FORBIDDEN_VARIABLE = 'AILANG_REGISTRY_API_KEY';

/** Runs one command line and resolves with its exit code. Never rejects. */
export async function execute(argv: readonly string[], io: Io): Promise<number> {
  // Before any flag is looked at, and for every verb: no process of ours may carry the registry's key.
  if (io.env[FORBIDDEN_VARIABLE] !== undefined) {
    io.stderr.write(`ailang-worldd: ${FORBIDDEN_VARIABLE} is set; unset it before running any verb\n`);
    return EXIT_FATAL;
  }
  try {
    return await dispatch(argv, io);
  } catch (error) {
    return reportFailure(error, io);
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const { addr, rest } = globalFlags(argv);
  const [name, ...args] = rest;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return help(args[0], io);
  const entry = findVerb(name === '--version' ? 'version' : name);
  if (args.includes('--help') || args.includes('-h')) return help(entry.name, io);
  if (addr !== undefined && !entry.client)
    throw usageError(`--addr is a client flag and is not valid for '${entry.name}'`);
  const module = await entry.load();
  return module.run({ args, addr: addr ?? DEFAULT_ADDR, addrGiven: addr !== undefined, io });
}

function globalFlags(argv: readonly string[]): { addr: string | undefined; rest: readonly string[] } {
  const [first, second] = argv;
  if (first === '--addr') {
    if (second === undefined) throw usageError('flag --addr needs a value', `such as --addr ${DEFAULT_ADDR}`);
    return { addr: checkedAddress(second), rest: argv.slice(2) };
  }
  if (first?.startsWith('--addr=')) return { addr: checkedAddress(first.slice('--addr='.length)), rest: argv.slice(1) };
  return { addr: undefined, rest: argv };
}

function checkedAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\//.test(text))
    throw usageError(`--addr must be an http address, not "${text}"`, `such as --addr ${DEFAULT_ADDR}`);
  // The endpoint that `up` announces names the daemon just as well.
  return text.replace(/\/+$/, '').replace(/\/mcp$/, '');
}

function findVerb(name: string): VerbEntry {
  const entry = VERBS.find((candidate) => candidate.name === name);
  if (entry !== undefined) return entry;
  const kind = name.startsWith('-') ? 'flag' : 'verb';
  const near = kind === 'verb' ? suggest(name, [...VERBS.map((verb) => verb.name), 'help']) : undefined;
  throw usageError(
    `unknown ${kind} ${kind === 'flag' ? name : `"${name}"`}`,
    near === undefined ? 'ailang-worldd help lists the verbs' : `did you mean "${near}"?`,
  );
}

async function help(name: string | undefined, io: Io): Promise<number> {
  if (name !== undefined && name !== 'help') {
    const module = await findVerb(name).load();
    io.stdout.write(`${module.usage.trim()}\n`);
    return EXIT_OK;
  }
  const rows = VERBS.map((verb) => `  ${verb.name.padEnd(12)}${verb.summary}`);
  io.stdout.write(
    `ailang-worldd: a Git-native daemon for coding agents\n\nUsage: ailang-worldd [--addr <url>] <verb> [arguments]\n\n${rows.join('\n')}\n\nailang-worldd help <verb> explains one verb. --addr (before the verb) names the daemon; default ${DEFAULT_ADDR}.\n`,
  );
  return EXIT_OK;
}

function reportFailure(raw: unknown, io: Io): number {
  const error = explainFileError(raw);
  if (!(error instanceof WorldError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.stderr.write(`ailang-worldd: unexpected error; please report it\n${stack}\n`);
    return EXIT_USAGE;
  }
  io.stderr.write(`ailang-worldd: ${error.message}\n`);
  if (error.hint !== undefined) io.stderr.write(`  ${error.hint}\n`);
  return error.data.exitCode === EXIT_FATAL ? EXIT_FATAL : EXIT_USAGE;
}
