import { createHash } from 'node:crypto';
import type { ObjectFormat } from '../../git/types.js';
import { type AllowedSigner, signerOf } from './allowed-signers.js';
import { type CommitSignature, commitSignature } from './commit-signature.js';
import type { RawEntry } from './read-log.js';
import type { FindingFacts, LevelBook } from './report.js';

const CHANGED = 'the entry, or its signature, was changed after it was signed';
const UNVOUCHED = 'nobody who may sign vouches for it: anyone with the repository could have written it';

/**
 * That the entries are vouched for. A signature covers its commit and, by the parent's id in it, every entry before; so
 * an entry without one is covered by a later good one, and only entries after the last good one are not.
 */
export class SignatureLevel {
  readonly #signers = new Map<string, number>();
  #entries = 0;
  #covered = 0;

  constructor(
    private readonly format: ObjectFormat,
    private readonly allowed: readonly AllowedSigner[],
    private readonly book: LevelBook,
  ) {}

  take({ position, body }: RawEntry): void {
    this.#entries = position + 1;
    if (body === null) return;
    this.book.count('entries');
    const objection = this.#objection(position, commitSignature(body, this.format));
    if (objection !== null) this.book.fail({ entry: position, ...objection });
  }

  /** Notes a good signature; null for that, and for none. */
  #objection(position: number, signature: CommitSignature): Omit<FindingFacts, 'entry'> | null {
    if (signature.kind === 'none') return null;
    if (signature.kind === 'malformed')
      return {
        what: 'its signature cannot be read',
        expected: 'an SSH signature',
        found: signature.why,
        meaning: CHANGED,
      };
    const key = fingerprint(signature.key);
    if (!signature.matches)
      return {
        what: 'its signature is not that of its bytes',
        expected: `a signature by ${key} over this commit`,
        found: 'one over other bytes, or a damaged one',
        meaning: CHANGED,
      };
    const signer = signerOf(this.allowed, signature.key, signature.time);
    if (signer === null)
      return {
        what: 'it is signed by a key that may not sign',
        expected: 'the key of an allowed signer, at a time it is valid',
        found: key,
        meaning: UNVOUCHED,
      };
    this.book.count('good signatures');
    this.#signers.set(signer, (this.#signers.get(signer) ?? 0) + 1);
    this.#covered = position + 1;
    return null;
  }

  /** @param whole false when the log goes on after the entries looked at: later ones may be signed */
  finish(whole: boolean): void {
    for (const [signer, count] of this.#signers) this.book.note(`${count} signed by ${signer}`);
    if (!whole || this.#covered === this.#entries) return;
    const first = this.#covered;
    const found = first === 0 ? 'no good signature in the log' : `the last good one is on entry ${first - 1}`;
    this.book.fail({
      entry: first,
      what: 'it and what follows is not covered by a signature',
      expected: 'a good signature on the newest entry',
      found,
      meaning: UNVOUCHED,
    });
  }
}

/** As `ssh-keygen -l` shows a key. */
function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}
