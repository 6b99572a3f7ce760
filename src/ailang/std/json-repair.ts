import { parseJson } from './json-text.js';

const TOKEN =
  /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[{}[\],:]|[^\s{}[\],:"']+/g;
const WORDS: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
  undefined: 'null',
  NaN: 'null',
  Infinity: 'null',
  '-Infinity': 'null',
};

/**
 * Mends what people and models get wrong in JSON: code fences and prose around it, comments, single quotes, bare keys,
 * Python words, missing and trailing commas, missing closers. The result parses, or null.
 */
export function repairJson(text: string): string | null {
  if (!('error' in parseJson(text))) return text.trim();
  const fenced = /```(?:json)?\s*\n([\s\S]*?)(?:```|$)/.exec(text)?.[1] ?? text;
  const start = fenced.search(/[{[]/);
  const mended = mend((start < 0 ? fenced : fenced.slice(start)).match(TOKEN) ?? []);
  return 'error' in parseJson(mended) ? null : mended;
}

function mend(tokens: readonly string[]): string {
  const out: string[] = [];
  const open: string[] = [];
  for (const token of tokens) {
    if (/^(?:\/\/|#|\/\*)/.test(token)) continue;
    if (token === '}' || token === ']') {
      if (!open.includes(token)) continue;
      dropComma(out);
      for (let closer = open.pop(); closer !== undefined; closer = open.pop()) {
        fillValue(out);
        out.push(closer);
        if (closer === token) break;
      }
      if (open.length === 0) break;
      continue;
    }
    if (token === ',' || token === ':') {
      if (out.at(-1) !== token && !/^[{[,]$/.test(out.at(-1) ?? '[')) out.push(token);
      continue;
    }
    if (needsComma(out.at(-1))) out.push(',');
    if (token === '{' || token === '[') {
      open.push(token === '{' ? '}' : ']');
      out.push(token);
    } else {
      const isKey = open.at(-1) === '}' && /^[{,]$/.test(out.at(-1) ?? '');
      out.push(scalar(token, isKey));
    }
  }
  dropComma(out);
  fillValue(out);
  return out.join('') + open.reverse().join('');
}

const needsComma = (last: string | undefined): boolean => last !== undefined && !/^[{[,:]$/.test(last);

function dropComma(out: string[]): void {
  if (out.at(-1) === ',') out.pop();
}

function fillValue(out: string[]): void {
  if (out.at(-1) === ':') out.push('null');
}

function scalar(token: string, isKey: boolean): string {
  if (token.startsWith('"') || token.startsWith("'")) {
    const quote = token[0] ?? '"';
    const inner = token.length > 1 && token.endsWith(quote) ? token.slice(1, -1) : token.slice(1);
    const body = quote === "'" ? inner.replace(/\\'/g, "'").replace(/(?<!\\)"/g, '\\"') : inner;
    return `"${body.replace(/\t/g, '\\t')}"`;
  }
  if (isKey) return JSON.stringify(token);
  const word = Object.hasOwn(WORDS, token) ? WORDS[token] : undefined;
  if (word !== undefined) return word;
  if (/^(?:true|false|null)$/.test(token)) return token;
  return 'error' in parseJson(token) ? JSON.stringify(token) : token;
}
