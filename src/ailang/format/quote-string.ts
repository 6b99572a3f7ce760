const named: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\\': '\\\\',
  '"': '\\"',
  '\u001b': '\\e',
};

/** A string literal with this value. */
export function quoteString(value: string): string {
  return `"${escapeString(value)}"`;
}

/** The inside of a string literal: what the lexer, which normalises its text to NFC, reads back as this value. */
export function escapeString(value: string): string {
  const plain = value.replace(
    /[\u0000-\u001f\u007f"\\\ufeff]|\$(?=\{)/g,
    (char) => named[char] ?? (char === '$' ? '\\$' : `\\u{${char.codePointAt(0)?.toString(16)}}`),
  );
  if (plain.normalize('NFC') === plain) return plain;
  return plain.replace(/[^\u0000-\u007f]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
