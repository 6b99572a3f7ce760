export type Escape =
  | { readonly ok: true; readonly value: string; readonly length: number }
  | { readonly ok: false; readonly message: string; readonly length: number };

const simple: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
  $: '$',
  e: '\u001b',
};

const listed = '\\n \\t \\r \\\\ \\" \\\' \\$ \\e \\0 \\xHH \\uXXXX \\u{…}';

/** Decodes the escape whose backslash is at `at`; `length` counts from the backslash. */
export function readEscape(text: string, at: number): Escape {
  const letter = text[at + 1] ?? '';
  const known = simple[letter];
  if (known !== undefined) return { ok: true, value: known, length: 2 };
  if (letter === '0') {
    if (/[0-7]/.test(text[at + 2] ?? '')) {
      return { ok: false, message: 'octal escapes are not supported; write \\xHH', length: 2 };
    }
    return { ok: true, value: '\0', length: 2 };
  }
  if (letter === 'x') return hexEscape(text, at, /^[0-9a-fA-F]{2}/, 2, '\\x takes two hex digits');
  if (letter === 'u') return unicodeEscape(text, at);
  return { ok: false, message: `unknown escape \\${letter}; the escapes are ${listed}`, length: 2 };
}

function unicodeEscape(text: string, at: number): Escape {
  if (text[at + 2] !== '{')
    return hexEscape(text, at, /^[0-9a-fA-F]{4}/, 2, '\\u takes four hex digits or {1-6 hex digits}');
  const digits = /^\{([0-9a-fA-F]{1,6})\}/.exec(text.slice(at + 2, at + 11))?.[1];
  if (digits === undefined) return { ok: false, message: '\\u{…} takes one to six hex digits', length: 3 };
  return codePoint(Number.parseInt(digits, 16), digits.length + 4);
}

function hexEscape(text: string, at: number, pattern: RegExp, skip: number, message: string): Escape {
  const digits = pattern.exec(text.slice(at + skip, at + skip + 4))?.[0];
  if (digits === undefined) return { ok: false, message, length: 2 };
  return codePoint(Number.parseInt(digits, 16), skip + digits.length);
}

function codePoint(value: number, length: number): Escape {
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
    return { ok: false, message: `U+${value.toString(16).toUpperCase()} is not a Unicode character`, length };
  }
  return { ok: true, value: String.fromCodePoint(value), length };
}
