import { operatorTransitionFn } from '../../log/operator-record.js';
import { encodeMarker, markerPath } from '../../log/redaction.js';
import type { InvocationRecord, JsonObject, OperatorAct, Redaction, Sha256Ref } from '../../log/types.js';
import { entryHashOf, refOf, worldRefOf } from '../digest.js';
import { parseJson } from '../parse-json.js';
import { outputWorldSchema } from '../record-schemas.js';
import { type EntryFacts, plannedEffects } from './entry-facts.js';
import { type LevelBook, shown } from './report.js';

const ALTERED = 'these are not the bytes that were logged: the entry was altered after it was written';
const FOREIGN = 'this is not what the daemon writes: something else made or changed this entry';

/** Parents, indices, hashes, the ref of every file, and that an entry holds those files and no others. */
export class ChainLevel {
  #previous: { commit: string; entryHash: Sha256Ref | null } | null = null;
  worldId: string | null = null;
  #signed = 0;
  /** Markers that no redact act has named yet, with the entry they stand in. */
  readonly #unnamed = new Map<string, number>();

  /** @param worlds ids of the worlds that count; empty for any */
  constructor(
    private readonly book: LevelBook,
    private readonly worlds: readonly string[] = [],
  ) {}

  /** How many entries carry a signature. */
  get signed(): number {
    return this.#signed;
  }

  take(facts: EntryFacts): void {
    const { raw, wire } = facts;
    if (raw.signed) this.#signed += 1;
    this.book.count('entries');
    this.book.count('files', raw.files.size);
    for (const fault of raw.faults) this.#git(facts, fault);
    for (const { path, why } of facts.malformed) {
      this.#fail(facts, path, 'it is not what its name promises', 'the form of docs/log-format.md', why, FOREIGN);
    }
    for (const [path, marker] of facts.redacted) this.#marker(facts, path, marker);
    this.#parent(facts);
    this.#header(facts);
    this.#world(facts);
    if (facts.body?.kind === 'call') this.#call(facts, facts.body.record);
    else if (facts.body?.kind === 'act') this.#act(facts, facts.body.act);
    const entryHash = wire === null ? null : entryHashOf(wire.header, wire.transitionRef);
    if (raw.position === 0) this.#genesis(facts, entryHash);
    this.#previous = { commit: raw.commit, entryHash };
  }

