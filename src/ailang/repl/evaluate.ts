import { check } from '../check.js';
import { Effects } from '../eval/effects.js';
import { loadProgram } from '../eval/load.js';
import { outcomeOf } from '../eval/run.js';
import type { CheckResult, EffectHost, SourceHost } from '../interfaces.js';
import { renderDiagnostic } from '../render-diagnostic.js';
import { builtins } from '../std/builtins.js';
import { stdSource } from '../std/source.js';
import { literal } from '../testing/literal.js';
import { TypePrinter } from '../types/print.js';
import { resultName, type Script } from './session.js';

/** What the thread is asked. `run` evaluates the value of `resultName`, `type` only types it, `check` neither. */
export interface Question extends Script {
  readonly k: 'run' | 'type' | 'check';
}

/** The answer; `problems` is what a reader sees. */
export type Answer =
  | { readonly k: 'problems'; readonly problems: string }
  | { readonly k: 'checked' }
  | { readonly k: 'typed'; readonly type: string }
  | {
      readonly k: 'value';
      /** As one would write it, cut where it is very long. */
      readonly shown: string;
      readonly type: string;
      /** Text that means the same value; null when it has none, such as a function. */
      readonly literal: string | null;
      /** Effect operations that were used on the way. */
      readonly effects: number;
    };

export interface EvaluateOptions {
  readonly sources: SourceHost;
  readonly packages: SourceHost | null;
  readonly host: EffectHost;
  readonly maxDepth: number;
}

const file = 'repl';
const longest = 4000;

/** Checks a script and runs it to the value it is about. */
export function evaluate(question: Question, options: EvaluateOptions): Answer {
  const checked = checkScript(question.text, options);
  if (checked.program === null) return { k: 'problems', problems: explain(question, checked) };
  if (question.k === 'check') return { k: 'checked' };
  const type = typeOf(checked);
  if (question.k === 'type') return { k: 'typed', type };
  let operations = 0;
  const host: EffectHost = {
    ...options.host,
    charge(effect, operation) {
      operations++;
      options.host.charge(effect, operation);
    },
  };
  const { maxDepth } = options;
  const effects = new Effects(host);
  try {
    const run = { program: checked.program, entry: '', argsJson: 'null', host, maxDepth, printResult: false };
    const value = loadProgram({ ...run, verifyContracts: true }, null, effects)([]);
    const text = value === undefined ? '()' : literal(value);
    const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
    return { k: 'value', shown, type, literal: meansTheSame(text, type, question, options), effects: operations };
  } catch (error) {
    const outcome = outcomeOf(error, maxDepth);
    const problems =
      outcome.kind === 'exit'
        ? `the program called exit(${outcome.status})`
        : `Error: ${placed(outcome.message, question.firstLine)}`;
    return { k: 'problems', problems };
  } finally {
    for (const line of effects.debugLines) host.io?.write('stderr', Buffer.from(`${line}\n`));
    host.io?.flush();
  }
}

const checkScript = (text: string, { sources, packages }: EvaluateOptions): CheckResult =>
  check({
    file,
    host: { read: (path) => (path === file ? text : sources.read(path)) },
    std: stdSource,
    builtins,
    packages,
    relaxModules: true,
  });

function typeOf({ modules }: CheckResult): string {
  const scheme = modules.find((module) => module.path === file)?.scope.values.get(resultName)?.scheme;
  return scheme === undefined ? '?' : new TypePrinter().print(scheme.type);
}

/** The text where it can stand for the value: then a definition keeps the value and not the way to it. */
function meansTheSame(text: string, type: string, question: Question, options: EvaluateOptions): string | null {
  if (text.length > longest) return null;
  const before = question.text.split('\n').slice(0, question.firstLine - 1);
  const checked = checkScript([...before, `let ${resultName} = ${text}`, resultName].join('\n'), options);
  return checked.program !== null && typeOf(checked) === type ? text : null;
}

/** A message whose places are counted in what was entered; places before it stay as they are. */
function placed(message: string, firstLine: number): string {
  return message.replace(/\b(at (?:repl:)?)(\d+)(?=:\d+)/g, (whole, at: string, line: string) =>
    Number(line) < firstLine ? whole : `${at}${Number(line) - firstLine + 1}`,
  );
}

/** Errors with places counted in what was entered. */
function explain({ text, firstLine }: Script, { diagnostics }: CheckResult): string {
  const entered = text
    .split('\n')
    .slice(firstLine - 1)
    .join('\n');
  return diagnostics
    .map((diagnostic) => {
      const { position } = diagnostic;
      if (position === null || position.file !== file) return renderDiagnostic(diagnostic);
      const line = position.line - firstLine + 1;
      const message = placed(diagnostic.message, firstLine);
      if (line >= 1) return renderDiagnostic({ ...diagnostic, message, position: { ...position, line } }, entered);
      return `what was defined before no longer fits:\n${renderDiagnostic(diagnostic, text)}`;
    })
    .join('\n\n');
}
