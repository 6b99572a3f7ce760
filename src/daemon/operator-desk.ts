import { WorldError } from '../errors.js';
import type { Identity } from '../git/types.js';
import type {
  CommittedEntry,
  CredentialId,
  EpisodeId,
  OperatorAct,
  Redaction,
  SessionState,
  Sha256Ref,
  Snapshot,
  WorldLog,
} from '../log/types.js';
import type { EpisodeRow, SessionRow } from './control-protocol.js';
import { episodeRows, sessionRows } from './rows.js';
import { type GrantRequest, mintSession } from './sessions.js';

/** Worktrees on this machine, as the desk needs them. */
export interface Worktrees {
  /**
   * Makes worktree and policy of a new episode, starting from HEAD. `discard` undoes it.
   * @throws WorldError `unborn-head`, `worktree-exists`, `workspace-misplaced` …
   */
  create(episode: EpisodeId): Promise<CreatedWorktree>;
  /** Where the worktree of an episode is; null when it is not there. */
  locate(episode: EpisodeId): Promise<string | null>;
  /** Files of the episode as they are now. */
  snapshot(episode: EpisodeId): Promise<Snapshot>;
}

export interface CreatedWorktree {
  readonly root: string;
  readonly baseCommit: string;
  readonly policy: string;
  readonly denyList: readonly string[];
  readonly snapshot: Snapshot;
  /** Called when the log holds the snapshot. */
  recorded(): void;
  discard(): Promise<void>;
}

export interface DeskOptions {
  readonly log: WorldLog;
  readonly worktrees: Worktrees;
  readonly author: Identity;
  readonly interpreter: Sha256Ref;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly random: (bytes: number) => Buffer;
}

/**
 * What the operator may do to a world: each act is one entry of the log. Acts run one after another, so that two of
 * them never decide from the same state.
 */
export class OperatorDesk {
  readonly #options: DeskOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** @throws WorldError `episode-unknown`, `episode-closed` */
  mint(request: { episode: EpisodeId; grants: readonly GrantRequest[]; ttlSeconds: number }) {
    return this.#inTurn(async () => {
      this.#openEpisode(request.episode);
      const { minted, act } = mintSession({
        ...request,
        nowSeconds: this.#nowSeconds(),
        random: this.#options.random,
      });
      await this.#append(act);
      return { ...minted, expiresAt: act.expiresAt };
    });
  }

  listSessions(episode?: EpisodeId): readonly SessionRow[] {
    return sessionRows(this.#options.log.state, this.#nowSeconds(), episode);
  }

  /**
   * Revokes one session (by credential id or a unique beginning of at least 8 digits) or all of an episode.
   * @throws WorldError `session-unknown` when nothing matches: nothing was revoked
   */
  revoke(request: { credentialId?: string; episode?: EpisodeId }): Promise<readonly CredentialId[]> {
    return this.#inTurn(async () => {
      const matches = this.#sessions().filter((session) =>
        request.credentialId === undefined
          ? session.episode === request.episode
          : session.credentialId.startsWith(request.credentialId),
      );
      const credentialIds = matches.map((session) => session.credentialId);
      if (credentialIds.length === 0)
        throw new WorldError('session-unknown', 'no such session; nothing was revoked', {
          hint: 'ailang-worldd session list shows them',
        });
      if (request.credentialId !== undefined && credentialIds.length > 1)
        throw new WorldError('session-ambiguous', `${credentialIds.length} sessions begin so; nothing was revoked`);
      await this.#append(
        this.#revocation(credentialIds, request.credentialId === undefined ? (request.episode ?? null) : null),
      );
      return credentialIds;
    });
  }

  /**
   * Makes the worktree of a new episode and records its opening.
   * @throws WorldError `episode-exists`, and what making the worktree raises
   */
  openEpisode(episode: EpisodeId): Promise<EpisodeRow> {
    return this.#inTurn(async () => {
      const { log, worktrees } = this.#options;
      const known = log.state.episode(episode);
      if (known !== undefined)
        throw new WorldError('episode-exists', `episode ${episode} ${known.open ? 'is open already' : 'was closed'}`, {
          hint: 'an episode is opened once; choose another name',
        });
      const created = await worktrees.create(episode);
      const { root, baseCommit, policy, denyList, snapshot } = created;
      try {
        await this.#append(
          { act: 'episode-open', episode, baseCommit, policy, denyList, time: this.#nowSeconds() },
          snapshot,
        );
      } catch (error) {
        await created.discard();
        throw error;
      }
      created.recorded();
      return { episode, open: true, baseCommit, worktree: root };
    });
  }

  listEpisodes(): Promise<readonly EpisodeRow[]> {
    const { log, worktrees } = this.#options;
    return episodeRows(log.state, (episode) => worktrees.locate(episode));
  }

  /** Revokes the episode's sessions and records its final tree. The worktree stays on disk. */
  closeEpisode(episode: EpisodeId): Promise<EpisodeRow> {
    return this.#inTurn(async () => {
      const { log, worktrees } = this.#options;
      const { baseCommit } = this.#openEpisode(episode);
      const worktree = await worktrees.locate(episode);
      const snapshot = worktree === null ? undefined : await worktrees.snapshot(episode);
      const live = log.state.sessions().filter((session) => session.episode === episode && !session.revoked);
      if (live.length > 0)
        await this.#append(
          this.#revocation(
            live.map((session) => session.credentialId),
            episode,
          ),
        );
      await this.#append({ act: 'episode-close', episode, time: this.#nowSeconds() }, snapshot);
      return { episode, open: false, baseCommit, worktree };
    });
  }

  /** Records which payloads are about to be taken out; taking them out is not the desk's task. */
  redact(redactions: readonly Redaction[], reason: string): Promise<CommittedEntry> {
    return this.#inTurn(async () => this.#append({ act: 'redact', redactions, reason, time: this.#nowSeconds() }));
  }

  #openEpisode(episode: EpisodeId) {
    const state = this.#options.log.state.episode(episode);
    if (state?.open) return state;
    const [code, what] = state === undefined ? ['episode-unknown', 'does not exist'] : ['episode-closed', 'is closed'];
    throw new WorldError(code ?? '', `episode ${episode} ${what}`, {
      hint: 'ailang-worldd episode list shows them; episode open <name> makes one',
    });
  }

  #sessions(): readonly SessionState[] {
    return this.#options.log.state.sessions().filter((session) => !session.revoked);
  }

  #revocation(credentialIds: readonly CredentialId[], episode: EpisodeId | null): OperatorAct {
    return { act: 'session-revoke', credentialIds, episode, time: this.#nowSeconds() };
  }

  #append(act: OperatorAct, worktree?: Snapshot): Promise<CommittedEntry> {
    const { log, author, interpreter } = this.#options;
    return log.append({ kind: 'operator', act, author, interpreter, ...(worktree === undefined ? {} : { worktree }) });
  }

  #nowSeconds(): number {
    return Math.floor(this.#options.now() / 1000);
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act, act);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
