import { hasFindings, notVerified, type VerifyReport, verifyReport } from '../../contracts/report.js';
import { goJson } from '../../policy/go-text.js';
import type { CommandOutcome } from '../../policy/policy-tool.js';
import { errorRecord } from '../diagnostics.js';
import { only, parseArguments } from './arguments.js';
import { checkFile, UnreadableFile } from './check-file.js';
import type { Command } from './context.js';
import { contractFlags, proveContracts, verifyOptions } from './contracts.js';

/** `ai-check [--timeout 5s] [--verify-recursive-depth N] [--relax-modules] <file>`: always one JSON report (section 6). */
export const aiCheckCommand: Command = (args, context) => {
  const { flags, positionals } = parseArguments(args, { ...contractFlags, 'relax-modules': 'boolean' });
  const file = only(positionals, 'file');
  const options = verifyOptions(flags);
  try {
    const relaxModules = context.relaxModules || flags['relax-modules'] === true;
    const checked = checkFile(file, { ...context, relaxModules });
    const results = proveContracts(checked, options);
    return aiReport(file, checked.diagnostics.map(errorRecord), results === null ? notVerified : verifyReport(results));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const message = `cannot read file: ${error.message.replace(/^stat /, 'open ')}`;
    return aiReport(file, [{ code: 'IO_ERROR', message }], notVerified);
  }
};

function aiReport(file: string, errors: readonly object[], verify: VerifyReport): CommandOutcome {
  const passed = errors.length === 0;
  const report = { file, check: { passed, error_count: errors.length, errors }, verify };
  return { stdout: `${goJson(report, 2)}\n`, stderr: '', exitCode: passed && !hasFindings(verify) ? 0 : 1 };
}
