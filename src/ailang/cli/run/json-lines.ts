import type { Readable } from 'node:stream';

/** Calls `use` for each complete line of a stream. */
export function splitLines(stream: Readable, use: (line: string) => void): void {
  let rest: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    let at = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, at)) {
      rest.push(chunk.subarray(at, end));
      const line = Buffer.concat(rest).toString('utf8');
      rest = [];
      at = end + 1;
      use(line);
    }
    if (at < chunk.length) rest.push(chunk.subarray(at));
  });
}
