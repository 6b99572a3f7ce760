import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Example {
  /** Base name, `hello.ail`. */
  readonly path: string;
  readonly status: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly expected?: { readonly stdout?: string; readonly exit_code: number };
}

/** A corpus without a readable manifest. */
export class CorpusError extends Error {}

/** An examples corpus: `manifest.json` and `runnable/*.ail` (ailang-cli section 9). */
export class Corpus {
  readonly #directory: string;
  readonly examples: readonly Example[];

  /** @throws CorpusError */
  constructor(directory: string) {
    this.#directory = directory;
    const manifest = join(directory, 'manifest.json');
    if (!existsSync(manifest)) throw new CorpusError(`examples corpus at ${directory} has no manifest.json`);
    try {
      this.examples = (JSON.parse(readFileSync(manifest, 'utf8')) as { examples: Example[] }).examples;
      for (const { path } of this.examples) if (!/^[A-Za-z0-9_./-]+$/.test(path) || path.includes('..')) throw path;
    } catch {
      throw new CorpusError(`examples corpus at ${directory}: its manifest.json is not one`);
    }
  }

  /** The program's text; empty when the manifest names a file that is not there. */
  source({ path }: Example): string {
    const candidates = [join(this.#directory, 'runnable', path), join(this.#directory, path)];
    const file = candidates.find((candidate) => existsSync(candidate));
    return file === undefined ? '' : readFileSync(file, 'utf8');
  }

  find(name: string): Example | undefined {
    const path = name.endsWith('.ail') ? name : `${name}.ail`;
    return this.examples.find((example) => example.path === path);
  }

  /** Best first, at most ten. Among equal scores the one that shares most with the query is first. */
  search(query: string): readonly Hit[] {
    const wanted = query.toLowerCase();
    const words = wanted.split(/\s+/).filter((word) => word !== '');
    return this.examples
      .map((example) => ({ example, ...score(example, this.source(example), wanted, words) }))
      .filter((hit) => hit.score > 0)
      .sort((a, b) => b.score - a.score || b.overlap - a.overlap)
      .slice(0, 10);
  }
}

export interface Hit {
  readonly example: Example;
  readonly score: number;
  readonly where: 'tag' | 'description' | 'content';
  /** How much of the query it has: for every word 3 points in a tag, 2 in the description, 1 in the text. */
  readonly overlap: number;
}

function score(example: Example, source: string, query: string, words: readonly string[]): Omit<Hit, 'example'> {
  const tags = example.tags.map((tag) => tag.toLowerCase());
  const description = example.description.toLowerCase();
  const content = source.toLowerCase();
  const inTags = (word: string): boolean => tags.some((tag) => tag.includes(word));
  const overlap = words.reduce(
    (sum, word) =>
      sum + (inTags(word) ? 3 : 0) + (description.includes(word) ? 2 : 0) + (content.includes(word) ? 1 : 0),
    0,
  );
  const hits: Pick<Hit, 'score' | 'where'>[] = [];
  const add = (value: number, where: Hit['where']): void => void hits.push({ score: value, where });
  if (query !== '' && inTags(query)) add(1, 'tag');
  if (words.some(inTags)) add(0.9, 'tag');
  if (query !== '' && description.includes(query)) add(0.95, 'description');
  if (words.some((word) => description.includes(word))) add(0.7, 'description');
  if (query !== '' && content.includes(query)) add(0.8, 'content');
  const found = words.filter((word) => content.includes(word)).length;
  if (found > 0) add((found / words.length) * 0.6, 'content');
  const best = hits.reduce((one, hit) => (hit.score > one.score ? hit : one), { score: 0, where: 'content' });
  return { ...best, overlap };
}
