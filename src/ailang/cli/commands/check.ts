import { goJson } from '../../policy/go-text.js';
import type { CommandOutcome } from '../../policy/policy-tool.js';
import { errorRecord } from '../diagnostics.js';
import { only, parseArguments } from './arguments.js';
import { checkFile, UnreadableFile } from './check-file.js';
import type { Command } from './context.js';

/** `ai-check [--timeout 5s] [--verify-recursive-depth N] [--relax-modules] <file>`: always one JSON report (section 6). */
export const aiCheckCommand: Command = (args, context) => {
  const { flags, positionals } = parseArguments(args, {
    timeout: 'string',
    'verify-recursive-depth': 'string',
    'relax-modules': 'boolean',
  });
  const file = only(positionals, 'file');
  try {
    const relaxModules = context.relaxModules || flags['relax-modules'] === true;
    const { diagnostics } = checkFile(file, { ...context, relaxModules });
    return aiReport(file, diagnostics.map(errorRecord));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return aiReport(file, [
      { code: 'IO_ERROR', message: `cannot read file: ${error.message.replace(/^stat /, 'open ')}` },
    ]);
  }
};

/** Contracts are type-checked and not proven: `available` says so, as it does without a solver. */
function aiReport(file: string, errors: readonly object[]): CommandOutcome {
  const passed = errors.length === 0;
  const report = {
    file,
    check: { passed, error_count: errors.length, errors },
    verify: { available: false, verified: 0, counterexample: 0, skipped: 0, errors: 0, results: [] },
  };
  return { stdout: `${goJson(report, 2)}\n`, stderr: '', exitCode: passed ? 0 : 1 };
}
