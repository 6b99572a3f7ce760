/** The encodings of SSH (RFC 4251 section 5) that keys and signatures are made of. */

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Four bytes of length, then the bytes. */
export function string(value: Buffer | string): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/** A text between two marker lines, base64 in lines of 70 characters, a line break at the end. */
export function armour(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,70}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** Reads values one after another. */
export class WireReader {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  /** @throws RangeError when the bytes end before */
  take(length: number): Buffer {
    if (length > this.bytes.length - this.#at) throw new RangeError('it ends too early');
    this.#at += length;
    return this.bytes.subarray(this.#at - length, this.#at);
  }

  uint32(): number {
    return this.take(4).readUInt32BE();
  }

  string(): Buffer {
    return this.take(this.uint32());
  }

  text(): string {
    return this.string().toString('latin1');
  }

  /** What is left. */
  rest(): Buffer {
    return this.bytes.subarray(this.#at);
  }
}
