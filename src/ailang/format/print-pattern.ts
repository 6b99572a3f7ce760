import type { Pattern } from '../syntax/ast.js';
import { escapeName } from './names.js';
import { floatText } from './numbers.js';
import { quoteString } from './quote-string.js';
import type { SourceView } from './source-view.js';

/** A pattern, always on one line. */
export function printPattern(view: SourceView, pattern: Pattern): string {
  const many = (patterns: readonly Pattern[]): string => patterns.map((item) => printPattern(view, item)).join(', ');
  switch (pattern.k) {
    case 'wildcard':
      return '_';
    case 'name':
      return pattern.name;
    case 'constructor':
      return `${pattern.name.text}(${many(pattern.arguments)})`;
    case 'cons': {
      const head = printPattern(view, pattern.head);
      return `${pattern.head.k === 'cons' ? `(${head})` : head} :: ${printPattern(view, pattern.tail)}`;
    }
    case 'int':
      return number(view, pattern, pattern.value.toString());
    case 'float':
      return number(view, pattern, floatText(pattern.value));
    case 'string':
      return view.spelling(pattern) ?? quoteString(pattern.value);
    case 'bool':
      return String(pattern.value);
    case 'unit':
      return '()';
    case 'list': {
      const rest = pattern.rest === null ? [] : [`...${pattern.rest.text}`];
      return `[${[...pattern.items.map((item) => printPattern(view, item)), ...rest].join(', ')}]`;
    }
    case 'tuple':
      return `(${many(pattern.items)})`;
    case 'record': {
      const fields = pattern.fields.map(({ name, pattern: inner }) => {
        const short = (inner.k === 'name' && inner.name === name.text) || (inner.k === 'wildcard' && name.text === '_');
        return short ? name.text : `${escapeName(name.text)}: ${printPattern(view, inner)}`;
      });
      const all = pattern.open ? [...fields, '...'] : fields;
      return all.length === 0 ? '{}' : `{ ${all.join(', ')} }`;
    }
  }
}

/** Spelt as in the source; white space after a minus sign goes. */
function number(view: SourceView, span: { readonly start: number; readonly end: number }, plain: string): string {
  const spelling = view.spelling(span);
  return spelling === null ? plain : spelling.replace(/^-\s+(?=\d)/, '-');
}
