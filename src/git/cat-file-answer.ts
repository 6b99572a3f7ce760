import type { GitOid, ObjectType } from './types.js';

export interface ReadObject {
  readonly oid: GitOid;
  readonly type: ObjectType;
  readonly body: Buffer;
}

const header = /^([0-9a-f]{40}|[0-9a-f]{64}) (blob|tree|commit|tag) (\d+)$/;

export type Answer =
  | { readonly kind: 'object'; readonly object: ReadObject }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** Cuts git's output into answers. Keeps the chunks apart until one is whole, so that large bodies are copied once. */
export class AnswerParser {
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** The header whose body is not here yet. */
  #open: { oid: string; type: string; size: number } | undefined;
  /** Bytes of a refused body still to be thrown away. */
  #drop = 0;
  #refused: Answer | undefined;

  push(chunk: Buffer): void {
    const dropped = Math.min(this.#drop, chunk.length);
    this.#drop -= dropped;
    if (dropped === chunk.length) return;
    this.#chunks.push(chunk.subarray(dropped));
    this.#bytes += chunk.length - dropped;
  }

  next(maxObjectBytes: number): Answer | undefined {
    if (this.#drop > 0) return undefined;
    if (this.#refused !== undefined) {
      const answer = this.#refused;
      this.#refused = undefined;
      return answer;
    }
    if (this.#open === undefined) {
      const line = this.#takeLine();
      if (line === undefined) return undefined;
      const fields = header.exec(line);
      if (fields === null) return otherAnswer(line);
      const [, oid = '', type = '', size] = fields;
      this.#open = { oid, type, size: Number(size) };
    }
    const { oid, type, size } = this.#open;
    if (size > maxObjectBytes) {
      this.#open = undefined;
      this.#refuse(size + 1, 'object-too-large', `${size} bytes are more than the ${maxObjectBytes} allowed`);
      return this.next(maxObjectBytes);
    }
    if (this.#bytes < size + 1) return undefined;
    const body = this.#take(size + 1).subarray(0, size);
    this.#open = undefined;
    if (type === 'tag')
      return { kind: 'refused', code: 'bad-object-spec', message: 'is a tag; add ^{commit} to the name' };
    return { kind: 'object', object: { oid: oid as GitOid, type: type as ObjectType, body } };
  }

  #refuse(bytes: number, code: string, message: string): void {
    const here = Math.min(bytes, this.#bytes);
    this.#take(here);
    this.#drop = bytes - here;
    this.#refused = { kind: 'refused', code, message };
  }

  #takeLine(): string | undefined {
    let before = 0;
    for (const chunk of this.#chunks) {
      const at = chunk.indexOf(0x0a);
      if (at >= 0) return this.#take(before + at + 1).toString('utf8', 0, before + at);
      before += chunk.length;
    }
    return undefined;
  }

  #take(count: number): Buffer {
    const taken: Buffer[] = [];
    let wanted = count;
    let used = 0;
    for (const chunk of this.#chunks) {
      if (wanted < chunk.length) {
        if (wanted > 0) taken.push(chunk.subarray(0, wanted));
        break;
      }
      taken.push(chunk);
      wanted -= chunk.length;
      used += 1;
    }
    const cut = count - taken.slice(0, used).reduce((sum, chunk) => sum + chunk.length, 0);
    this.#chunks.splice(0, used);
    const first = this.#chunks[0];
    if (cut > 0 && first !== undefined) this.#chunks[0] = first.subarray(cut);
    this.#bytes -= count;
    // A copy even of one chunk: a small body must not hold on to 64 KB of pipe buffer.
    return Buffer.concat(taken);
  }
}

function otherAnswer(line: string): Answer {
  if (line.endsWith(' missing')) return { kind: 'missing' };
  const why = line.endsWith(' ambiguous') ? 'is ambiguous' : 'git gave an answer that is not understood';
  return { kind: 'refused', code: 'bad-object-spec', message: why };
}
