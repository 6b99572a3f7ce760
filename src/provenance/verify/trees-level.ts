import { WorldError } from '../../errors.js';
import { hashObject } from '../../git/oid.js';
import type { GitOid, ObjectFormat } from '../../git/types.js';
import type { OperatorAct } from '../../log/types.js';
import { parseJson } from '../parse-json.js';
import type { CheckedObjects } from './checked-objects.js';
import type { EffectFacts, EntryFacts } from './entry-facts.js';
import { EpisodeHistory, type Origin } from './history.js';
import { type LevelBook, shown } from './report.js';
import { type Change, diffTrees, followLinks, type Leaf, leafAt } from './tree-paths.js';

type Payload = Readonly<Record<string, unknown>>;

const UNEXPLAINED =
  'files changed and no recorded call did it: these bytes were not made by the effect the entry records';
/** Effects whose request says what they may do to files. */
const OPAQUE = ['Workspace.Write', 'Ailang.CLI'];
const PROGRAMS = ['Ailang.Run', 'Ailang.RunEnv', 'Ailang.RunNet'];

/** Each entry's change of files is explained by its effect; what is not a call's is named as drift. */
export class TreesLevel {
  readonly histories = new Map<string, EpisodeHistory>();

  constructor(
    private readonly objects: CheckedObjects,
    private readonly format: ObjectFormat,
    private readonly book: LevelBook,
  ) {}

  async take(facts: EntryFacts): Promise<void> {
    const { raw, body } = facts;
    if (body === null) return;
    try {
      if (body.kind === 'act') await this.#act(raw.position, raw.worktree, body.act);
      else await this.#call(facts, body.record.episodeId, body.record.skillId, body.effects);
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      this.book.fail({
        entry: raw.position,
        what: 'a file or folder of its worktree cannot be read',
        expected: 'every object of the snapshot',
        found: error.message,
        meaning: 'the snapshot is incomplete or damaged, so what changed cannot be told',
      });
    }
  }

