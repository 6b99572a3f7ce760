import type { JsonNode } from '../json-text.js';
import { joinLines, resolvePlain, unescapeDouble } from './scalar.js';
import { MAX_DEPTH, YamlError } from './source.js';

type Member = Extract<JsonNode, { k: 'object' }>['members'][number];

interface Found<T> {
  readonly value: T;
  /** Offset after it. */
  readonly end: number;
}

/** Flow collections and quoted scalars, by offset in the whole text. */
export class FlowParser {
  #at = 0;

  constructor(readonly text: string) {}

  /** The collection or quoted scalar at an offset. @throws YamlError */
  node(start: number): Found<JsonNode> {
    this.#at = start;
    const value = this.#node(0);
    return { value, end: this.#at };
  }

  quoted(start: number): Found<string> {
    this.#at = start;
    const value = this.#quoted();
    return { value, end: this.#at };
  }

  /** The end of the quoted scalar at an offset, -1 when it does not end before the limit. */
  quotedEnd(start: number, limit: number): number {
    const pattern = this.text[start] === '"' ? /"(?:[^"\\]|\\[\s\S])*"/y : /'(?:[^']|'')*'/y;
    pattern.lastIndex = start;
    const found = pattern.exec(this.text);
    return found === null || start + found[0].length > limit ? -1 : start + found[0].length;
  }

  #fail(problem: string, at = this.#at): never {
    throw new YamlError(`line ${this.text.slice(0, at).split('\n').length}: ${problem}`);
  }

  /** White space, breaks and comments. */
  #space(): void {
    const pattern = /[ \t\r\n]*(?:(?<=^|[ \t\r\n])#[^\n]*[ \t\r\n]*)*/y;
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.text)?.[0].length ?? 0;
  }

  #node(depth: number): JsonNode {
    if (depth > MAX_DEPTH) this.#fail(`nesting deeper than ${MAX_DEPTH}`);
    const character = this.text[this.#at];
    if (character === '[') return this.#sequence(depth);
    if (character === '{') return this.#mapping(depth);
    if (character === '"' || character === "'") return { k: 'string', value: this.#quoted() };
    if (character === '&') this.#fail('anchors are not supported');
    if (character === '*') this.#fail('aliases are not supported');
    if (character === '!') this.#fail('tags are not supported');
    return resolvePlain(this.#plain());
  }

  #sequence(depth: number): JsonNode {
    const start = this.#at;
    this.#at += 1;
    const items: JsonNode[] = [];
    for (;;) {
      this.#space();
      if (this.#closes(']', '[', start)) return { k: 'array', items };
      items.push(this.#node(depth + 1));
      this.#space();
      if (this.text[this.#at] === ':') this.#fail('a pair inside [ ] is not supported; write {key: value}');
      this.#separator(']');
    }
  }

  #mapping(depth: number): JsonNode {
    const start = this.#at;
    this.#at += 1;
    const members: Member[] = [];
    const seen = new Set<string>();
    for (;;) {
      this.#space();
      if (this.#closes('}', '{', start)) return { k: 'object', members };
      const at = this.#at;
      const quoted = /["']/.test(this.text[at] ?? '');
      if (/^(?:\?[ \t\n]|[[{&*!])/.test(this.text.slice(at, at + 2)))
        this.#fail('only plain and quoted keys are supported');
      const key = quoted ? this.#quoted() : this.#plain();
      if (seen.has(key)) this.#fail(`the key ${JSON.stringify(key)} occurs twice`, at);
      if (key === '<<' && !quoted) this.#fail('merge keys are not supported', at);
      seen.add(key);
      this.#space();
      let value: JsonNode = { k: 'null' };
      if (this.text[this.#at] === ':') {
        this.#at += 1;
        this.#space();
        if (!/[,}]/.test(this.text[this.#at] ?? ',')) value = this.#node(depth + 1);
        this.#space();
      }
      members.push({ key, value });
      this.#separator('}');
    }
  }

  #closes(closer: string, opener: string, start: number): boolean {
    if (this.text[this.#at] === undefined) this.#fail(`${opener} is not closed`, start);
    if (this.text[this.#at] !== closer) return false;
    this.#at += 1;
    return true;
  }

  #separator(closer: string): void {
    if (this.text[this.#at] === ',') this.#at += 1;
    else if (this.text[this.#at] !== closer && this.text[this.#at] !== undefined) this.#fail(`expected , or ${closer}`);
  }

  #plain(): string {
    const pattern = /(?:[^,[\]{}:#\n]|:(?![\s,[\]{}]|$)|(?<![\s])#|\n)*/y;
    pattern.lastIndex = this.#at;
    const raw = pattern.exec(this.text)?.[0] ?? '';
    if (raw.trim() === '') this.#fail(`unexpected ${JSON.stringify(this.text[this.#at] ?? 'end of text')}`);
    if (/^(?:[@`%|>]|[?-](?:\s|$))/.test(raw)) this.#fail(`a plain scalar cannot start with ${raw[0]}; quote it`);
    this.#at += raw.length;
    return joinLines(raw.replaceAll('\r\n', '\n').trimEnd());
  }

  #quoted(): string {
    const start = this.#at;
    const end = this.quotedEnd(start, this.text.length);
    if (end === -1) this.#fail('a quoted scalar is not closed', start);
    const raw = this.text.slice(start + 1, end - 1).replaceAll('\r\n', '\n');
    this.#at = end;
    if (this.text[start] === "'") return joinLines(raw).replaceAll("''", "'");
    const unescaped = unescapeDouble(joinEscaped(raw));
    if ('bad' in unescaped) this.#fail(`unknown escape ${unescaped.bad}`, start);
    return unescaped.text;
  }
}

/** A backslash before a break removes break and indentation; other breaks fold. */
const joinEscaped = (raw: string): string => joinLines(raw.replace(/((?:^|[^\\])(?:\\\\)*)\\\n[ \t]*/g, '$1'));
