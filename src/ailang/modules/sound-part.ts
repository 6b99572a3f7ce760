import type { Diagnostic } from '../diagnostic.js';
import type { File, Span } from '../syntax/ast.js';
import { definingWords } from '../syntax/foreign-words.js';
import type { Source } from '../syntax/source.js';

const word = "[\\p{L}_][\\p{L}\\p{N}_']*";
const defined = new RegExp(`\\b(?:${definingWords})\\s+(${word})`, 'gu');
const capitalised = /\b\p{Lu}[\p{L}\p{N}_']*/gu;
const imported = /\b(?:import|use|open|require)\b[^\n(]*(?:\([^)]*\))?/gu;

/** What can be checked of a file with syntax errors, and the names that the rest of it seems to define. */
export interface SoundPart {
  readonly file: File;
  readonly lost: ReadonlySet<string>;
  /** Library modules that a broken import may mean: it could have brought any of their names. */
  readonly modules: ReadonlySet<string>;
}

/** Leaves out the imports and declarations that contain a syntax error or end where one begins. */
export function soundPart(source: Source, file: File, errors: readonly Diagnostic[]): SoundPart {
  const { text } = source;
  const sound = <T extends Span>(span: T): boolean => {
    const gap = /^\s*/.exec(text.slice(span.end, span.end + 200))?.[0].length ?? 0;
    const from = source.position(span.start);
    const to = source.position(span.end + gap);
    return !errors.some(({ position }) => position !== null && !isBefore(position, from) && !isBefore(to, position));
  };
  const part: File = {
    module: file.module,
    imports: file.imports.filter(sound),
    declarations: file.declarations.filter((one) => one.k !== 'expression' && sound(one)),
  };
  return { file: part, lost: lostNames(text, part), modules: brokenImports(text, part) };
}

interface Place {
  readonly line: number;
  readonly column: number;
}

const isBefore = (a: Place, b: Place): boolean => a.line < b.line || (a.line === b.line && a.column < b.column);

function lostNames(text: string, file: File): Set<string> {
  const names = new Set<string>();
  for (const part of unparsed(text, file)) {
    for (const found of part.matchAll(defined)) names.add(found[1] ?? '');
    for (const found of part.matchAll(capitalised)) names.add(found[0]);
    // `Option(..)` would have brought constructors, whichever they are.
    if (part.includes('(..)')) for (const found of text.matchAll(capitalised)) names.add(found[0]);
    for (const found of part.matchAll(imported))
      for (const name of found[0].matchAll(new RegExp(word, 'gu'))) names.add(name[0]);
  }
  return names;
}

const libraryPath = /\bstd(?:\/|\.|::)([a-z]\w*)/g;

function brokenImports(text: string, file: File): Set<string> {
  const lines = [...unparsed(text, file)].flatMap(
    (part) => part.match(/^.*\b(?:import|use|from|open|require)\b.*$/gm) ?? [],
  );
  return new Set(lines.flatMap((line) => [...line.matchAll(libraryPath)].map((found) => `std/${found[1]}`)));
}

/** The text between what was parsed. */
function* unparsed(text: string, { module, imports, declarations }: File): Iterable<string> {
  const spans: Span[] = [...(module === null ? [] : [module]), ...imports, ...declarations];
  let end = 0;
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    if (span.start > end) yield text.slice(end, span.start);
    end = Math.max(end, span.end);
  }
  yield text.slice(end);
}
