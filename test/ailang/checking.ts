import { check } from '../../src/ailang/check.js';
import type { Diagnostic } from '../../src/ailang/diagnostic.js';
import type { CheckOptions, CheckResult } from '../../src/ailang/interfaces.js';
import { builtins } from '../../src/ailang/std/builtins.js';
import { stdSource } from '../../src/ailang/std/source.js';

/** Checks files given by path; the first is the entry. */
export function checkFiles(files: Readonly<Record<string, string>>, options: Partial<CheckOptions> = {}): CheckResult {
  const [file = ''] = Object.keys(files);
  const host = { read: (path: string) => (Object.hasOwn(files, path) ? (files[path] ?? null) : null) };
  return check({ file, host, std: stdSource, builtins, ...options });
}

/** Checks one module `m`; `text` follows the header, which is line 1. */
export function checkText(text: string, options: Partial<CheckOptions> = {}): CheckResult {
  return checkFiles({ 'm.ail': `module m\n${text}` }, options);
}

/** `CODE line:column`. */
export function place(diagnostic: Diagnostic): string {
  const { code, position } = diagnostic;
  return position === null ? code : `${code} ${position.line}:${position.column}`;
}

/** The printed type of an exported function, `(int)->int`; the errors when there are any. */
export function typeOf(text: string, name: string): string {
  const result = checkText(text);
  if (result.diagnostics.length > 0)
    return result.diagnostics.map((found) => `${place(found)} ${found.message}`).join('\n');
  return result.interface?.funcs.find((func) => func.name === name)?.type ?? 'not exported';
}
