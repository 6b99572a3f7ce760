import type { JsonNode, JsonParse } from '../json-text.js';
import { FlowParser } from './flow.js';
import { foldLines, joinLines, resolvePlain } from './scalar.js';
import { type Line, linesOf, MAX_DEPTH, plainKeyEnd, withoutComment, YamlError } from './source.js';

type Member = Extract<JsonNode, { k: 'object' }>['members'][number];

/**
 * Parses one YAML document: block and flow collections and all scalar styles with the core schema. Anchors, aliases,
 * tags, merge keys, complex keys and several documents are refused by name.
 */
export function parseYaml(text: string): JsonParse {
  try {
    return { value: new Parser(text).document() };
  } catch (error) {
    if (error instanceof YamlError) return { error: error.message };
    throw error;
  }
}

class Parser {
  readonly #lines: Line[];
  readonly #flow: FlowParser;
  #next = 0;

  constructor(text: string) {
    this.#lines = linesOf(text);
    this.#flow = new FlowParser(text);
  }

  document(): JsonNode {
    this.#start();
    const value = this.#block(0, 0) ?? { k: 'null' };
    const line = this.#peek();
    if (line !== null && !isMarker(line))
      throw this.#error(line, 'unexpected content; is it indented as the lines above?');
    if (line !== null && isEnd(line)) this.#next += 1;
    const more = this.#peek();
    if (more !== null) throw this.#error(more, 'several documents in one text are not supported');
    return value;
  }

  /** Directives and the document marker, after which content may follow on its line. */
  #start(): void {
    let line = this.#peek();
    while (line?.text.startsWith('%')) {
      if (!/^%YAML[ \t]+1\.[0-9]+[ \t]*(?:#.*)?$/.test(line.text))
        throw this.#error(line, 'directives are not supported');
      this.#next += 1;
      line = this.#peek();
    }
    if (line === null || line.indent > 0 || !/^---(?:[ \t]|$)/.test(line.text)) return;
    const rest = /^---[ \t]*/.exec(line.text)?.[0].length ?? 3;
    if (withoutComment(line.text.slice(rest)) === '') this.#next += 1;
    else
      this.#lines[this.#next] = {
        ...line,
        text: line.text.slice(rest),
        indent: 0,
        start: line.start + rest,
        shared: true,
      };
  }

