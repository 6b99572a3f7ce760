import type { Doc } from './doc.js';

/** Columns, in code points. */
export const pageWidth = 120;

interface Task {
  readonly doc: Doc;
  readonly indent: number;
  readonly flat: boolean;
}

/** Chooses the line breaks of a document. The text has no white space at line ends, and none at its end. */
export function layout(document: Doc, width: number = pageWidth): string {
  const printer = new Printer(width);
  printer.run(document);
  return printer.text();
}

/** Everything on one line, as far as the strings in it allow. Comments have no place there. */
export function flatLayout(doc: Doc): string {
  if (typeof doc === 'string') return doc;
  switch (doc.k) {
    case 'concat':
      return doc.parts.map(flatLayout).join('');
    case 'indent':
    case 'group':
      return flatLayout(doc.doc);
    case 'hang':
      return ` ${flatLayout(doc.doc)}`;
    case 'line':
    case 'hardline':
      return doc.flat;
    case 'broken':
      return '';
    case 'suffix':
      throw new Error('a comment cannot be printed in the middle of a line');
  }
}

class Printer {
  readonly #out: string[] = [];
  readonly #suffixes: string[] = [];
  readonly #tasks: Task[] = [];
  #column = 0;
  /** Indentation of a line that has no text yet. */
  #pending = 0;

  constructor(readonly width: number) {}

  text(): string {
    this.#flush();
    return this.#out.join('');
  }

  run(document: Doc): void {
    this.#tasks.push({ doc: document, indent: 0, flat: false });
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) this.#step(task);
  }

  #step({ doc, indent, flat }: Task): void {
    if (typeof doc === 'string') {
      this.#write(doc);
      return;
    }
    switch (doc.k) {
      case 'concat':
        for (const part of doc.parts.toReversed()) this.#tasks.push({ doc: part, indent, flat });
        break;
      case 'indent':
        this.#tasks.push({ doc: doc.doc, indent: indent + 2, flat });
        break;
      case 'group':
        this.#tasks.push({ doc: doc.doc, indent, flat: this.#fits(doc.doc, 0) });
        break;
      case 'hang':
        this.#hang(doc, indent, flat);
        break;
      case 'line':
        if (flat) this.#write(doc.flat);
        else this.#newline(indent, false);
        break;
      case 'hardline':
        this.#newline(indent, doc.blank);
        break;
      case 'broken':
        if (!flat) this.#write(doc.text);
        break;
      case 'suffix':
        this.#suffixes.push(doc.text);
    }
  }

  #hang({ doc, always }: { readonly doc: Doc; readonly always: boolean }, indent: number, flat: boolean): void {
    if (!always && this.#fits(doc, 1)) {
      this.#write(' ');
      this.#tasks.push({ doc, indent, flat });
      return;
    }
    this.#newline(indent + 2, false);
    this.#tasks.push({ doc, indent: indent + 2, flat: false });
  }

  #write(text: string): void {
    if (text === '') return;
    if (this.#pending > 0) this.#out.push(' '.repeat(this.#pending));
    this.#pending = 0;
    this.#out.push(text);
    const newline = text.lastIndexOf('\n');
    this.#column = newline === -1 ? this.#column + columns(text) : columns(text.slice(newline + 1));
  }

  #flush(): void {
    for (const text of this.#suffixes) this.#write(`  ${text}`);
    this.#suffixes.length = 0;
  }

  #newline(indent: number, blank: boolean): void {
    this.#flush();
    this.#out.push(blank ? '\n\n' : '\n');
    this.#column = indent;
    this.#pending = indent;
  }

  /** Whether the document and what follows it stay on this line up to the first place where the line ends. */
  #fits(document: Doc, before: number): boolean {
    let left = this.width - this.#column - before;
    const ahead: { readonly doc: Doc; readonly flat: boolean }[] = [{ doc: document, flat: true }];
    for (let rest = this.#tasks.length; left >= 0; ) {
      const next = ahead.pop();
      if (next === undefined) {
        const task = this.#tasks[--rest];
        if (task === undefined) return true;
        ahead.push({ doc: task.doc, flat: task.flat });
        continue;
      }
      const { doc, flat } = next;
      if (typeof doc === 'string') {
        const newline = doc.indexOf('\n');
        left -= columns(newline === -1 ? doc : doc.slice(0, newline));
        if (newline !== -1) return left >= 0;
        continue;
      }
      switch (doc.k) {
        case 'concat':
          for (const part of doc.parts.toReversed()) ahead.push({ doc: part, flat });
          break;
        case 'indent':
        case 'group':
          ahead.push({ doc: doc.doc, flat });
          break;
        case 'hang':
          if (doc.always || !flat) return true;
          left -= 1;
          ahead.push({ doc: doc.doc, flat });
          break;
        case 'line':
          if (!flat) return true;
          left -= doc.flat.length;
          break;
        case 'hardline':
          return true;
        case 'broken':
          left -= flat ? 0 : doc.text.length;
          break;
        case 'suffix':
      }
    }
    return false;
  }
}

function columns(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit < 0xdc00) count--;
  }
  return count;
}
