/**
 * What is to be printed, before its line breaks are chosen. `forced` says that it holds a line break in any layout.
 */
export type Doc = string | DocNode;

type DocNode = { readonly forced: boolean } & (
  | { readonly k: 'concat'; readonly parts: readonly Doc[] }
  | { readonly k: 'indent'; readonly doc: Doc }
  /** A space or nothing where the enclosing group fits on the line, else a line break. */
  | { readonly k: 'line'; readonly flat: string }
  /** `flat` is what stands for it inside an interpolation hole. */
  | { readonly k: 'hardline'; readonly blank: boolean; readonly flat: string }
  | { readonly k: 'group'; readonly doc: Doc }
  /** After a space where its beginning fits on the line, else indented on a line of its own. */
  | { readonly k: 'hang'; readonly doc: Doc; readonly always: boolean }
  /** Text that only stands where the enclosing group does not fit on the line. */
  | { readonly k: 'broken'; readonly text: string }
  /** Printed before the next line break: a comment at the end of a line. */
  | { readonly k: 'suffix'; readonly text: string }
);

export const line: Doc = { k: 'line', flat: ' ', forced: false };
export const softline: Doc = { k: 'line', flat: '', forced: false };
export const hardline: Doc = lineBreak(' ');
/** Ends the line and leaves one empty. */
export const blankLine: Doc = lineBreak(' ', true);

export function lineBreak(flat: string, blank = false): Doc {
  return { k: 'hardline', blank, flat, forced: true };
}

export function isForced(doc: Doc): boolean {
  return typeof doc === 'string' ? doc.includes('\n') : doc.forced;
}

export function concat(...parts: readonly Doc[]): Doc {
  return sequence(parts);
}

/** As `concat`, for any number of parts. */
export function sequence(parts: readonly Doc[]): Doc {
  return { k: 'concat', parts, forced: parts.some(isForced) };
}

export function indent(doc: Doc): Doc {
  return { k: 'indent', doc, forced: isForced(doc) };
}

/** Its lines are spaces when it fits up to its first forced break, else all of them are breaks. */
export function group(...parts: readonly Doc[]): Doc {
  const doc = concat(...parts);
  return { k: 'group', doc, forced: isForced(doc) };
}

export function hang(doc: Doc, always = false): Doc {
  return { k: 'hang', doc, always, forced: always || isForced(doc) };
}

/** Text at the end of the line it lands on; the line must end after it, so it counts as a forced break. */
export function suffix(text: string): Doc {
  return { k: 'suffix', text, forced: true };
}

export function join(separator: Doc, docs: readonly Doc[]): Doc {
  return sequence(docs.flatMap((doc, index) => (index === 0 ? [doc] : [separator, doc])));
}

/** The text a document begins with. */
export function firstText(doc: Doc): string {
  if (typeof doc === 'string') return doc;
  switch (doc.k) {
    case 'concat':
      return doc.parts.reduce<string>((found, part) => found || firstText(part), '');
    case 'indent':
    case 'group':
    case 'hang':
      return firstText(doc.doc);
    default:
      return '';
  }
}

/** Whether a part of this line must go on below it. */
export function goesBelow(doc: Doc): boolean {
  if (typeof doc === 'string') return false;
  if (doc.k === 'concat') return doc.parts.some(goesBelow);
  return doc.k === 'suffix' || (doc.k === 'hang' && doc.always);
}
