import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../../src/ailang/check.js';
import type { Diagnostic } from '../../../src/ailang/diagnostic.js';
import type { CheckResult } from '../../../src/ailang/interfaces.js';
import { packageRoot } from '../../../src/ailang/package-root.js';
import { builtins } from '../../../src/ailang/std/builtins.js';
import { stdSource } from '../../../src/ailang/std/source.js';

/** A finding a program must give, and what its hint must say. */
export interface Expected {
  /** `--! CODE 4:3 part of the message`, for a warning `--~ …`; in another file `--! CODE lib/x.ail:1:1 …`. */
  readonly warning: boolean;
  readonly code: string;
  readonly place: string;
  readonly message: string;
  /** `--? part of the hint`, below the finding. */
  readonly hints: readonly string[];
}

/**
 * A program with a mistake, what the checker says about it, and the edit its hint asks for, written in comments after
 * its last line. They are no part of the program that is checked.
 */
export interface WrongProgram {
  /** Below `test/diagnostics`, the module path and `.ail`. */
  readonly path: string;
  readonly text: string;
  /** `--flags --strict-syntax`. */
  readonly strictSyntax: boolean;
  readonly expected: readonly Expected[];
  /** The program after `--fix 3: text` (one line or several instead of line 3), `--add 3: text` (before it), `--cut 3`. */
  readonly fixed: string;
  /** The lines the edit brings in. */
  readonly added: string;
}

export const diagnosticsDirectory = join(packageRoot(), 'test', 'diagnostics');

const expectation = /^--(?:[!~?] |(?:fix|add) \d+:|cut \d+|flags )/;

/** All of them, sorted; `lib/` holds modules that others import. */
export function wrongPrograms(): readonly WrongProgram[] {
  return readdirSync(diagnosticsDirectory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ail') && !path.startsWith('lib/'))
    .sort()
    .map((path) => readWrongProgram(path, readFileSync(join(diagnosticsDirectory, path), 'utf8')));
}

export function readWrongProgram(path: string, file: string): WrongProgram {
  const all = file.split('\n');
  const first = all.findIndex((line) => expectation.test(line));
  const lines = all.slice(0, first);
  while (lines.at(-1) === '') lines.pop();
  const notes = all.slice(first);
  const expected: Expected[] = [];
  for (const note of notes) {
    const [, mark, code, place, message] = /^--([!~]) (\S+) (\S+) (.*)$/.exec(note) ?? [];
    if (code !== undefined && place !== undefined)
      expected.push({ warning: mark === '~', code, place, message: message ?? '', hints: [] });
    else if (note.startsWith('--? ')) (expected.at(-1)?.hints as string[] | undefined)?.push(note.slice('--? '.length));
    else if (note !== '' && !expectation.test(note)) throw new Error(`${path}: not an expectation: ${note}`);
  }
  const { fixed, added } = edit(lines, notes);
  return {
    path,
    text: `${lines.join('\n')}\n`,
    strictSyntax: notes.includes('--flags --strict-syntax'),
    expected,
    fixed,
    added,
  };
}

function edit(lines: readonly string[], notes: readonly string[]): { fixed: string; added: string } {
  const added: string[] = [];
  const instead = new Map<number, string[]>();
  const before = new Map<number, string[]>();
  for (const note of notes) {
    const [, verb, at, text] = /^--(fix|add|cut) (\d+)(?:: ?(.*))?$/.exec(note) ?? [];
    if (verb === undefined) continue;
    const line = Number(at);
    const edits = verb === 'add' ? before : instead;
    const known = edits.get(line) ?? [];
    edits.set(line, known);
    if (verb === 'cut') continue;
    known.push(text ?? '');
    added.push(text ?? '');
  }
  const fixed = [...lines, ''].flatMap((line, index) => [
    ...(before.get(index + 1) ?? []),
    ...(instead.get(index + 1) ?? (index === lines.length ? [] : [line])),
  ]);
  return { fixed: `${fixed.join('\n')}\n`, added: added.join('\n') };
}

/** Checks a text as if it were the file; everything else is read from the directory. */
export function checkAs({ path, strictSyntax }: WrongProgram, text: string): CheckResult {
  const read = (name: string): string | null => {
    if (name === path) return text;
    try {
      return readFileSync(join(diagnosticsDirectory, name), 'utf8');
    } catch {
      return null;
    }
  };
  return check({ file: path, host: { read }, std: stdSource, builtins, strictSyntax });
}

/** `CODE 4:3`, with the file when it is not the program's own. */
export function placed(diagnostic: Diagnostic, own: string): string {
  const { code, position } = diagnostic;
  if (position === null) return code;
  const file = position.file === own ? '' : `${position.file}:`;
  return `${code} ${file}${position.line}:${position.column}`;
}

const word = /[\p{L}_][\p{L}\p{N}_']*|[-+*/%=!<>&|^~.:$\\]+/gu;

/** Words and operators of the edit that neither the program nor any finding contains: what the hint leaves to guess. */
export function unexplained(program: WrongProgram, findings: readonly Diagnostic[]): string[] {
  const known = new Set(program.text.match(word));
  for (const { message, suggestion } of findings)
    for (const found of `${message} ${suggestion ?? ''}`.match(word) ?? []) known.add(found);
  return [...new Set(program.added.match(word))].filter((found) => !known.has(found) && found !== '.');
}
