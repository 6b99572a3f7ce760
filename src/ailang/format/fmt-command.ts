import { parseArgs } from 'node:util';
import { format } from './format.js';

/** What the formatter may do with files. */
export interface FmtIo {
  /** The text, or null when there is no such file. @throws when it cannot be read */
  read(path: string): string | null;
  /** The sources below a directory; null when the path is none. */
  sourcesIn(path: string): readonly string[] | null;
  /** Replaces a file as a whole and keeps its mode. Null where nothing may be written. */
  readonly write: ((path: string, text: string) => void) | null;
}

export interface FmtOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

const options = { check: { type: 'boolean' }, write: { type: 'boolean' } } as const;

/**
 * `fmt <file>` prints canonical text, `fmt --check | --write <file or directory>…` is for many (ailang-cli section 8).
 * Exit code 0: canonical or done; 1: `--check` found drift; 2: usage, read, comment or write failure; 3: no parse.
 */
export function fmtCommand(args: readonly string[], io: FmtIo): FmtOutcome {
  let flags: { readonly check?: boolean; readonly write?: boolean };
  let paths: readonly string[];
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    flags = parsed.values;
    paths = parsed.positionals;
  } catch (error) {
    return failed(2, error instanceof Error ? error.message : String(error));
  }
  if (flags.check && flags.write) return failed(2, '--check and --write exclude each other');
  if (paths.length === 0) return failed(2, 'a file is missing: ailang fmt [--check | --write] <file>');
  if (paths.length > 1 && !flags.check && !flags.write)
    return failed(2, 'without --check or --write fmt takes one file');
  const [only = ''] = paths;
  if (!flags.check && !flags.write && io.sourcesIn(only) !== null)
    return failed(2, `${only} is a directory; --check and --write take one`);
  if (flags.write && io.write === null) return failed(2, '--write is not allowed here: the files are read-only');
  const many = flags.check === true || flags.write === true;
  const files = many ? paths.flatMap((path) => io.sourcesIn(path) ?? [path]) : paths;
  const outcomes = files.map((path) => formatFile(path, flags, io));
  return {
    stdout: outcomes.map((outcome) => outcome.stdout).join(''),
    stderr: outcomes.map((outcome) => outcome.stderr).join(''),
    exitCode: Math.max(0, ...outcomes.map((outcome) => outcome.exitCode)),
  };
}

function formatFile(
  path: string,
  flags: { readonly check?: boolean; readonly write?: boolean },
  io: FmtIo,
): FmtOutcome {
  try {
    const text = io.read(path);
    if (text === null) return failed(2, `${path}: no such file or directory`);
    const result = format(text, path);
    if (!result.ok) {
      const { exitCode, message } = result;
      return exitCode === 3 ? { stdout: '', stderr: `${message}\n`, exitCode } : failed(exitCode, message);
    }
    const same = result.text === text;
    if (flags.check) return { stdout: same ? '' : `${path}\n`, stderr: '', exitCode: same ? 0 : 1 };
    if (!flags.write) return { stdout: result.text, stderr: '', exitCode: 0 };
    if (!same) io.write?.(path, result.text);
    return { stdout: '', stderr: '', exitCode: 0 };
  } catch (error) {
    return failed(2, `${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function failed(exitCode: 2 | 3, message: string): FmtOutcome {
  return { stdout: '', stderr: `Error: ${message}\n`, exitCode };
}
