import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Repl } from '../../repl/repl.js';
import { ReplEvaluator } from '../repl-evaluator.js';
import { writeAll } from '../run/console.js';
import { unperformable } from '../run/host.js';
import { parseArguments } from './arguments.js';
import { UsageError } from './context.js';
import { durationMs } from './duration.js';
import { languageVersion } from './version.js';

const historyLength = 1000;

/** `repl [--caps IO,FS,…] [--timeout 60s]`: reads entries until the input ends or :quit. @returns the exit code */
export async function replCommand(args: readonly string[], programFile: string): Promise<number> {
  const { flags, positionals } = parseArguments(args, { caps: 'string', timeout: 'string' });
  if (positionals.length > 0) throw new UsageError('repl takes flags only');
  const caps = (flags.caps ?? 'IO').split(',').filter((cap) => cap !== '');
  const impossible = unperformable(caps);
  if (impossible !== null) throw new UsageError(impossible);
  const timeoutMs = durationMs('timeout', flags.timeout ?? '60s');
  const evaluator = new ReplEvaluator(programFile, { repl: { cwd: process.cwd(), caps } }, timeoutMs);
  const repl = new Repl({
    evaluate: (question) => evaluator.evaluate(question),
    print: (text) => writeAll(1, Buffer.from(text)),
    complain: (text) => writeAll(2, Buffer.from(text)),
  });
  const interactive = process.stdin.isTTY === true && process.stdout.isTTY === true;
  const historyFile = historyPath(process.env, interactive);
  const lines = createInterface({
    input: process.stdin,
    ...(interactive ? { output: process.stdout, terminal: true } : { terminal: false }),
    history: readHistory(historyFile),
    historySize: historyLength,
  });
  const prompt = (): void => {
    if (!interactive) return;
    lines.setPrompt(repl.unfinished ? '... ' : 'ail> ');
    lines.prompt();
  };
  const interrupt = (): void => {
    if (evaluator.interrupt()) return;
    repl.clear();
    if (interactive) {
      lines.write(null, { ctrl: true, name: 'u' });
      process.stdout.write('\n');
    }
    prompt();
  };
  process.on('SIGINT', interrupt);
  lines.on('SIGINT', interrupt);
  if (interactive) writeAll(1, Buffer.from(`AILANG ${languageVersion}; :help helps, :quit leaves\n`));
  prompt();
  try {
    for await (const line of lines) {
      if (historyFile !== null && line.trim() !== '') remember(historyFile, line);
      if ((await repl.feed(line)) === 'quit') return 0;
      prompt();
    }
    await repl.finish();
    return 0;
  } finally {
    lines.close();
    process.off('SIGINT', interrupt);
    await evaluator.close();
  }
}

/** Only what a person types is kept without being asked for. */
function historyPath(environment: NodeJS.ProcessEnv, interactive: boolean): string | null {
  if (environment.AILANG_REPL_HISTORY !== undefined) return environment.AILANG_REPL_HISTORY || null;
  return interactive && environment.HOME ? join(environment.HOME, '.ailang', 'repl_history') : null;
}

/** Newest first, as readline wants it. */
function readHistory(file: string | null): string[] {
  if (file === null) return [];
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines
      .filter((line) => line !== '')
      .reverse()
      .slice(0, historyLength);
  } catch {
    return [];
  }
}

/** A history that cannot be written is no reason to stop. */
function remember(file: string, line: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch {
    // Without a home there is no history.
  }
}