  #genesis(facts: EntryFacts, entryHash: Sha256Ref | null): void {
    this.worldId = entryHash?.slice('sha256:'.length, 'sha256:'.length + 16) ?? null;
    if (this.worlds.length === 0 || this.worlds.includes(this.worldId ?? '')) return;
    const meaning = 'this is another log, or its first entry was replaced';
    this.#fail(
      facts,
      '',
      'its genesis is not that of a trusted world',
      this.worlds.join(' or '),
      shown(this.worldId),
      meaning,
    );
  }

  /** @param whole false when the log goes on after the entries looked at: the act may be there */
  finish(whole: boolean): void {
    if (!whole) return;
    for (const [marker, entry] of this.#unnamed)
      this.book.fail({
        entry,
        what: 'a payload was taken out and no redact act says so',
        expected: 'an act with the same words as the marker',
        found: shown(marker),
        meaning: 'evidence was taken out of the entry without the operator’s word',
      });
  }

  #marker(facts: EntryFacts, path: string, marker: Redaction): void {
    this.book.count('redacted payloads');
    const { position } = facts.raw;
    this.#same(
      facts,
      markerPath(path),
      'its marker is of another place',
      `${position} ${path}`,
      `${marker.entry} ${marker.path}`,
      ALTERED,
    );
    this.#unnamed.set(encodeMarker(marker).toString(), position);
  }

  #parent(facts: EntryFacts): void {
    const { raw } = facts;
    const expected = this.#previous === null ? [] : [this.#previous.commit];
    if (raw.parents.join() === expected.join()) return;
    const shallow = raw.position === 0 && raw.parents.length === 1;
    this.#fail(
      facts,
      '',
      'its commit has other parents',
      expected.join(' ') || 'none: the first entry begins the history',
      raw.parents.join(' ') || 'none',
      shallow
        ? 'the beginning of the log is not here: fetch it whole (git fetch --unshallow)'
        : 'entries were taken out, put in or put in another order',
    );
  }

  #header(facts: EntryFacts): void {
    const { wire, raw, body } = facts;
    if (wire === null) return;
    const { header, entryHash, transitionRef } = wire;
    const same = (what: string, expected: unknown, found: unknown, meaning: string): void =>
      this.#same(facts, 'entry.json', what, expected, found, meaning);
    const order = 'entries were taken out, put in or put in another order';
    same('its index is not its place in the history', raw.position, header.entryIndex, order);
    const prev = this.#previous === null ? '' : this.#previous.entryHash;
    if (prev !== null) same('prevEntryHash is not the hash of the entry before it', prev, header.prevEntryHash, order);
    same('entryHash is not the hash of its header', entryHashOf(header, transitionRef), entryHash, ALTERED);
    same('its semantics epoch is unknown', 1, header.semanticsEpoch, FOREIGN);
    if (body === null) return;
    if ((raw.position === 0) !== (body.kind === 'act' && body.act.act === 'genesis')) {
      same('genesis is the first entry and no other', 'genesis at 0', `index ${raw.position}`, order);
    }
    if (body.kind === 'call') {
      same('it names another writer', 'coordinator:a2a', header.writtenBy, FOREIGN);
      same('the record names another tool source', header.transitionFn, body.record.transitionFn, FOREIGN);
      same('the record names another interpreter', header.interpreter, body.record.interpreter, FOREIGN);
      same('the record names another epoch', header.semanticsEpoch, body.record.semanticsEpoch, FOREIGN);
    } else {
      same('it names another act', `operator:${body.act.act}`, header.writtenBy, FOREIGN);
      same('transitionFn is not that of operator acts', operatorTransitionFn, header.transitionFn, FOREIGN);
    }
  }

  #world(facts: EntryFacts): void {
    const { wire, world, raw } = facts;
    if (world === null) return;
    const bytes = raw.files.get('world.json') ?? Buffer.alloc(0);
    const same = (what: string, expected: unknown, found: unknown): void =>
      this.#same(facts, 'world.json', what, expected, found, ALTERED);
    same('the world ref is not that of its three fields', worldRefOf(world), refOf(bytes));
    same('its revision is not the entry’s index', raw.position, world.revision);
    if (wire !== null) same('logHead is not this entry', entryHashOf(wire.header, wire.transitionRef), world.logHead);
    this.#ref(facts, raw.files.has('operator.json') ? 'operator.json' : 'output.json', world.stateRoot, 'stateRoot');
  }

  #call(facts: EntryFacts, record: InvocationRecord): void {
    const { raw, wire } = facts;
    if (wire !== null) this.#ref(facts, 'record.json', wire.transitionRef, 'transitionRef');
    this.#ref(facts, 'input.json', record.input, 'record.input');
    this.#ref(facts, 'plan.json', record.plan, 'record.plan');
    this.#ref(facts, 'output.json', record.output, 'record.output');
    const planned = plannedEffects(facts);
    const paths = ['entry.json', 'world.json', 'record.json', 'input.json', 'plan.json', 'output.json'];
    this.#same(
      facts,
      'record.json',
      'it names another number of effects than the plan',
      planned.length,
      record.effects.length,
      FOREIGN,
    );
    const effects = facts.body?.kind === 'call' ? facts.body.effects : [];
    planned.forEach(({ id }, at) => {
      const folder = `effects/${id}`;
      const effect = effects.find((candidate) => candidate.id === id)?.record;
      this.#ref(facts, `${folder}/record.json`, record.effects[at] ?? '', `record.effects[${at}]`);
      paths.push(`${folder}/record.json`, `${folder}/request`);
      if (effect === undefined) return;
      this.#ref(facts, `${folder}/request`, effect.requestRef, 'requestRef');
      if (effect.resultRef === '') return;
      this.#ref(facts, `${folder}/result.json`, effect.resultRef, 'resultRef');
      paths.push(`${folder}/result.json`);
    });
    this.#paths(facts, paths, true);
    if (facts.redacted.has('output.json')) return;
    const named = outputWorldSchema.safeParse(parseJson(raw.files.get('output.json'))).data?.world;
    this.#same(facts, 'output.json', 'its world block names another plan', record.plan, named?.plan ?? 'none', FOREIGN);
    const outcomes = named?.effects.map((effect) => effect.record).join() ?? 'none';
    this.#same(facts, 'output.json', 'its world block names other effects', record.effects.join(), outcomes, FOREIGN);
  }

  #act(facts: EntryFacts, act: OperatorAct): void {
    const { wire, raw } = facts;
    if (wire !== null) this.#ref(facts, 'operator.json', wire.transitionRef, 'transitionRef');
    if (act.act === 'redact') this.#redact(facts, act);
    const paths = ['entry.json', 'world.json', 'operator.json'];
    if (act.act === 'genesis' || act.act === 'tools') {
      for (const [id, descriptor] of Object.entries(act.tools)) {
        const path = `transitions/${id}.js`;
        const source = (descriptor as JsonObject | null)?.transitionFn;
        this.#ref(facts, path, typeof source === 'string' ? source : '', `transitionFn of ${id}`);
        paths.push(path);
      }
    }
    const needsTree = act.act === 'episode-open' || act.act === 'drift';
    this.#paths(facts, paths, needsTree || (act.act === 'episode-close' && raw.worktree !== null));
  }

  #redact({ raw }: EntryFacts, act: Extract<OperatorAct, { act: 'redact' }>): void {
    const still = act.redactions.filter((redaction) => !this.#unnamed.delete(encodeMarker(redaction).toString()));
    const taken = act.redactions.length - still.length;
    if (taken > 0) this.book.note(`entry ${raw.position}: ${taken} payload(s) redacted: ${shown(act.reason)}`);
    if (still.length > 0)
      this.book.note(
        `entry ${raw.position}: ${still.length} payload(s) it names are still there, or an act before named them`,
      );
  }

  #paths(facts: EntryFacts, expected: readonly string[], worktree: boolean): void {
    const { raw } = facts;
    const present = [...raw.files.keys(), ...(raw.worktree === null ? [] : ['worktree'])];
    const wanted = (worktree ? [...expected, 'worktree'] : expected).map((path) =>
      facts.redacted.has(path) ? markerPath(path) : path,
    );
    const missing = wanted.filter(
      (path) => !present.includes(path) && !facts.malformed.some((bad) => bad.path === path),
    );
    const extra = present.filter((path) => !wanted.includes(path));
    for (const path of missing)
      this.#fail(facts, path, 'a file of the entry is absent', path, 'nothing', 'evidence was taken out of the entry');
    for (const path of extra)
      this.#fail(
        facts,
        path,
        'a file is there that no ref names',
        'nothing',
        path,
        'something was put into the entry that nothing vouches for',
      );
  }

  /** A file's SHA-256 is the ref named for it. */
  #ref(facts: EntryFacts, path: string, ref: string, named: string): void {
    const bytes = facts.raw.files.get(path);
    const marker = facts.redacted.get(path);
    if (marker !== undefined)
      this.#same(facts, markerPath(path), `its marker names another ref than ${named}`, ref, marker.ref, ALTERED);
    if (bytes === undefined) return;
    this.book.count('refs');
    this.#same(facts, path, `its SHA-256 is not the one named as ${named}`, ref, refOf(bytes), ALTERED);
  }

  #same(facts: EntryFacts, path: string, what: string, expected: unknown, found: unknown, meaning: string): void {
    if (expected !== found) this.#fail(facts, path, what, shown(expected), shown(found), meaning);
  }

  #git(facts: EntryFacts, fault: string): void {
    this.#fail(
      facts,
      '',
      'git’s own object is not sound',
      'an object whose bytes have the id that names it',
      fault,
      'the repository is damaged, incomplete, or was changed behind git’s back',
    );
  }

  #fail({ raw }: EntryFacts, path: string, what: string, expected: string, found: string, meaning: string): void {
    const where = `entry ${raw.position}${path === '' ? '' : ` ${path}`}`;
    this.book.fail({ entry: raw.position, where, what, expected, found, meaning });
  }
}
