import type { CorePattern } from '../core/types.js';
import type { Pattern } from '../syntax/ast.js';
import { isNamed } from '../types/type.js';
import type { Elaboration } from './elaborate-expr.js';

export function elaboratePattern(c: Elaboration, pattern: Pattern): CorePattern {
  const again = (part: Pattern) => elaboratePattern(c, part);
  const variant = c.facts.patterns.get(pattern);
  if (variant !== undefined) {
    const args = pattern.k === 'constructor' ? pattern.arguments.map(again) : [];
    return { k: 'constructor', type: variant.type.name, name: variant.name, args };
  }
  switch (pattern.k) {
    case 'wildcard':
    case 'constructor':
      return { k: 'wildcard' };
    case 'name':
      return { k: 'bind', name: pattern.name };
    case 'int': {
      const type = c.facts.types.get(pattern);
      if (type !== undefined && isNamed(type, 'float'))
        return { k: 'literal', value: { k: 'float', value: Number(pattern.value) } };
      return { k: 'literal', value: { k: 'int', value: pattern.value } };
    }
    case 'float':
      return { k: 'literal', value: { k: 'float', value: pattern.value } };
    case 'string':
      return { k: 'literal', value: { k: 'string', value: pattern.value } };
    case 'bool':
      return { k: 'literal', value: { k: 'bool', value: pattern.value } };
    case 'unit':
      return { k: 'literal', value: { k: 'unit' } };
    case 'cons':
      return { k: 'cons', head: again(pattern.head), tail: again(pattern.tail) };
    case 'list': {
      const { rest } = pattern;
      const tail: CorePattern | null =
        rest === null ? null : rest.text === '_' ? { k: 'wildcard' } : { k: 'bind', name: rest.text };
      return { k: 'list', items: pattern.items.map(again), rest: tail };
    }
    case 'tuple':
      return { k: 'tuple', items: pattern.items.map(again) };
    case 'record':
      return {
        k: 'record',
        fields: pattern.fields.map(({ name, pattern: part }) => ({ name: name.text, pattern: again(part) })),
      };
  }
}
