import type { Core } from '../../core/types.js';
import { plainDigits } from '../../eval/show.js';

/** A value as a program writes it. */
export function valueText(value: Core): string {
  switch (value.k) {
    case 'int':
      // The least int cannot be written as the negation of a literal.
      return value.value === -(2n ** 63n) ? '-9223372036854775807 - 1' : String(value.value);
    case 'float':
      return floatText(value.value);
    case 'string':
      return stringText(value.value);
    case 'bool':
      return String(value.value);
    case 'list':
      return `[${value.items.map(valueText).join(', ')}]`;
    case 'tuple':
      return `(${value.items.map(valueText).join(', ')})`;
    case 'record':
      return `{ ${value.fields.map(({ name, value: field }) => `${name}: ${valueText(field)}`).join(', ')} }`;
    case 'constructor':
      return value.name;
    case 'call':
      return `${valueText(value.callee)}(${value.args.map(valueText).join(', ')})`;
    default:
      return '()';
  }
}

export const callText = (name: string, args: readonly Core[]): string => `${name}(${args.map(valueText).join(', ')})`;

function floatText(value: number): string {
  if (Number.isNaN(value)) return '0.0 / 0.0';
  if (!Number.isFinite(value)) return value > 0 ? '1.0 / 0.0' : '-1.0 / 0.0';
  const digits = plainDigits(value);
  return digits.includes('.') ? digits : `${digits}.0`;
}

function stringText(value: string): string {
  const text = [...value].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === '"' || character === '\\') return `\\${character}`;
    if (character === '$') return '\\$';
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    return code < 32 || code === 127 ? `\\u{${code.toString(16)}}` : character;
  });
  return `"${text.join('')}"`;
}
