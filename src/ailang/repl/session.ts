import type { Declaration } from '../syntax/ast.js';
import { declaredNames } from '../syntax/declared-names.js';
import { parseFile } from '../syntax/parse-file.js';
import { Source } from '../syntax/source.js';

/** The name that the value of an entered expression has while it is evaluated. */
export const resultName = 'replResult';

/** A script to check and run, and the line of it where the entered text begins, from 1. */
export interface Script {
  readonly text: string;
  readonly firstLine: number;
}

/** A part of what was entered. */
export type Piece =
  | { readonly k: 'import'; readonly text: string }
  /** A function or type; `name` is the first that it declares. */
  | { readonly k: 'definition'; readonly name: string; readonly text: string }
  /** `head` is `let x = ` or `let x: int = `. */
  | { readonly k: 'value'; readonly name: string; readonly head: string; readonly text: string }
  | { readonly k: 'expression'; readonly text: string }
  /** What has no meaning here; the text says why. */
  | { readonly k: 'refused'; readonly reason: string };

/** Cuts the entered text into its parts; null when it does not parse (the check then says why). */
export function piecesOf(text: string): readonly Piece[] | null {
  const source = new Source('repl', text);
  const { file, diagnostics } = parseFile(source);
  if (diagnostics.length > 0) return null;
  const slice = (start: number, end: number): string => source.text.slice(start, end);
  const header: Piece[] =
    file.module === null ? [] : [{ k: 'refused', reason: 'the repl is no module: leave the module line out' }];
  const imports = file.imports.map(({ start, end }): Piece => ({ k: 'import', text: slice(start, end) }));
  const declarations = file.declarations.map((declaration) => pieceOf(declaration, slice));
  return [...header, ...imports, ...declarations];
}

function pieceOf(declaration: Declaration, slice: (start: number, end: number) => string): Piece {
  const { start, end } = declaration;
  const whole = slice(start, end).replace(/;\s*$/, '');
  switch (declaration.k) {
    case 'function':
    case 'type':
    case 'extern':
      return { k: 'definition', name: declaration.name.text, text: whole };
    case 'value':
      return { k: 'value', name: declaration.name.text, head: slice(start, declaration.value.start), text: whole };
    case 'expression':
      return { k: 'expression', text: whole };
    case 'test':
    case 'property':
      return { k: 'refused', reason: 'tests run with ailang test, not in the repl' };
  }
}

/** What was defined so far. */
export class Session {
  readonly #imports: string[] = [];
  /** Texts by the names they declare, in the order of their definition. */
  readonly #definitions = new Map<string, string>();

  /** The script that runs new text after all that was defined, but for what it defines anew. */
  script(text: string): Script {
    const replaced = new Set(namesIn(text));
    const kept = [...this.#definitions].filter(
      ([name, old]) => ![name, ...namesIn(old)].some((one) => replaced.has(one)),
    );
    const before = [...this.#imports, ...kept.map(([, old]) => old)];
    const isImport = /^import\s/.test(text);
    const lines = isImport ? [text, ...before] : [...before, text];
    const firstLine = isImport ? 1 : before.join('\n').split('\n').length + (before.length === 0 ? 0 : 1);
    return { text: lines.join('\n'), firstLine };
  }

  addImport(text: string): void {
    if (!this.#imports.includes(text)) this.#imports.push(text);
  }

  define(name: string, text: string): void {
    const replaced = new Set(namesIn(text));
    for (const [known, old] of [...this.#definitions])
      if (known === name || namesIn(old).some((one) => replaced.has(one))) this.#definitions.delete(known);
    this.#definitions.set(name, text);
  }

  reset(): void {
    this.#imports.length = 0;
    this.#definitions.clear();
  }

  /** Everything that is defined, as one would write it. */
  listing(): string {
    return [...this.#imports, ...this.#definitions.values()].join('\n');
  }
}

const namesIn = (text: string): string[] =>
  parseFile(new Source('repl', text)).file.declarations.flatMap((one) => declaredNames(one).map((name) => name.text));
