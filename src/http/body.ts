import type { IncomingMessage } from 'node:http';
import { errorReply, type Reply } from './respond.js';

export type BodyOutcome =
  | { readonly ok: true; readonly bytes: Buffer }
  /** `reply` is null when the client went away. */
  | { readonly ok: false; readonly reply: Reply | null };

/** Counts the bytes of all bodies being read, so that many large requests cannot fill the memory. */
export class BodyReader {
  readonly #total: number;
  readonly #deadlineMs: number;
  #held = 0;

  constructor(total: number, deadlineMs: number) {
    this.#total = total;
    this.#deadlineMs = deadlineMs;
  }

  /** Reads a body of at most `limit` bytes; gives up at once when the announced or the seen length exceeds it. */
  read(req: IncomingMessage, limit: number): Promise<BodyOutcome> {
    const tooLarge = errorReply(413, 'PayloadTooLarge', `the request body exceeds ${limit} bytes`);
    const announced = Number(req.headers['content-length'] ?? 0);
    if (announced > limit) return Promise.resolve({ ok: false, reply: tooLarge });
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const settle = (outcome: BodyOutcome) => {
        clearTimeout(timer);
        req.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
        this.#held -= size;
        resolve(outcome);
      };
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        this.#held += chunk.length;
        chunks.push(chunk);
        if (size > limit) settle({ ok: false, reply: tooLarge });
        else if (this.#held > this.#total) {
          settle({
            ok: false,
            reply: errorReply(503, 'Timeout', 'too many request bodies at one time; send it again'),
          });
        }
      };
      const onEnd = () =>
        settle({ ok: true, bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) });
      const onGone = () => settle({ ok: false, reply: null });
      const timer = setTimeout(
        () =>
          settle({
            ok: false,
            reply: errorReply(408, 'Timeout', 'the request body did not arrive in time', { Connection: 'close' }),
          }),
        this.#deadlineMs,
      );
      req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
    });
  }
}
