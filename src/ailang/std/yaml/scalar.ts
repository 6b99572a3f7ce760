import type { JsonNode } from '../json-text.js';

/** What a plain scalar means in the core schema of YAML 1.2. */
export function resolvePlain(text: string): JsonNode {
  if (/^(?:~|null|Null|NULL|)$/.test(text)) return { k: 'null' };
  if (/^(?:true|True|TRUE)$/.test(text)) return { k: 'bool', value: true };
  if (/^(?:false|False|FALSE)$/.test(text)) return { k: 'bool', value: false };
  if (/^0o[0-7]+$/.test(text) || /^0x[0-9a-fA-F]+$/.test(text)) return { k: 'number', text: String(Number(text)) };
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return { k: 'number', text };
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) {
    return { k: 'number', text: text.startsWith('-') ? '-Infinity' : 'Infinity' };
  }
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return { k: 'number', text: 'NaN' };
  return { k: 'string', value: text };
}

/** Joins the lines of a folded scalar: one break is a space, more are one break less, indented lines keep theirs. */
export function foldLines(lines: readonly string[]): string {
  let text = '';
  let breaks = 0;
  let started = false;
  let indented = false;
  for (const line of lines) {
    if (line === '') {
      breaks += 1;
      continue;
    }
    const more = /^[ \t]/.test(line);
    if (!started) text += '\n'.repeat(breaks);
    else if (more || indented) text += '\n'.repeat(breaks + 1);
    else text += breaks === 0 ? ' ' : '\n'.repeat(breaks);
    text += line;
    breaks = 0;
    started = true;
    indented = more;
  }
  return text;
}

/** Lines of a plain or quoted scalar that spans several: white space around breaks does not count. */
export function joinLines(text: string): string {
  if (!text.includes('\n')) return text;
  const [first = '', ...rest] = text.split('\n');
  const last = rest.pop() ?? '';
  let joined = first.replace(/[ \t]+$/, '');
  let breaks = 0;
  for (const line of rest) {
    const content = line.trim();
    if (content === '') breaks += 1;
    else {
      joined += breaks === 0 ? ` ${content}` : '\n'.repeat(breaks) + content;
      breaks = 0;
    }
  }
  return joined + (breaks === 0 ? ' ' : '\n'.repeat(breaks)) + last.replace(/^[ \t]+/, '');
}

const simple: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

/** The content of a double-quoted scalar whose lines are joined, or the escape that is none. */
export function unescapeDouble(raw: string): { readonly text: string } | { readonly bad: string } {
  let bad: string | null = null;
  const parts = raw.split(/(\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])?)/);
  const text = parts.map((part, index) => {
    if (index % 2 === 0) return part;
    const kind = part[1] ?? '';
    if (part.length > 2) {
      const code = Number.parseInt(part.slice(2), 16);
      if (code <= 0x10ffff) return kind === 'u' ? String.fromCharCode(code) : String.fromCodePoint(code);
    } else if (Object.hasOwn(simple, kind)) return simple[kind] ?? '';
    bad ??= part;
    return '';
  });
  return bad === null ? { text: text.join('') } : { bad };
}
