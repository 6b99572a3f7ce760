/** A JSON-RPC 2.0 message as it arrives. Requests have an id and a method, notifications only a method. */
export interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
}

export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  internal: -32603,
  notInitialized: -32002,
} as const;

/** No message of an editor is larger; a length beyond it is a broken stream. */
const maxLength = 64 * 1024 * 1024;

/** The stream is not what the protocol says: there is no way to find the next message. */
export class BrokenStream extends Error {}

/** Cuts a byte stream into the bodies of its messages: headers, an empty line, `Content-Length` bytes. */
export class MessageReader {
  #buffer: Buffer = Buffer.alloc(0);

  /** The bodies that are whole now. @throws BrokenStream */
  push(chunk: Buffer): string[] {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    const found: string[] = [];
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n');
      if (end < 0) {
        if (this.#buffer.length > 8192) throw new BrokenStream('a header without an end');
        return found;
      }
      const length = contentLength(this.#buffer.toString('latin1', 0, end));
      const from = end + 4;
      if (this.#buffer.length < from + length) return found;
      found.push(this.#buffer.toString('utf8', from, from + length));
      this.#buffer = this.#buffer.subarray(from + length);
    }
  }
}

function contentLength(headers: string): number {
  const text = /^content-length: *(\d+) *$/im.exec(headers)?.[1];
  const length = Number(text);
  if (text === undefined || length > maxLength) throw new BrokenStream('a message without a usable Content-Length');
  return length;
}

/** A message with its header. */
export function encodeMessage(message: object): Buffer {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}
