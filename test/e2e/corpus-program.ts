import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/ailang/package-root.js';

/**
 * A program of the corpus and what it must do, written in comments after its last declaration. Its folder is the
 * feature it shows; modules that only others import expect nothing.
 */
export interface CorpusProgram {
  /** Below `test/corpus`, the module path and `.ail`. */
  readonly path: string;
  readonly text: string;
  /** `--< line of stdin`. */
  readonly stdin: string;
  /** `--args JSON`. */
  readonly args: string | null;
  /** `--argv a b c`. */
  readonly argv: readonly string[];
  /** `--entry name`. */
  readonly entry: string;
  /** `--caps IO,Env`: exactly these instead of IO and FS. */
  readonly caps: string | null;
  /** `--flags --verify-contracts`. */
  readonly flags: readonly string[];
  /** `--| line of stdout`. */
  readonly stdout: string;
  /** `--! part of stderr`. */
  readonly stderr: readonly string[];
  /** `--exit status`, 0 without. */
  readonly exit: number;
}

export const corpusDirectory = join(packageRoot(), 'test', 'corpus');

/** Every module of the corpus by its path, sorted. */
export function corpusModules(): ReadonlyMap<string, string> {
  const names = readdirSync(corpusDirectory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ail'),
  );
  return new Map(names.sort().map((name) => [name, readFileSync(join(corpusDirectory, name), 'utf8')]));
}

/** What a module starts with decides: programs export an entry point. */
export function corpusPrograms(): readonly CorpusProgram[] {
  return [...corpusModules()]
    .filter(([, text]) => /^export (?:pure )?func main\b/m.test(text))
    .map(([path, text]) => readProgram(path, text));
}

function readProgram(path: string, text: string): CorpusProgram {
  const lines = text.split('\n');
  const marked = (mark: string): string[] =>
    lines.filter((line) => line === mark || line.startsWith(`${mark} `)).map((line) => line.slice(mark.length + 1));
  const joined = (mark: string): string =>
    marked(mark)
      .map((line) => `${line}\n`)
      .join('');
  const words = (mark: string): string[] => marked(mark).flatMap((line) => line.split(' '));
  return {
    path,
    text,
    stdin: joined('--<'),
    args: marked('--args')[0] ?? null,
    argv: words('--argv'),
    entry: marked('--entry')[0] ?? 'main',
    caps: marked('--caps')[0] ?? null,
    flags: words('--flags'),
    stdout: joined('--|'),
    stderr: marked('--!'),
    exit: Number(marked('--exit')[0] ?? 0),
  };
}

/** What a run did otherwise than expected, or null. */
export function judge(
  program: CorpusProgram,
  result: { readonly exit: number | null; readonly stdout: string; readonly stderr: string },
): string | null {
  const problems: string[] = [];
  if (result.stdout !== program.stdout) problems.push(`stdout ${JSON.stringify(result.stdout)}`);
  if (result.exit !== program.exit) problems.push(`exit ${result.exit}`);
  for (const part of program.stderr) if (!result.stderr.includes(part)) problems.push(`no ${part} in stderr`);
  if (problems.length === 0) return null;
  return `${program.path}: ${problems.join('; ')}\n${result.stderr}`;
}
