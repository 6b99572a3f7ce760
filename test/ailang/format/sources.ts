import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/ailang/package-root.js';
import { type Parsed, parseFile } from '../../../src/ailang/syntax/parse-file.js';
import { Source } from '../../../src/ailang/syntax/source.js';

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Every AILANG program of this repository: corpus, contracts, examples, standard library. */
export function allSources(): SourceFile[] {
  return ['test/corpus', 'test/contracts', 'examples', 'src/ailang/std'].flatMap((directory) => {
    const root = join(packageRoot(), directory);
    return filesBelow(root).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  });
}

function filesBelow(directory: string): string[] {
  try {
    const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => name.endsWith('.ail'))
      .map((name) => join(directory, name))
      .sort();
  } catch {
    return [];
  }
}

export const parsed = (text: string): Parsed => parseFile(new Source('x.ail', text));

export const commentsOf = (text: string): string[] => parsed(text).comments.map((comment) => comment.text);
