import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { decodeCommit, decodeTree, encodeTree, makeObject } from '../../../src/git/objects.js';
import { openObjectReader } from '../../../src/git/reader.js';
import { openRepository } from '../../../src/git/repository.js';
import type { GitOid, ObjectType, Repository } from '../../../src/git/types.js';
import { encodeCanonical, parseCanonicalSource } from '../../../src/log/canonical-json.js';
import { buildEntryTree } from '../../../src/log/entry-tree.js';
import { sha256Ref } from '../../../src/log/hash.js';
import {
  computeEntryHash,
  decodeEffectRecord,
  decodeEntry,
  decodeInvocationRecord,
  decodeWorld,
  encodeEffectRecord,
  encodeEntry,
  encodeInvocationRecord,
  encodeWorld,
} from '../../../src/log/records.js';
import type { EntryWire, JsonObject, Sha256Ref } from '../../../src/log/types.js';

/** An entry on its way to be forged. */
export interface Draft {
  /** Of the entry it is made from. */
  readonly index: number;
  readonly files: Map<string, Buffer>;
  worktree: GitOid | null;
  parents: readonly GitOid[];
  message: string;
}

export interface Forgery {
  /** Changes the entry, or leaves it out when it returns false. */
  readonly change: (draft: Draft, forge: Forge) => undefined | false;
  /**
   * `bytes`: only git's own ids are made consistent. `hashes`: every SHA-256 as well, so that the chain holds and only
   * what the entries say is false.
   */
  readonly consistent: 'bytes' | 'hashes';
}

/** Writes the log anew from some entry on, as someone with the repository in hands could. */
export class Forge {
  private constructor(
    readonly repository: Repository,
    private readonly reader: ReturnType<typeof openObjectReader>,
  ) {}

  static async rewrite(directory: string, forgery: Forgery, ref = 'refs/world/log'): Promise<void> {
    const repository = await openRepository(directory);
    const reader = openObjectReader(repository);
    try {
      await new Forge(repository, reader).run(forgery, ref);
    } finally {
      await reader.close();
    }
  }

  async read(oid: GitOid): Promise<Buffer> {
    const found = await this.reader.read(oid);
    if (found === null) throw new Error(`no object ${oid}`);
    return found.body;
  }