  async #act(index: number, worktree: GitOid | null, act: OperatorAct): Promise<void> {
    if (act.act === 'episode-open') {
      if (worktree === null || this.histories.has(act.episode)) return;
      this.histories.set(act.episode, new EpisodeHistory(act.episode, index, worktree, act.baseCommit));
      // Reads the folder once, so that a snapshot that is not there is found here.
      await this.objects.tree(worktree);
      return;
    }
    if ((act.act !== 'drift' && act.act !== 'episode-close') || worktree === null) return;
    const history = this.histories.get(act.episode);
    if (history === undefined) return;
    if (act.act === 'drift') {
      this.book.count('drifts');
      if (act.previousTree !== history.tree) {
        this.book.fail({
          entry: index,
          what: 'the drift starts from another tree than the one recorded last',
          expected: history.tree,
          found: shown(act.previousTree),
          meaning: 'a state of the files between two entries is not in the log',
        });
      }
    }
    const changes = await diffTrees(this.objects, history.tree, worktree);
    this.#accept(history, worktree, changes, { by: 'drift', entry: index });
    if (changes.length === 0) return;
    this.book.count('paths changed outside World', changes.length);
    this.book.note(`entry ${index}: not made through World: ${listed(changes)}`);
  }

  async #call(facts: EntryFacts, episode: string, tool: string, effects: readonly EffectFacts[]): Promise<void> {
    const { position: entry, worktree } = facts.raw;
    const history = this.histories.get(episode);
    if (history === undefined || worktree === null) return;
    this.book.count('calls');
    const before = history.tree;
    const changes = await diffTrees(this.objects, before, worktree);
    const [effect] = effects;
    const program = effect !== undefined && runsProgram(effect) && effect.record.allowed;
    const origin: Origin = { by: program ? 'program' : 'call', entry, tool };
    if (program && changes.length > 0) {
      this.book.count('paths changed by programs', changes.length);
      this.book.note(`entry ${entry}: changed by the program that ${tool} ran: ${listed(changes)}`);
    }
    if (effect?.opaque && OPAQUE.includes(effect.record.effect) && effect.record.allowed && changes.length > 0) {
      this.book.count('paths changed by redacted calls', changes.length);
      this.book.note(`entry ${entry}: its request was redacted, so nothing explains: ${listed(changes)}`);
      return this.#accept(history, worktree, changes, { by: 'drift', entry });
    }
    let explained = true;
    if (!program) {
      const writing = effect?.record.effect === 'Workspace.Write' && effect.record.allowed;
      explained = writing
        ? await this.#writing(facts, effect, before, worktree, changes)
        : this.#unchanged(entry, effect, changes);
    }
    // What no effect explains was not made by a call, whatever else the log says.
    this.#accept(history, worktree, changes, explained ? origin : { by: 'drift', entry });
  }

  #unchanged(entry: number, effect: EffectFacts | undefined, changes: readonly Change[]): boolean {
    if (changes.length === 0) return true;
    const why =
      effect === undefined
        ? 'its plan was refused'
        : effect.record.allowed
          ? `${effect.record.effect} changes nothing`
          : `its effect was ${effect.record.denial}`;
    return this.#fail(entry, 'files changed although nothing may have', `no change: ${why}`, listed(changes));
  }

  async #writing(
    facts: EntryFacts,
    effect: EffectFacts,
    before: GitOid,
    after: GitOid,
    changes: readonly Change[],
  ): Promise<boolean> {
    const entry = facts.raw.position;
    const payload = (parseJson(effect.request.payload) ?? {}) as Payload;
    const asked = String(payload.path);
    const done =
      (parseJson(facts.raw.files.get(`effects/${effect.id}/result.json`)) as Payload | undefined)?.ok === true;
    if (!done && !effect.record.failed) {
      return (
        changes.length === 0 ||
        this.#fail(entry, 'files changed although the write was refused', 'no change', listed(changes))
      );
    }
    const path = await this.#target(before, asked, changes);
    const others = changes.filter((change) => change.path !== path);
    if (others.length > 0)
      return this.#fail(
        entry,
        `other files changed than ${shown(asked)}`,
        path ?? 'no file of the worktree',
        listed(others),
      );
    const old = path === null ? null : await leafAt(this.objects, before, path);
    const now = path === null ? null : await leafAt(this.objects, after, path);
    const content = await this.#content(payload, old);
    // A handler that failed or was cut off may have written or not.
    if (effect.record.failed && changes.length === 0) return true;
    if (path === null || (old === null && now === null)) {
      this.book.count('writes git ignores');
      this.book.note(
        `entry ${entry}: ${shown(asked)} is not among the files git would add, so its content is not in the snapshot`,
      );
      return true;
    }
    if (content === null)
      return this.#fail(
        entry,
        `${shown(path)} could not be edited so`,
        'old_text exactly once in the file before',
        'another number of times',
      );
    const oid = hashObject(this.format, 'blob', content);
    const mode = old?.mode === '100755' ? '100755' : '100644';
    if (now?.oid === oid && now.mode === mode) {
      this.book.count('writes and edits');
      return true;
    }
    const found = now === null ? 'no file' : `${now.mode} ${now.oid}`;
    return this.#fail(
      entry,
      `${shown(path)} does not hold what the call wrote`,
      `${mode} ${oid} (${content.length} bytes)`,
      found,
    );
  }

  /** The file a write reaches: links followed, and other spellings of a name where the file system has them as one. */
  async #target(before: GitOid, asked: string, changes: readonly Change[]): Promise<string | null> {
    const path = await followLinks(this.objects, before, asked);
    const [only] = changes;
    if (path === null || changes.length !== 1 || only === undefined || only.path === path) return path;
    const folded = (text: string): string => text.normalize('NFC').toLowerCase();
    return folded(only.path) === folded(path) ? only.path : path;
  }

  async #content(payload: Payload, old: Leaf | null): Promise<Buffer | null> {
    if (payload.op === 'write') return Buffer.from(String(payload.content));
    if (old === null || !old.mode.startsWith('100')) return null;
    const bytes = await this.objects.read(old.oid, 'blob');
    const text = Buffer.from(String(payload.old_text));
    const at = bytes.indexOf(text);
    if (text.length === 0 || at < 0 || bytes.indexOf(text, at + text.length) >= 0) return null;
    return Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(String(payload.new_text)),
      bytes.subarray(at + text.length),
    ]);
  }

  #accept(history: EpisodeHistory, tree: GitOid, changes: readonly Change[], origin: Origin): void {
    history.tree = tree;
    if (origin.by === 'base') return;
    for (const { path, after } of changes) history.add(path, { entry: origin.entry, leaf: after, origin });
    this.book.count('paths changed', changes.length);
  }

  #fail(entry: number, what: string, expected: string, found: string): false {
    this.book.fail({ entry, where: `entry ${entry} worktree`, what, expected, found, meaning: UNEXPLAINED });
    return false;
  }
}

/** Effects that start a program in the worktree, which may write files there. */
function runsProgram({ record, request }: EffectFacts): boolean {
  if (PROGRAMS.includes(record.effect)) return true;
  return record.effect === 'Ailang.CLI' && (parseJson(request.payload) as Payload | undefined)?.op === 'test';
}

function listed(changes: readonly Change[]): string {
  const some = changes.slice(0, 5).map(({ path, before, after }) => {
    const how = before === null ? 'added' : after === null ? 'removed' : before.oid === after.oid ? 'mode' : 'changed';
    return `${shown(path)} ${how}`;
  });
  return `${some.join(', ')}${changes.length > 5 ? ` and ${changes.length - 5} more` : ''}`;
}
