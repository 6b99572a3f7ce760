// The official toolchain is written in Go: these renderings make our refusal texts byte-equal to its own.

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** Go's `%q`: a double-quoted string with everything unprintable escaped. */
export function quoted(text: string): string {
  let result = '"';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const known = escapes[character];
    if (known !== undefined) result += known;
    else if (code < 0x20 || code === 0x7f) result += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (code >= 0xd800 && code <= 0xdfff) result += '\\ufffd';
    else if (code === 0x20 || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) result += character;
    else if (code > 0xffff) result += `\\U${code.toString(16).padStart(8, '0')}`;
    else result += `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return `${result}"`;
}

/** Go's text of a duration: `8s`, `300ms`, `1m30s`, `24h0m0s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds}ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  const rest = `${Number((seconds - minutes * 60).toFixed(3))}s`;
  return minutes < 60 ? `${minutes}m${rest}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${rest}`;
}

/** Go's JSON encoder escapes what HTML gives a meaning, and the two line separators. */
export function goJson(value: unknown, indent?: number): string {
  const unicode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(/[<>&\u2028\u2029]/g, unicode);
}

/** Go's decoding of bytes as text: one U+FFFD for each byte that belongs to no valid sequence. */
export function goString(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  let result = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    result += length === 0 ? '\ufffd' : bytes.toString('utf8', at, at + length);
    at += length || 1;
  }
  return result;
}

function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0;
  const second = bytes[at + 1]!;
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let index = 2; index < length; index++) if ((bytes[at + index]! & 0xc0) !== 0x80) return 0;
  return length;
}
