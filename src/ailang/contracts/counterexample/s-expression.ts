/** An atom, a string literal's text, or a list. */
export type SExpression = string | { readonly text: string } | readonly SExpression[];

/** Reads the first expression. @throws Error on text that is none */
export function readSExpression(text: string): SExpression {
  const tokens = [...text.matchAll(/\s+|([()])|"((?:[^"]|"")*)"|(\|[^|]*\||[^\s()"|]+)/g)];
  let at = 0;
  const read = (): SExpression => {
    for (;;) {
      const token = tokens[at++];
      if (token === undefined) throw new Error('the model ends too early');
      const [, bracket, quoted, atom] = token;
      if (bracket === '(') {
        const items: SExpression[] = [];
        for (;;) {
          while (tokens[at] !== undefined && /^\s/.test(tokens[at]?.[0] ?? '')) at++;
          if (tokens[at]?.[1] === ')') {
            at++;
            return items;
          }
          items.push(read());
        }
      }
      if (bracket === ')') throw new Error('the model is not well formed');
      if (quoted !== undefined) return { text: unescaped(quoted.replaceAll('""', '"')) };
      if (atom !== undefined) return atom;
    }
  };
  return read();
}

const unescaped = (text: string): string =>
  text.replace(/\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})/g, (_, long: string, short: string) =>
    String.fromCodePoint(Number.parseInt(long ?? short, 16)),
  );
