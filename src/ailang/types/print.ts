import { type EffectVariable, printRow, resolveRow } from '../effects/row.js';
import { flattenRecord, resolve, type Type, type TypeVariable } from './type.js';

export interface PrintStyle {
  /** `(int,string)->r!{E}` as in interface files, else `(int, string) -> r ! {E}`. */
  readonly compact: boolean;
  /** Rename all variables a, b, c, … by first appearance, rigid ones too. */
  readonly rename: boolean;
}

const diagnosticStyle: PrintStyle = { compact: false, rename: false };

/** Prints types with stable variable names within one printer. */
export class TypePrinter {
  readonly #names = new Map<TypeVariable | EffectVariable, string>();
  readonly #effectUses = new Map<EffectVariable, number>();
  #next = 0;

  constructor(readonly style: PrintStyle = diagnosticStyle) {}

  print(type: Type, depth = 0): string {
    if (depth === 0) this.#countEffects(type);
    if (depth > 12) return '…';
    if (type.k === 'label')
      return `${this.print(type.type, depth)}${type.refused ? `{not ${type.label}}` : `<${type.label}>`}`;
    const found = resolve(type);
    const comma = this.style.compact ? ',' : ', ';
    switch (found.k) {
      case 'var':
        return found.literal ? 'int' : this.#variable(found, found.rigid);
      case 'named': {
        const args = found.arguments.map((argument) => this.print(argument, depth + 1));
        if (found.constructor.name === 'List' && found.constructor.module === '') return `[${args[0] ?? ''}]`;
        return args.length === 0 ? found.constructor.name : `${found.constructor.name}[${args.join(comma)}]`;
      }
      case 'tuple':
        return `(${found.items.map((item) => this.print(item, depth + 1)).join(comma)})`;
      case 'record': {
        const { fields, rest } = flattenRecord(found);
        const shown = [...fields]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, field]) => `${name}: ${this.print(field, depth + 1)}`);
        if (rest === null) return `{${shown.join(', ')}}`;
        if (this.style.compact) return `{${[...shown, `...${this.#variable(rest, rest.rigid)}`].join(', ')}}`;
        const named = rest.rigid === null || rest.rigid === '...' ? null : rest.rigid;
        return named === null ? `{${[...shown, '...'].join(', ')}}` : `{${shown.join(', ')} | ${named}}`;
      }
      case 'function':
        return this.#function(found, depth);
    }
  }

  #function(type: Extract<Type, { k: 'function' }>, depth: number): string {
    const parameters =
      type.parameters.length === 0 ? ['()'] : type.parameters.map((parameter) => this.print(parameter, depth + 1));
    const result = this.print(type.result, depth + 1);
    const nameOf = (variable: EffectVariable) => {
      const alone = (this.#effectUses.get(variable) ?? 0) < 2;
      return variable.rigid === null && alone ? null : this.#variable(variable, variable.rigid);
    };
    if (this.style.compact) {
      const row = printRow(type.effects, nameOf, ',');
      return `(${parameters.join(',')})->${result}${row === '' ? '' : `!{${row}}`}`;
    }
    const row = printRow(type.effects, nameOf);
    return `(${parameters.join(', ')}) -> ${result}${row === '' ? '' : ` ! {${row}}`}`;
  }

  /** An effect variable used once says nothing: the row may grow, which is so for every function. */
  #countEffects(type: Type, depth = 0): void {
    const found = resolve(type);
    if (found.k === 'var' || depth > 12) return;
    if (found.k === 'record') {
      for (const field of found.fields.values()) this.#countEffects(field, depth + 1);
      return;
    }
    const parts =
      found.k === 'function'
        ? [...found.parameters, found.result]
        : found.k === 'tuple'
          ? found.items
          : found.arguments;
    for (const part of parts) this.#countEffects(part, depth + 1);
    if (found.k !== 'function') return;
    for (const variable of resolveRow(found.effects).variables) {
      this.#effectUses.set(variable, (this.#effectUses.get(variable) ?? 0) + 1);
    }
  }

  #variable(variable: TypeVariable | EffectVariable, rigid: string | null): string {
    if (rigid !== null && !this.style.rename) return rigid;
    const known = this.#names.get(variable);
    if (known !== undefined) return known;
    const index = this.#next++;
    const name = String.fromCharCode(97 + (index % 26)) + (index < 26 ? '' : String(Math.floor(index / 26)));
    this.#names.set(variable, name);
    return name;
  }
}

/** One type as a message shows it. */
export function printType(type: Type): string {
  return new TypePrinter().print(type);
}
