import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.js';

const directory = (): string => join(packageRoot(), 'src', 'ailang', 'reference');

/** A page of the language reference that ships with the package, `prompt.md`. */
export const referencePage = (name: string): string => readFileSync(join(directory(), name), 'utf8');

/** One headed part of a page. */
export interface Section {
  /** `reference/effects.md#files`. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

let sections: readonly Section[] | undefined;

/** All parts of all pages, in page order. */
export function referenceSections(): readonly Section[] {
  sections ??= readdirSync(directory())
    .filter((name) => name.endsWith('.md'))
    .sort()
    .flatMap((name) => splitPage(name, referencePage(name)));
  return sections;
}

function splitPage(name: string, text: string): Section[] {
  const found: { title: string; lines: string[] }[] = [];
  let fenced = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    const heading = fenced ? null : /^#{1,3} +(.*)$/.exec(line);
    if (heading !== null) found.push({ title: heading[1]!, lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found.map(({ title, lines }) => ({
    path: `reference/${name}#${anchor(title)}`,
    title,
    text: lines.join('\n').trim(),
  }));
}

const anchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

export interface SectionHit {
  readonly section: Section;
  /** 0 to 1. */
  readonly score: number;
}

/** Sections that share words with the query, best first: rare words weigh more, and a word in the title counts double. */
export function searchReference(query: string): { readonly total: number; readonly hits: readonly SectionHit[] } {
  const all = referenceSections();
  const words = [...new Set(tokens(query))];
  const bags = all.map(({ title, text }) => ({ title: new Set(tokens(title)), text: new Set(tokens(text)) }));
  const weight = new Map(
    words.map((word) => {
      const count = bags.filter((bag) => bag.title.has(word) || bag.text.has(word)).length;
      return [word, Math.log(1 + all.length / (1 + count))];
    }),
  );
  const best = words.reduce((sum, word) => sum + 2 * weight.get(word)!, 0) || 1;
  const hits = all
    .map((section, index) => {
      const { title, text } = bags[index]!;
      const value = (word: string): number =>
        weight.get(word)! * ((title.has(word) ? 1 : 0) + (text.has(word) || title.has(word) ? 1 : 0));
      return { section, score: words.reduce((sum, word) => sum + value(word), 0) / best };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return { total: all.length, hits };
}

/** How many different words of the query a text has. */
export function sharedWords(text: string, query: string): number {
  const words = new Set(tokens(text));
  return new Set(tokens(query).filter((word) => words.has(word))).size;
}

/** Words, lower case, plural endings dropped; `std/list` also as `std` and `list`. */
function tokens(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.map((word) => (word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word));
}