  write(type: ObjectType, body: Buffer): GitOid {
    const { oid } = makeObject(this.repository.objectFormat, type, body);
    const file = join(this.repository.commonDir, 'objects', oid.slice(0, 2), oid.slice(2));
    mkdirSync(dirname(file), { recursive: true });
    try {
      writeFileSync(file, deflateSync(Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])), { flag: 'wx' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    return oid;
  }

  /** The tree with one file of its top folder changed; null removes it. */
  async withFile(tree: GitOid, name: string, content: Buffer | null): Promise<GitOid> {
    const entries = decodeTree(this.repository.objectFormat, await this.read(tree)).filter(
      (entry) => entry.name !== name,
    );
    if (content !== null) entries.push({ mode: '100644', name, oid: this.write('blob', content) });
    return this.write('tree', encodeTree(this.repository.objectFormat, entries));
  }

  private async run(forgery: Forgery, ref: string): Promise<void> {
    const cwd = this.repository.commonDir;
    const listed = execFileSync('git', ['rev-list', '--first-parent', '--reverse', ref], { cwd, encoding: 'utf8' });
    let previous: { oid: GitOid; entryHash: Sha256Ref } | null = null;
    let index = -1;
    let place = -1;
    for (const commit of listed.split('\n').filter(Boolean) as GitOid[]) {
      index += 1;
      const raw = await this.read(commit);
      const { files, skipped } = await this.reader.readFiles(commit, (path) => path === 'worktree');
      const draft: Draft = {
        index,
        files: new Map(files),
        worktree: skipped.get('worktree') ?? null,
        parents: previous === null ? [] : [previous.oid],
        message: decodeCommit(raw).message,
      };
      if (forgery.change(draft, this) === false) continue;
      place += 1;
      if (forgery.consistent === 'hashes') rehash(draft, place, previous?.entryHash ?? '');
      const tree = buildEntryTree(this.repository.objectFormat, draft.files, undefined);
      for (const object of tree.objects) this.write(object.type, object.body);
      const top = decodeTree(this.repository.objectFormat, await this.read(tree.root));
      if (draft.worktree !== null) top.push({ mode: '40000', name: 'worktree', oid: draft.worktree });
      const root = this.write('tree', encodeTree(this.repository.objectFormat, top));
      const people = raw
        .toString()
        .split('\n')
        .filter((line) => /^(?:author|committer) /.test(line));
      const lines = [`tree ${root}`, ...draft.parents.map((parent) => `parent ${parent}`), ...people.slice(0, 2)];
      const oid: GitOid = this.write('commit', Buffer.from(`${lines.join('\n')}\n\n${draft.message}`));
      previous = { oid, entryHash: entryHashIn(draft) };
    }
    execFileSync('git', ['update-ref', ref, previous?.oid ?? ''], { cwd });
  }
}

function entryHashIn(draft: Draft): Sha256Ref {
  try {
    return decodeEntry(draft.files.get('entry.json') ?? Buffer.alloc(0)).entryHash;
  } catch {
    return sha256Ref('unreadable');
  }
}

/** Makes every SHA-256 of the entry, and its place in the chain, agree with its files again. */
function rehash(draft: Draft, place: number, previousHash: Sha256Ref | ''): void {
  const { files } = draft;
  const file = (path: string): Buffer => files.get(path) ?? Buffer.alloc(0);
  const old = decodeEntry(file('entry.json'));
  let transitionRef: Sha256Ref;
  let stateRoot: Sha256Ref;
  if (files.has('operator.json')) {
    transitionRef = sha256Ref(file('operator.json'));
    stateRoot = transitionRef;
  } else {
    const record = decodeInvocationRecord(file('record.json'));
    const plan = sha256Ref(file('plan.json'));
    const output = JSON.parse(file('output.json').toString()) as {
      world: { effects: { id: string; record: string }[]; plan: string };
    };
    const effects = output.world.effects.map((effect) => {
      const folder = `effects/${effect.id}`;
      const decoded = decodeEffectRecord(file(`${folder}/record.json`));
      const resultRef = files.has(`${folder}/result.json`) ? sha256Ref(file(`${folder}/result.json`)) : '';
      const bytes = encodeEffectRecord({ ...decoded, requestRef: sha256Ref(file(`${folder}/request`)), resultRef });
      files.set(`${folder}/record.json`, bytes);
      effect.record = sha256Ref(bytes);
      return sha256Ref(bytes);
    });
    output.world.plan = plan;
    files.set('output.json', encodeCanonical(output as unknown as JsonObject));
    stateRoot = sha256Ref(file('output.json'));
    const bytes = encodeInvocationRecord({
      ...record,
      input: sha256Ref(file('input.json')),
      plan,
      output: stateRoot,
      effects,
    });
    files.set('record.json', bytes);
    transitionRef = sha256Ref(bytes);
  }
  const header = {
    ...old.header,
    entryIndex: place as EntryWire['header']['entryIndex'],
    prevEntryHash: previousHash,
  };
  const entryHash = computeEntryHash(header, transitionRef);
  files.set('entry.json', encodeEntry({ header, entryHash, transitionRef }));
  files.set(
    'world.json',
    encodeWorld({ ...decodeWorld(file('world.json')), revision: place, stateRoot, logHead: entryHash }),
  );
}

/** Replaces one text in a file of an entry. */
export function replaceIn(draft: Draft, path: string, from: string | RegExp, to: string): void {
  const old = draft.files.get(path)?.toString() ?? '';
  const changed = old.replace(from, to);
  if (changed === old)
    throw new Error(`${path} of entry ${draft.index} does not hold ${String(from)}: ${old.slice(0, 200)}`);
  draft.files.set(path, Buffer.from(changed));
}

/** Changes the operator's record of an entry. */
export function changeAct(draft: Draft, change: (act: Record<string, unknown>) => void): void {
  const act = parseCanonicalSource(draft.files.get('operator.json') ?? Buffer.alloc(0)) as Record<string, unknown>;
  change(act);
  draft.files.set('operator.json', encodeCanonical(act as JsonObject));
}
