import type { Diagnostic } from '../../diagnostic.js';
import { bounded, TimedOut } from '../../eval/bounded.js';
import type { CheckResult } from '../../interfaces.js';
import { goJson } from '../../policy/go-text.js';
import type { CommandOutcome } from '../../policy/policy-tool.js';
import { findSources } from '../../testing/find-files.js';
import { errorRecord, reportText } from '../diagnostics.js';
import { aiCheckCommand } from './ai-check.js';
import { only, parseArguments } from './arguments.js';
import { checkFile, UnreadableFile } from './check-file.js';
import { type Command, type CommandContext, failed } from './context.js';
import { durationMs } from './duration.js';

/**
 * `check [--json] [--quiet] [--strict-syntax] [--timeout 30s] [--relax-modules] <file or directory>` (ailang-cli section 7).
 * Exit code 0, 1 with errors, 124 when the time is over. With `--verify` it is `ai-check` (section 6).
 */
export const checkCommand: Command = (args, context) => {
  if (args.includes('--verify'))
    return aiCheckCommand(
      args.filter((arg) => arg !== '--verify'),
      context,
    );
  const { flags, positionals } = parseArguments(args, {
    json: 'boolean',
    quiet: 'boolean',
    'strict-syntax': 'boolean',
    timeout: 'string',
    'relax-modules': 'boolean',
  });
  const path = only(positionals, 'file');
  const timeout = flags.timeout === undefined ? null : durationMs('timeout', flags.timeout);
  const style = { json: flags.json === true, quiet: flags.quiet === true, colour: context.colour };
  const relaxModules = context.relaxModules || flags['relax-modules'] === true;
  const options = { ...context, relaxModules, strictSyntax: flags['strict-syntax'] === true };
  const work = () => sourcesAt(path, context).map((file) => ({ file, ...checkFile(file, options) }));
  try {
    return report(path, timeout === null ? work() : bounded(timeout, work), style);
  } catch (error) {
    if (error instanceof UnreadableFile) return failed(`cannot access '${path}': ${error.message}`);
    if (error instanceof TimedOut) return timedOut(path, flags.timeout ?? '', style.json);
    throw error;
  }
};

/** The file itself, or every source below the directory. @throws UnreadableFile */
function sourcesAt(path: string, { tree }: CommandContext): readonly string[] {
  if (tree.kind(path) !== 'directory') return [path];
  const files = findSources(tree, path);
  if (files.length === 0) throw new UnreadableFile(`no .ail files in ${path}`);
  return files;
}

interface Style {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly colour: boolean;
}

type Checked = CheckResult & { readonly file: string };

function report(path: string, checked: readonly Checked[], style: Style): CommandOutcome {
  const problems = distinct(checked.flatMap((one) => one.diagnostics));
  const exitCode = problems.length === 0 ? 0 : 1;
  if (style.json) {
    const errors = problems.map(errorRecord);
    const document = { file: path, passed: exitCode === 0, error_count: errors.length, errors };
    return { stdout: `${goJson(document, 2)}\n`, stderr: '', exitCode };
  }
  const shown = { sources: checked.flatMap(({ sources }) => sources), colour: style.colour };
  const warnings = style.quiet ? [] : distinct(checked.flatMap((one) => one.warnings));
  const stderr = reportText('Warning', warnings, shown) + reportText('Error', problems, shown);
  const begun = checked.map(({ file }) => `→ Type checking ${file}...\n`).join('');
  const progress = style.quiet ? '' : `${begun}→ Effect checking...\n\n`;
  const verdict = style.quiet || exitCode !== 0 ? '' : '✓ No errors found!\n';
  return { stdout: progress + verdict, stderr, exitCode };
}

/** A module that several files import is judged once. */
function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [JSON.stringify(errorRecord(one)), one])).values()];
}

function timedOut(file: string, limit: string, json: boolean): CommandOutcome {
  const message = `checking took longer than ${limit}`;
  if (!json) return failed(`${message} [TIMEOUT]`, 124);
  const document = { file, passed: false, error_count: 1, errors: [{ code: 'TIMEOUT', message }] };
  return { stdout: `${goJson(document, 2)}\n`, stderr: '', exitCode: 124 };
}
