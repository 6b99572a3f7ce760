import { constants, type Stats } from 'node:fs';
import { WorldError } from '../errors.js';
import { encodeTree, isDotGit, makeObject } from '../git/objects.js';
import type { GitObject, GitOid, ObjectFormat, TreeEntry, TreeMode } from '../git/types.js';
import type { Snapshot } from '../log/types.js';
import type { IgnoreRules } from './ignore-rules.js';
import { nestedHead, type TrackedFiles } from './repository-facts.js';
import { type SnapshotFiles, unlessVanished } from './snapshot-files.js';
import { StatCache } from './stat-cache.js';

export interface SnapshotOptions {
  readonly root: string;
  readonly objectFormat: ObjectFormat;
  readonly fileMode: boolean;
  readonly rules: IgnoreRules;
  readonly tracked: () => Promise<TrackedFiles>;
  /** Objects the repository holds already. */
  readonly known: Iterable<GitOid>;
  readonly files: SnapshotFiles;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Lets other work run; called every few hundred files. */
  readonly pause: () => Promise<void>;
}

interface Walk {
  readonly tracked: TrackedFiles;
  readonly needed: Map<GitOid, GitObject>;
}

const PAUSE_AFTER_FILES = 256;

/**
 * Takes the worktree as `git add -A` would see it, with the raw bytes of each file (no clean filter, no line-ending
 * conversion). Names that are not UTF-8, other spellings of `.git`, and what is neither file, link nor directory are left out.
 */
