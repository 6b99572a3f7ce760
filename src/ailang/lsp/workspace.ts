import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { check } from '../check.js';
import type { CheckResult, SourceHost } from '../interfaces.js';
import type { CheckedModule } from '../modules/checked-module.js';
import { builtins } from '../std/builtins.js';
import { stdSource } from '../std/source.js';
import { Source } from '../syntax/source.js';
import { pathOf, uriOf } from './uris.js';

/** What the server sees of the disk. */
export interface Disk {
  /** The text of a file, null when it cannot be read. */
  read(path: string): string | null;
  /** Directory of the library's `std/*.ail`. */
  readonly library: string;
  readonly packages: (SourceHost & { readonly directory: string }) | null;
}

/** What the client has in its editor, saved or not. */
export interface Document {
  readonly text: string;
  /** As the client counts its changes. */
  readonly version: number;
}

/** A document after it was checked. */
export interface Analysis {
  readonly uri: string;
  readonly source: Source;
  readonly result: CheckResult;
  /** Null when nothing of the file could be read. */
  readonly module: CheckedModule | null;
}

/** Open documents over the files on disk. */
export class Workspace {
  readonly #documents = new Map<string, Document>();
  readonly #analyses = new Map<string, Analysis>();
  #root: string | null = null;

  constructor(readonly disk: Disk) {}

  set root(uri: string) {
    this.#root = pathOf(uri);
  }

  get open(): readonly string[] {
    return [...this.#documents.keys()];
  }

  set(uri: string, document: Document): void {
    this.#documents.set(uri, document);
    this.#analyses.clear();
  }

  close(uri: string): void {
    this.#documents.delete(uri);
    this.#analyses.clear();
  }

  document(uri: string): Document | null {
    return this.#documents.get(uri) ?? null;
  }

  /** Null for what is not open. */
  analyse(uri: string): Analysis | null {
    const known = this.#analyses.get(uri);
    if (known !== undefined) return known;
    const text = this.#documents.get(uri)?.text;
    const path = pathOf(uri);
    if (text === undefined || path === null) return null;
    const base = this.#base(path);
    const file = relative(base, path).split(sep).join('/');
    const result = check({
      file,
      host: { read: (name) => this.#read(resolve(base, name)) },
      std: stdSource,
      builtins,
      packages: this.disk.packages,
      nodeTypes: true,
      relaxModules: this.#root === null,
    });
    const module = result.modules.find((one) => one.source.file === file) ?? null;
    const analysis = { uri, source: new Source(file, text), result, module };
    this.#analyses.set(uri, analysis);
    return analysis;
  }

  /** The URI of a file that a checked module or a diagnostic of this document names. */
  uriFor(analysis: Analysis, file: string): string | null {
    const path = pathOf(analysis.uri);
    if (path === null) return null;
    if (file.startsWith('pkg/')) return this.#packageUri(file.slice('pkg/'.length));
    if (/^std\/[a-z][a-z0-9]*\.ail$/.test(file)) return uriOf(join(this.disk.library, file.slice('std/'.length)));
    return uriOf(resolve(this.#base(path), file));
  }

  #packageUri(file: string): string | null {
    const { packages } = this.disk;
    return packages === null ? null : uriOf(join(packages.directory, file));
  }

  /** What module paths count from: above the library for its own files, else the folder that is open. */
  #base(path: string): string {
    const { library } = this.disk;
    if (below(library, path)) return dirname(library);
    return this.#root !== null && below(this.#root, path) ? this.#root : dirname(path);
  }

  #read(path: string): string | null {
    return this.#documents.get(uriOf(path))?.text ?? this.disk.read(path);
  }
}

function below(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return !way.startsWith('..') && !isAbsolute(way);
}
