import type { Diagnostic } from '../diagnostic.js';
import type { File } from '../syntax/ast.js';
import { lex } from '../syntax/lexer.js';
import { parseFile } from '../syntax/parse-file.js';
import { Source } from '../syntax/source.js';
import { printFile } from './print-file.js';
import { sameTree } from './same-tree.js';
import { CommentInTheWay, SourceView } from './source-view.js';

export type Formatted =
  | { readonly ok: true; readonly text: string }
  /** 2: the file cannot be formatted without damage; 3: it does not parse. The message names the place. */
  | { readonly ok: false; readonly exitCode: 2 | 3; readonly message: string };

/**
 * The canonical form of a file (ailang-language section 8). The result has the same syntax tree and the same comments
 * in the same order, and is its own canonical form; where that cannot be kept the file is refused.
 * @param file the name used in messages
 */
export function format(text: string, file: string): Formatted {
  const source = new Source(file, text);
  const parsed = parseFile(source);
  const [problem] = parsed.diagnostics;
  if (problem !== undefined)
    return { ok: false, exitCode: 3, message: `${place(problem, file)}: parse error: ${problem.message}` };
  const refuse = (offset: number, reason: string): Formatted => {
    const { line, column } = source.position(offset);
    return { ok: false, exitCode: 2, message: `${file}:${line}:${column}: ${reason}` };
  };
  const dropped = exportList(source.text);
  if (dropped !== null)
    return refuse(dropped, 'an export list has no effect; write export before each function and type instead');
  const printed = print(source, parsed.file);
  if (printed instanceof CommentInTheWay)
    return refuse(
      printed.comment.start,
      'a comment inside an expression has no place in the canonical form; move it to a line of its own',
    );
  const result = new Source(file, printed);
  const again = parseFile(result);
  if (again.diagnostics.length > 0 || !sameTree(parsed.file, again.file))
    return refuse(0, 'the formatted text would not mean the same; the file is left as it is');
  const comments = again.comments.map((comment) => comment.text);
  if (comments.join('\n') !== parsed.comments.map((comment) => comment.text).join('\n'))
    return refuse(0, 'a comment would be lost or moved past another; the file is left as it is');
  if (comments.length === 0) return { ok: true, text: printed };
  const twice = print(result, again.file);
  if (twice === printed) return { ok: true, text: printed };
  const moved = twice instanceof CommentInTheWay ? twice.comment.start : firstDifference(printed, twice);
  const which = again.comments.findLastIndex(({ start }) => start <= moved);
  return refuse(
    parsed.comments[Math.max(which, 0)]?.start ?? 0,
    'a comment would move again each time the file is formatted; move it to a line of its own',
  );
}

function print(source: Source, file: File): string | CommentInTheWay {
  const view = new SourceView(source);
  try {
    const printed = printFile(view, file);
    const [lost] = view.left;
    return lost === undefined ? printed : new CommentInTheWay(lost);
  } catch (error) {
    if (error instanceof CommentInTheWay) return error;
    throw error;
  }
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function place({ position }: Diagnostic, file: string): string {
  return position === null ? file : `${file}:${position.line}:${position.column}`;
}

/** Where `export { … }` stands, which is in no syntax tree; null without one. */
function exportList(text: string): number | null {
  const { tokens } = lex(text);
  const at = tokens.findIndex(
    ({ kind, text: word }, index) => kind === 'keyword' && word === 'export' && tokens[index + 1]?.text === '{',
  );
  return tokens[at]?.start ?? null;
}
