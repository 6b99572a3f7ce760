import type { CheckOptions, CheckResult } from './interfaces.js';
import { LibraryChanged, libraryFor, renewLibrary } from './modules/library.js';
import { Program } from './modules/program.js';

/**
 * Reads a program and everything it imports, checks it and makes Core of it.
 * Never throws for what a program says: every finding is a diagnostic.
 */
export function check(options: CheckOptions): CheckResult {
  try {
    return checkWith(options);
  } catch (error) {
    if (!(error instanceof LibraryChanged)) throw error;
    renewLibrary(options.builtins);
    return checkWith(options);
  }
}

function checkWith(options: CheckOptions): CheckResult {
  const program = new Program(options, libraryFor(options.builtins));
  const { errors, warnings, sources } = program;
  try {
    const root = program.loadRoot();
    const modules = root === null || errors.length > 0 ? null : program.core(root);
    const core = root === null || modules === null ? null : { modules, root: root.path, entries: root.entries };
    const tests = core === null ? [] : (root?.tests ?? []);
    return {
      diagnostics: errors,
      warnings,
      program: core,
      modules: program.checked,
      tests,
      interface: root?.interface ?? null,
      sources,
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'the program is nested too deeply to be checked';
    const suggestion = 'Move inner parts into functions of their own, and name intermediate results with let.';
    errors.push({
      code: 'PAR_NESTING_LIMIT',
      message,
      position: { file: options.file, line: 1, column: 1 },
      suggestion,
    });
    return {
      diagnostics: errors,
      warnings,
      program: null,
      modules: [],
      tests: [],
      interface: null,
      sources,
    };
  }
}
