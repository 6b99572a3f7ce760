import { List } from '../eval/list.js';
import { show } from '../eval/show.js';
import { ArrayValue, Data, RecordValue, Tuple, type Value } from '../eval/values.js';
import { quoteString } from '../format/quote-string.js';

/** The value as an agent would write it in a program: strings in quotes, nothing cut. */
export function literal(value: Value): string {
  const many = (values: readonly Value[]): string => values.map(literal).join(', ');
  if (typeof value === 'string') return quoteString(value);
  if (value instanceof List) return `[${many(value.toArray())}]`;
  if (value instanceof ArrayValue) return `#[${many(value.items)}]`;
  if (value instanceof Tuple) return `(${many(value.items)}${value.items.length === 1 ? ',' : ''})`;
  if (value instanceof Data) return value.c.arity === 0 ? value.c.name : `${value.c.name}(${many(value.args())})`;
  if (value instanceof RecordValue) {
    const values = value.values();
    return values.length === 0
      ? '{}'
      : `{ ${value.names.map((name, at) => `${name}: ${literal(values[at])}`).join(', ')} }`;
  }
  return show(value);
}
