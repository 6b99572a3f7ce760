import { datatypeName, found, type Sort, shapes, solverSort } from './sort.js';
import type { Term } from './term.js';

/** The text of a problem: declarations, then the assertions. Shared nodes are written once. */
export function problemText(assertions: readonly Term[], extra: readonly Term[] = []): string {
  return new Printer().print(assertions, extra);
}

class Printer {
  readonly #uses = new Map<Term, number>();
  readonly #datatypes = new Map<string, Sort>();
  readonly #declared = new Map<string, string>();
  readonly #names = new Map<Term, string>();
  readonly #fresh = new Map<Term, number>();
  readonly #lines: string[] = [];

  print(assertions: readonly Term[], extra: readonly Term[]): string {
    for (const term of [...assertions, ...extra]) this.#count(term);
    const body = assertions.map((term) => `(assert ${this.#text(term)})`);
    const declarations = [...this.#declared.values()];
    return [...this.#datatypeLines(), ...declarations, ...this.#lines, ...body].join('\n');
  }

  #count(term: Term): void {
    const uses = this.#uses.get(term) ?? 0;
    this.#uses.set(term, uses + 1);
    if (uses > 0) return;
    this.#need(term.sort);
    for (const arg of term.args) this.#count(arg);
    const { node } = term;
    if (node.k === 'symbol' && !node.bound)
      this.#declared.set(this.#symbol(term), `(declare-const ${this.#symbol(term)} ${solverSort(term.sort)})`);
    if (node.k === 'apply' && node.declared) {
      const sorts = term.args.map((arg) => solverSort(arg.sort)).join(' ');
      this.#declared.set(functionName(term), `(declare-fun ${functionName(term)} (${sorts}) ${solverSort(term.sort)})`);
    }
  }

  /** Numbered in the order they are met, so that the same problem always has the same text. */
  #symbol(term: Term): string {
    if (term.node.k !== 'symbol') return '';
    if (!term.node.fresh) return `|${term.node.name}|`;
    const number = this.#fresh.get(term) ?? this.#fresh.size;
    this.#fresh.set(term, number);
    return `|${term.node.name}!${number}|`;
  }

  #need(sort: Sort): void {
    const at = found(sort);
    if (at.k === 'list') this.#need(at.item);
    if (at.k === 'var') this.#need({ k: 'unit' });
    const parts = shapes(at);
    if (parts === null) return;
    const name = datatypeName(at);
    if (this.#datatypes.has(name)) return;
    this.#datatypes.set(name, at);
    for (const { fields } of parts) for (const field of fields) this.#need(field);
  }

  #datatypeLines(): string[] {
    if (this.#datatypes.size === 0) return [];
    const names = [...this.#datatypes.keys()].map((name) => `(|${name}| 0)`).join(' ');
    const bodies = [...this.#datatypes].map(([name, sort]) => {
      const constructors = (shapes(sort) ?? []).map((shape) => {
        const fields = shape.fields.map(
          (field, index) => `(${selector(shape.name, index, name)} ${solverSort(field)})`,
        );
        return fields.length === 0
          ? `(${maker(shape.name, name)})`
          : `(${maker(shape.name, name)} ${fields.join(' ')})`;
      });
      return `(${constructors.join(' ')})`;
    });
    return [`(declare-datatypes (${names}) (${bodies.join('\n')}))`];
  }

  #text(term: Term): string {
    const named = this.#names.get(term);
    if (named !== undefined) return named;
    const text = this.#plain(term);
    if (term.open || term.args.length === 0 || (this.#uses.get(term) ?? 0) < 2) return text;
    const name = `t!${this.#names.size}`;
    this.#lines.push(`(define-fun ${name} () ${solverSort(term.sort)} ${text})`);
    this.#names.set(term, name);
    return name;
  }

  #plain(term: Term): string {
    const { node } = term;
    const args = term.args.map((arg) => this.#text(arg));
    const applied = (name: string): string => (args.length === 0 ? name : `(${name} ${args.join(' ')})`);
    switch (node.k) {
      case 'int':
        return node.value < 0n ? `(- ${-node.value})` : String(node.value);
      case 'bool':
        return String(node.value);
      case 'string':
        return stringLiteral(node.value);
      case 'float':
        return floatLiteral(node.value);
      case 'symbol':
        return this.#symbol(term);
      case 'apply':
        return applied(node.declared ? functionName(term) : node.name);
      case 'empty':
        return `(as seq.empty ${solverSort(term.sort)})`;
      case 'construct':
        return applied(maker(node.shape, datatypeName(term.sort)));
      case 'select':
        return applied(selector(node.shape, node.index, datatypeName((term.args[0] as Term).sort)));
      case 'is':
        return applied(`(_ is ${maker(node.shape, datatypeName((term.args[0] as Term).sort))})`);
      case 'forall':
        return `(forall (${args
          .slice(0, -1)
          .map((name) => `(${name} Int)`)
          .join(' ')}) ${args.at(-1)})`;
    }
  }
}

/** One function for each tuple of argument sorts. */
function functionName(term: Term): string {
  if (term.node.k !== 'apply') return '';
  return `|${term.node.name}(${term.args.map((arg) => datatypeName(arg.sort)).join(', ')})|`;
}

const maker = (shape: string, datatype: string): string => `|${shape}:${datatype}|`;
const selector = (shape: string, index: number, datatype: string): string => `|${shape}.${index}:${datatype}|`;

function stringLiteral(value: string): string {
  const text = [...value].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === '"') return '""';
    return code < 32 || code > 126 || character === '\\' ? `\\u{${code.toString(16)}}` : character;
  });
  return `"${text.join('')}"`;
}

function floatLiteral(value: number): string {
  if (Number.isNaN(value)) return '(_ NaN 11 53)';
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0).toString(2).padStart(64, '0');
  return `(fp #b${bits[0]} #b${bits.slice(1, 12)} #b${bits.slice(12)})`;
}