export class SnapshotTaker {
  private readonly cache = new StatCache();
  private readonly known: Set<GitOid>;
  /** Objects of earlier snapshots that nobody has said are stored. */
  private pending = new Map<GitOid, GitObject>();
  private trees = new Map<string, { readonly entries: readonly TreeEntry[]; readonly oid: GitOid }>();
  private nextTrees = new Map<string, { readonly entries: readonly TreeEntry[]; readonly oid: GitOid }>();
  /** The rules of each directory that has a `.gitignore`, kept while neither it nor what governs it changes. */
  private readonly rules = new Map<
    string,
    { readonly above: IgnoreRules; readonly text: string; readonly rules: IgnoreRules }
  >();
  private sincePause = 0;
  private lastWalk: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: SnapshotOptions) {
    this.known = new Set(options.known);
  }

  /**
   * One walk at a time: two that cross would mix what they remember.
   * @param changed the one file that can have changed since the last snapshot; without it everything is looked at
   * @throws WorldError `worktree-unreadable`, `worktree-gone`
   */
  snapshot(changed?: string): Promise<Snapshot> {
    const turn = this.lastWalk.then(async () => {
      // A path that cannot be looked at by itself, too long or with a NUL, is left to the look at everything.
      const updated = changed === undefined ? null : await this.update(changed).catch(() => null);
      return updated ?? this.walk();
    });
    this.lastWalk = turn.catch(() => undefined);
    return turn;
  }

  private async walk(): Promise<Snapshot> {
    const walk: Walk = { tracked: await this.options.tracked(), needed: new Map() };
    const entries = await this.directory(walk, '', this.options.rules, false);
    if (entries === null) {
      throw new WorldError('worktree-gone', `the worktree ${this.options.root} is gone`, {
        hint: 'Close the episode, run git worktree prune, and open a new episode.',
      });
    }
    const tree = this.tree(walk, '', entries);
    this.cache.turn();
    this.trees = this.nextTrees;
    this.nextTrees = new Map();
    this.pending = walk.needed;
    return { tree, objects: [...walk.needed.values()] };
  }

  /** The last snapshot with one file looked at again; null when that may not be enough. */
  private async update(path: string): Promise<Snapshot | null> {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    if (name === '.gitignore' || [...parts, name].some((part) => part === '' || part === '.' || isLeftOut(part)))
      return null;
    const chain = ['', ...parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/`)];
    const levels = chain.map((directory) => this.trees.get(directory));
    let rules = this.options.rules;
    let trackedOnly = false;
    for (const [at, directory] of chain.entries()) {
      const level = levels[at];
      if (level === undefined) return null;
      if (at > 0) {
        trackedOnly ||= rules.ignores(directory);
        if (!trackedOnly) rules = rules.below(directory);
      }
      const hasRules = this.rules.has(directory) || level.entries.some((entry) => entry.name === '.gitignore');
      if (hasRules) rules = this.rulesIn(directory, rules);
    }
    const parent = chain.at(-1) ?? '';
    const known = levels.at(-1)?.entries.find((entry) => entry.name === name);
    // What was written through a link is another file; a directory is no file at all.
    if (known !== undefined && !known.mode.startsWith('100')) return null;
    const walk: Walk = { tracked: await this.options.tracked(), needed: new Map(this.pending) };
    const leaf = this.leaf(walk, parent, name, rules, trackedOnly);
    this.cache.merge();
    // Ignored, gone, or standing on disk under another spelling of its name.
    if (leaf === null) return null;
    let made: TreeEntry = leaf;
    for (let at = chain.length - 1; at >= 0; at -= 1) {
      const directory = chain[at] ?? '';
      const oid = this.tree(walk, directory, withEntry(levels[at]?.entries ?? [], made));
      const tree = this.nextTrees.get(directory);
      if (tree !== undefined) this.trees.set(directory, tree);
      made = { mode: '40000', name: parts[at - 1] ?? '', oid };
    }
    this.nextTrees = new Map();
    this.pending = walk.needed;
    const root = this.trees.get('');
    return root === undefined ? null : { tree: root.oid, objects: [...walk.needed.values()] };
  }

  persisted(snapshot: Snapshot): void {
    for (const { oid } of snapshot.objects) {
      this.known.add(oid);
      this.pending.delete(oid);
    }
  }

  /** Entries of a directory (`''` or `a/b/`), null when it has vanished. `trackedOnly`: it is ignored. */
  private async directory(
    walk: Walk,
    path: string,
    above: IgnoreRules,
    trackedOnly: boolean,
  ): Promise<TreeEntry[] | null> {
    const found = unlessVanished(path, () => this.options.files.readdir(this.onDisk(path)));
    if (found === null) return null;
    const hasRules = found.some((entry) => entry.name === '.gitignore' && entry.isFile());
    const rules = hasRules ? this.rulesIn(path, above) : above;
    const entries: TreeEntry[] = [];
    for (const entry of found) {
      if (isLeftOut(entry.name)) continue;
      const made = entry.isDirectory()
        ? await this.subdirectory(walk, path, entry.name, rules, trackedOnly)
        : entry.isFile() || entry.isSymbolicLink()
          ? this.leaf(walk, path, entry.name, rules, trackedOnly)
          : null;
      if (made !== null) entries.push(made);
      this.sincePause += 1;
      if (this.sincePause >= PAUSE_AFTER_FILES) {
        this.sincePause = 0;
        await this.options.pause();
      }
    }
    return entries;
  }

  private async subdirectory(
    walk: Walk,
    parent: string,
    name: string,
    rules: IgnoreRules,
    trackedOnly: boolean,
  ): Promise<TreeEntry | null> {
    const path = `${parent}${name}/`;
    const gitlink = walk.tracked.files.get(`${parent}${name}`);
    const holdsTracked = walk.tracked.directories.has(path);
    const ignored = trackedOnly || rules.ignores(path);
    if (ignored && !holdsTracked && gitlink?.mode !== '160000') return null;
    if (!holdsTracked) {
      const head = await this.nested(path);
      if (head === 'unborn') return null;
      if (head !== 'none') return { mode: '160000', name, oid: head };
      // An uninitialised submodule is an empty directory; git leaves its entry as it is.
      if (gitlink?.mode === '160000') return { mode: '160000', name, oid: gitlink.oid };
    }
    const entries = await this.directory(walk, path, ignored ? rules : rules.below(path), ignored);
    if (entries === null || entries.length === 0) return null;
    return { mode: '40000', name, oid: this.tree(walk, path, entries) };
  }

  private async nested(path: string): Promise<GitOid | 'unborn' | 'none'> {
    const directory = this.onDisk(path);
    if (this.options.files.lstat(`${directory}.git`) === undefined) return 'none';
    return nestedHead(directory);
  }

  private leaf(walk: Walk, parent: string, name: string, rules: IgnoreRules, trackedOnly: boolean): TreeEntry | null {
    const path = `${parent}${name}`;
    const tracked = walk.tracked.files.get(path);
    if (tracked === undefined && (trackedOnly || rules.ignores(path))) return null;
    const file = unlessVanished(path, () => this.content(walk, path));
    if (file === null) return null;
    return { mode: this.mode(file.stat, tracked?.mode), name, oid: file.oid };
  }

  private mode(stat: Stats, indexMode: TreeMode | undefined): TreeMode {
    if (stat.isSymbolicLink()) return '120000';
    if (!this.options.fileMode) return indexMode === '100755' ? '100755' : '100644';
    return (stat.mode & 0o100) === 0 ? '100644' : '100755';
  }

  private content(walk: Walk, path: string): { readonly stat: Stats; readonly oid: GitOid } | null {
    const absolute = this.onDisk(path);
    const stat = this.options.files.lstat(absolute);
    if (stat === undefined || !(stat.isFile() || stat.isSymbolicLink())) return null;
    const cached = this.cache.find(path, stat);
    if (cached !== undefined && this.carry(walk, cached)) return { stat, oid: cached };
    const readAt = this.options.now();
    const read = stat.isSymbolicLink()
      ? { stat, bytes: this.options.files.readlink(absolute) }
      : this.options.files.read(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const object = makeObject(this.options.objectFormat, 'blob', read.bytes);
    this.cache.remember(path, read.stat, object.oid, readAt);
    this.need(walk, object);
    return { stat: read.stat, oid: object.oid };
  }

  /** Paths of a walk are clean already, and there are very many of them. */
  private onDisk(path: string): string {
    return `${this.options.root}/${path}`;
  }

  /** Same entries, same tree: only a changed directory is encoded and hashed. */
  private tree(walk: Walk, path: string, entries: readonly TreeEntry[]): GitOid {
    const before = this.trees.get(path);
    if (before !== undefined && sameEntries(before.entries, entries) && this.carry(walk, before.oid)) {
      this.nextTrees.set(path, before);
      return before.oid;
    }
    const object = makeObject(this.options.objectFormat, 'tree', encodeTree(this.options.objectFormat, entries));
    this.nextTrees.set(path, { entries, oid: object.oid });
    this.need(walk, object);
    return object.oid;
  }

  private need(walk: Walk, object: GitObject): void {
    if (!this.known.has(object.oid)) walk.needed.set(object.oid, object);
  }

  /** Whether an object from an earlier walk needs no second look: stored, or still at hand to be stored. */
  private carry(walk: Walk, oid: GitOid): boolean {
    if (this.known.has(oid) || walk.needed.has(oid)) return true;
    const object = this.pending.get(oid);
    if (object === undefined) return false;
    walk.needed.set(oid, object);
    return true;
  }

  private rulesIn(path: string, above: IgnoreRules): IgnoreRules {
    const absolute = this.onDisk(`${path}.gitignore`);
    const read = unlessVanished(path, () =>
      this.options.files.read(absolute, constants.O_RDONLY | constants.O_NOFOLLOW),
    );
    const text = read?.bytes.toString() ?? '';
    const before = this.rules.get(path);
    if (before?.above === above && before.text === text) return before.rules;
    const rules = above.with(path, text);
    this.rules.set(path, { above, text, rules });
    return rules;
  }
}

/** git's own, and names that are not UTF-8. */
function isLeftOut(name: string): boolean {
  return isDotGit(name) || name.includes('\ufffd');
}

function withEntry(entries: readonly TreeEntry[], made: TreeEntry): readonly TreeEntry[] {
  const at = entries.findIndex((entry) => entry.name === made.name);
  return at === -1 ? [...entries, made] : entries.with(at, made);
}

function sameEntries(a: readonly TreeEntry[], b: readonly TreeEntry[]): boolean {
  return (
    a.length === b.length &&
    a.every((entry, at) => entry.oid === b[at]?.oid && entry.name === b[at]?.name && entry.mode === b[at]?.mode)
  );
}
