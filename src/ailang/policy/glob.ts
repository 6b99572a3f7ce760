/**
 * Go's `path.Match`: `*` and `?` stay within one path component, `[…]` is a class, `\` quotes.
 * @returns null when the pattern is malformed
 */
export function compileGlob(pattern: string): RegExp | null {
  const characters = [...pattern];
  let source = '';
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (character === '[') {
      const parsed = characterClass(characters, at);
      if (parsed === null) return null;
      source += parsed.source;
      at = parsed.end;
    } else {
      const literal = character === '\\' ? characters[++at] : character;
      if (literal === undefined) return null;
      source += escaped(literal);
    }
  }
  return new RegExp(`^${source}$`, 'su');
}

const escaped = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

function characterClass(characters: readonly string[], start: number): { source: string; end: number } | null {
  let at = start + 1;
  const negated = characters[at] === '^';
  if (negated) at++;
  let source = '';
  let ranges = 0;
  const next = (): string | null => {
    const character = characters[at++];
    if (character === undefined || character === '-' || character === ']') return null;
    return character === '\\' ? (characters[at++] ?? null) : character;
  };
  while (characters[at] !== ']' || ranges === 0) {
    const low = next();
    if (low === null) return null;
    let high: string | null = low;
    if (characters[at] === '-') {
      at++;
      high = next();
    }
    if (high === null) return null;
    // Go accepts an empty range such as [z-a]; it matches nothing.
    if (low.codePointAt(0)! <= high.codePointAt(0)!) source += `${escaped(low)}-${escaped(high)}`;
    ranges++;
  }
  const positive = source === '' ? '(?!)' : `[${source}]`;
  const negative = source === '' ? '[^/]' : `[^/${source}]`;
  return { source: negated ? negative : `(?!/)${positive}`, end: at };
}
