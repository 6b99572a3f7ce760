import { parse } from 'smol-toml';
import { readLock } from '../../modules/package-lock.js';
import { normalizePath } from '../../modules/paths.js';
import { goJson } from '../../policy/go-text.js';
import { parseArguments } from './arguments.js';
import { type Command, type CommandContext, failed, printed } from './context.js';

/** One package with what it depends on. */
interface Node {
  readonly name: string;
  /** Empty when nothing says it. */
  readonly version: string;
  /** `path ../lib`, `not in the cache`, `cycle`, …; null when there is nothing to say. */
  readonly note: string | null;
  readonly dependencies: readonly Node[];
}

/** A manifest that is not one; the message names the file. */
class BadManifest extends Error {}

/**
 * `tree [path]`: the packages that the `ailang.toml` of the working directory depends on (ailang-cli section 9). The path
 * is accepted and ignored.
 */
export const treeCommand: Command = (args, context) => {
  const { flags } = parseArguments(args, { json: 'boolean' });
  try {
    const text = context.sources.read('ailang.toml');
    if (text === null)
      return failed(
        'no ailang.toml found: open ailang.toml: no such file or directory\n  Hint: only a package has dependencies; see the imports of a module in its first lines',
      );
    const root = new Packages(context).project(text);
    return printed(flags.json ? `${goJson(root, 2)}\n` : `${[title(root), ...branches(root, '')].join('\n')}\n`);
  } catch (error) {
    if (error instanceof BadManifest) return failed(error.message);
    throw error;
  }
};

class Packages {
  readonly #locked: ReadonlyMap<string, { readonly version: string; readonly path: string | null }>;

  constructor(readonly context: CommandContext) {
    const lock = context.sources.read('ailang.lock');
    try {
      this.#locked = lock === null ? new Map() : readLock(lock);
    } catch (error) {
      throw new BadManifest(`ailang.lock: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  project(text: string): Node {
    const { name, version, dependencies } = readManifest(text, 'ailang.toml');
    return {
      name: name || '(unnamed package)',
      version,
      note: null,
      dependencies: this.#all(dependencies, '', [name]),
    };
  }

  #all(dependencies: readonly Dependency[], directory: string, above: readonly string[]): Node[] {
    return dependencies.map((dependency) => this.#node(dependency, directory, above));
  }

  #node({ name, wanted, path }: Dependency, directory: string, above: readonly string[]): Node {
    const locked = this.#locked.get(name);
    const place = path === null ? (locked?.path ?? null) : normalizePath(`${directory}${path}`);
    const version = locked?.version ?? (place === null ? (this.#versions(name).at(-1) ?? '') : '');
    const node = (note: string | null, dependencies: readonly Node[] = [], known = version): Node => ({
      name,
      version: known === '' ? wanted : known,
      note,
      dependencies,
    });
    if (above.includes(name)) return node('cycle');
    if (above.length > maxDepth) return node('too deep');
    if (place !== null) {
      if (place.startsWith('..')) return node(`path ${path ?? place}, outside of the project`);
      const text = this.context.sources.read(`${place}/ailang.toml`);
      if (text === null) return node(`path ${place}, without an ailang.toml`);
      const manifest = readManifest(text, `${place}/ailang.toml`);
      return node(`path ${place}`, this.#all(manifest.dependencies, `${place}/`, [...above, name]), manifest.version);
    }
    const text = this.context.packages?.read(`${name}/${version}/ailang.toml`) ?? null;
    if (text === null)
      return node(this.#versions(name).includes(version) ? 'without an ailang.toml' : 'not in the cache');
    const { dependencies } = readManifest(text, `${name}/${version}/ailang.toml`);
    return node(null, this.#all(dependencies, '', [...above, name]));
  }

  #versions(name: string): readonly string[] {
    return this.context.packages?.versions(name) ?? [];
  }
}

const maxDepth = 50;

interface Dependency {
  readonly name: string;
  /** The version as written. */
  readonly wanted: string;
  readonly path: string | null;
}

/** @throws BadManifest */
function readManifest(text: string, file: string) {
  let document: Record<string, unknown>;
  try {
    document = parse(text);
  } catch (error) {
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new BadManifest(`${file}: ${message}`);
  }
  const about = table(document.package);
  const dependencies = Object.entries(table(document.dependencies)).map(([name, value]): Dependency => {
    const { version, path } = typeof value === 'string' ? { version: value } : table(value);
    return { name, wanted: asText(version), path: typeof path === 'string' ? path : null };
  });
  return { name: asText(about.name), version: asText(about.version), dependencies: dependencies.sort(byName) };
}

const byName = (a: Dependency, b: Dependency): number => (a.name < b.name ? -1 : 1);
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

function table(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

const title = ({ name, version, note }: Node): string =>
  [name, version, note === null ? '' : `(${note})`].filter((part) => part !== '').join(' ');

function branches({ dependencies }: Node, indent: string): string[] {
  return dependencies.flatMap((node, index) => {
    const last = index === dependencies.length - 1;
    return [
      `${indent}${last ? '└── ' : '├── '}${title(node)}`,
      ...branches(node, `${indent}${last ? '    ' : '│   '}`),
    ];
  });
}
