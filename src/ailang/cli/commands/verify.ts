import { hasFindings, notVerified, proofNote, resultRecord, verifyReport } from '../../contracts/report.js';
import type { FunctionResult } from '../../contracts/types.js';
import { goJson } from '../../policy/go-text.js';
import { reportText } from '../diagnostics.js';
import { only, parseArguments } from './arguments.js';
import { checkFile, UnreadableFile } from './check-file.js';
import { type Command, failed } from './context.js';
import { contractFlags, proveContracts, verifyOptions } from './contracts.js';

/** `verify [--json] [--timeout 5s] [--verify-recursive-depth N] [--strict-overflow] <file>`: proofs for a reader. */
export const verifyCommand: Command = (args, context) => {
  const { flags, positionals } = parseArguments(args, {
    ...contractFlags,
    json: 'boolean',
    'relax-modules': 'boolean',
  });
  const file = only(positionals, 'file');
  const options = verifyOptions(flags, Number.POSITIVE_INFINITY);
  try {
    const relaxModules = context.relaxModules || flags['relax-modules'] === true;
    const checked = checkFile(file, { ...context, relaxModules });
    if (checked.diagnostics.length > 0) {
      const shown = { sources: checked.sources, colour: context.colour };
      return { stdout: '', stderr: reportText('Error', checked.diagnostics, shown), exitCode: 1 };
    }
    const results = proveContracts(checked, options);
    if (results === null)
      return failed('verify: Z3 is not available: install z3, or set AILANG_Z3_PATH to its program');
    const report = verifyReport(results);
    const exitCode = hasFindings(report) ? 1 : 0;
    if (flags.json) {
      const { results: _listed, ...counts } = report;
      return {
        stdout: `${goJson({ file, ...counts, results: results.map(resultRecord) }, 2)}\n`,
        stderr: '',
        exitCode,
      };
    }
    const { verified, counterexample, skipped, errors } = report ?? notVerified;
    const count = `${verified} verified, ${counterexample} with a counterexample, ${skipped} skipped, ${errors} undecided\n`;
    return { stdout: `${results.map(paragraph).join('')}\n${count}`, stderr: '', exitCode };
  } catch (error) {
    if (error instanceof UnreadableFile) return failed(`cannot access '${file}': ${error.message}`);
    throw error;
  }
};

function paragraph({ function: name, position, verdict }: FunctionResult): string {
  const place = `${name} (${position.file}:${position.line}:${position.column})`;
  switch (verdict.status) {
    case 'verified': {
      const bound = verdict.boundedDepth === null ? null : `up to depth ${verdict.boundedDepth}`;
      const notes = [bound, proofNote(verdict)].filter((note) => note !== null).join(', ');
      return `✓ VERIFIED ${place}${notes === '' ? '' : `\n    ${notes}`}\n`;
    }
    case 'counterexample': {
      const { model, call, violation } = verdict.counterexample;
      const lines = model.map((entry) => `    ${entry.name}: ${entry.sort} = ${entry.value}\n`).join('');
      return `✗ VIOLATION ${place}\n${lines}    ${call} fails: ${violation}\n`;
    }
    case 'skipped': {
      const hints = [...new Set(verdict.rejections.map(({ hint }) => `    Hint: ${hint}\n`))].join('');
      return `- SKIPPED ${place}\n    ${verdict.reason}\n${hints}`;
    }
    case 'unknown':
    case 'error':
      return `? ${verdict.status.toUpperCase()} ${place}\n    ${verdict.reason}\n`;
    case 'uncontracted':
      return `- NO CONTRACT ${place}\n`;
  }
}