  #error(line: Line, problem: string): YamlError {
    return new YamlError(`line ${line.number}: ${problem}`);
  }

  /** The next line with content. */
  #peek(): Line | null {
    for (let line = this.#lines[this.#next]; line !== undefined; line = this.#lines[this.#next]) {
      if (line.text !== '' && !line.text.startsWith('#')) {
        if (line.tabbed) throw this.#error(line, 'tabs cannot indent; use spaces');
        return line;
      }
      this.#next += 1;
    }
    return null;
  }

  /** The node that starts at the next line, null when that is indented less. */
  #block(indent: number, depth: number): JsonNode | null {
    const line = this.#peek();
    if (line === null || line.indent < indent || isMarker(line)) return null;
    if (depth > MAX_DEPTH) throw this.#error(line, `nesting deeper than ${MAX_DEPTH}`);
    if (/^-(?:[ \t]|$)/.test(line.text)) return this.#sequence(line, depth);
    if (/^\?(?:[ \t]|$)/.test(line.text)) throw this.#error(line, 'complex keys are not supported');
    if (this.#keyEnd(line) !== -1) {
      if (line.shared === true) throw this.#error(line, 'a mapping cannot start on the line of ---');
      return this.#mapping(line, depth);
    }
    return this.#inline(line, 0, indent - 1);
  }

  #sequence({ indent }: Line, depth: number): JsonNode {
    const items: JsonNode[] = [];
    for (let line = this.#peek(); line !== null && line.indent === indent && !isMarker(line); line = this.#peek()) {
      const dash = /^-(?:[ \t]+|$)/.exec(line.text)?.[0];
      if (dash === undefined) break;
      items.push(this.#after(line, dash.length, indent + 1, indent, depth));
    }
    return { k: 'array', items };
  }

  #mapping({ indent }: Line, depth: number): JsonNode {
    const members: Member[] = [];
    const seen = new Set<string>();
    for (let line = this.#peek(); line !== null && line.indent === indent && !isMarker(line); line = this.#peek()) {
      if (/^\?(?:[ \t]|$)/.test(line.text)) throw this.#error(line, 'complex keys are not supported');
      const end = this.#keyEnd(line);
      if (end === -1) break;
      const key = this.#key(line, end);
      if (seen.has(key)) throw this.#error(line, `the key ${JSON.stringify(key)} occurs twice`);
      seen.add(key);
      const colon = /^[ \t]*:[ \t]*/.exec(line.text.slice(end))?.[0].length ?? 1;
      // A sequence may stand at the column of its key.
      const nested = /^:?[ \t]*$/.test(withoutComment(line.text.slice(end).trimStart())) && this.#sequenceFollows(line);
      members.push({ key, value: this.#after(line, end + colon, nested ? indent : indent + 1, indent, depth) });
    }
    return { k: 'object', members };
  }

  #sequenceFollows(line: Line): boolean {
    const here = this.#next;
    this.#next += 1;
    const next = this.#peek();
    this.#next = here;
    return next !== null && next.indent === line.indent && /^-(?:[ \t]|$)/.test(next.text) && !isMarker(next);
  }

  /** What follows a dash or colon: on its line, or a block on the lines below. */
  #after(line: Line, column: number, indent: number, parent: number, depth: number): JsonNode {
    const rest = line.text.slice(column);
    if (withoutComment(rest) === '') {
      this.#next += 1;
      return this.#block(indent, depth + 1) ?? { k: 'null' };
    }
    this.#refuseProperties(line, rest);
    const inner: Line = { ...line, text: rest, indent: line.indent + column, start: line.start + column };
    const compact = /^-(?:[ \t]|$)/.test(rest) || this.#keyEnd(inner) !== -1;
    if (compact && line.text.startsWith('-')) {
      this.#lines[this.#next] = inner;
      return this.#block(inner.indent, depth + 1) ?? { k: 'null' };
    }
    if (compact) throw this.#error(line, 'a mapping or sequence cannot start on the line of its key');
    return this.#inline(line, column, parent);
  }

  /** Where the key of a mapping line ends, -1 when it is none. */
  #keyEnd(line: Line): number {
    if (/^["']/.test(line.text)) {
      const end = this.#flow.quotedEnd(line.start, line.start + line.text.length);
      return end !== -1 && /^[ \t]*:(?:[ \t]|$)/.test(line.text.slice(end - line.start)) ? end - line.start : -1;
    }
    return /^[[{|>@`%#]/.test(line.text) ? -1 : plainKeyEnd(line.text);
  }

  #key(line: Line, end: number): string {
    const text = line.text.slice(0, end).trimEnd();
    if (/^["']/.test(text)) return this.#flow.quoted(line.start).value;
    this.#refuseProperties(line, text);
    if (text === '<<') throw this.#error(line, 'merge keys are not supported');
    return text;
  }

  #refuseProperties(line: Line, text: string): void {
    if (text.startsWith('&')) throw this.#error(line, 'anchors are not supported');
    if (text.startsWith('*')) throw this.#error(line, 'aliases are not supported');
    if (text.startsWith('!')) throw this.#error(line, 'tags are not supported');
  }

  /** A scalar or flow collection; lines indented more than the parent continue it. */
  #inline(line: Line, column: number, parent: number): JsonNode {
    const text = line.text.slice(column);
    this.#refuseProperties(line, text);
    if (/^[|>]/.test(text)) return this.#blockScalar(line, text, parent);
    if (/^["'[{]/.test(text)) return this.#flowNode(line, column, parent);
    if (/^[@`%,\]}]/.test(text) || /^[?:-](?:[ \t]|$)/.test(text)) {
      throw this.#error(line, `a plain scalar cannot start with ${text[0]}; quote it`);
    }
    return this.#plain(line, text, parent);
  }

  #plain(line: Line, text: string, parent: number): JsonNode {
    const parts = [withoutComment(text)];
    let commented = parts[0]?.length !== text.trimEnd().length;
    this.#next += 1;
    for (let next = this.#lines[this.#next]; next !== undefined && !commented; next = this.#lines[this.#next]) {
      if (next.text !== '' && (next.indent <= parent || next.text.startsWith('#') || isMarker(next))) break;
      if (next.text !== '' && this.#keyEnd(next) !== -1)
        throw this.#error(next, 'a key inside a scalar; is the line indented too far?');
      const content = withoutComment(next.text);
      commented = content.length !== next.text.trimEnd().length;
      parts.push(content);
      this.#next += 1;
    }
    while (parts.at(-1) === '') parts.pop();
    if (parts.length === 1 && plainKeyEnd(parts[0] ?? '') !== -1) throw this.#error(line, 'a key inside a scalar');
    return resolvePlain(joinLines(parts.join('\n')));
  }

  #flowNode(line: Line, column: number, parent: number): JsonNode {
    const { value, end } = this.#flow.node(line.start + column);
    for (this.#next += 1; (this.#lines[this.#next]?.start ?? Infinity) <= end; this.#next += 1) {
      const next = this.#lines[this.#next];
      if (next !== undefined && next.text !== '' && next.indent <= parent && !/^[\]}]/.test(next.text)) {
        throw this.#error(next, 'the continuation is not indented more than its parent');
      }
    }
    const last = this.#lines[this.#next - 1] ?? line;
    const rest = last.text.slice(end - last.start);
    if (!/^[ \t]*(?:[ \t]#.*)?$/.test(rest))
      throw this.#error(last, `unexpected ${JSON.stringify(rest.trim())} after the value`);
    return value;
  }

  #blockScalar(line: Line, header: string, parent: number): JsonNode {
    const parts = /^([|>])([+-]?)([1-9]?)([+-]?)[ \t]*(?:[ \t]#.*)?$/.exec(header);
    if (parts === null) throw this.#error(line, `bad block scalar header ${header}`);
    const [, style, before, digit = '', after] = parts;
    const chomp = `${before}${after}`;
    this.#next += 1;
    const first = this.#next;
    let indent = digit === '' ? null : Math.max(parent, 0) + Number(digit);
    for (let next = this.#lines[this.#next]; next !== undefined; next = this.#lines[this.#next]) {
      if (next.text !== '' || (indent !== null && next.raw.length > indent)) {
        if (isMarker(next) || next.indent < (indent ?? parent + 1)) break;
        indent ??= next.indent;
      }
      this.#next += 1;
    }
    const width = indent ?? 0;
    const lines = this.#lines.slice(first, this.#next).map(({ raw }) => raw.slice(width));
    let trailing = 0;
    while (lines.length > 0 && lines.at(-1) === '') {
      lines.pop();
      trailing += 1;
    }
    const body = style === '|' ? lines.join('\n') : foldLines(lines);
    const end =
      chomp === '-' ? '' : chomp === '+' ? '\n'.repeat(trailing + (body === '' ? 0 : 1)) : body === '' ? '' : '\n';
    return { k: 'string', value: body + end };
  }
}

const isEnd = (line: Line): boolean => line.column === 0 && /^\.\.\.(?:[ \t]|$)/.test(line.raw);
const isMarker = (line: Line): boolean =>
  line.shared !== true && line.column === 0 && /^(?:---|\.\.\.)(?:[ \t]|$)/.test(line.raw);
