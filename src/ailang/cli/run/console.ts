import { readSync, writeSync } from 'node:fs';
import { systemErrorCode } from '../../policy/fileguard/system-error.js';

const pause = new Int32Array(new SharedArrayBuffer(4));

export type WriteOutput = (fd: number, bytes: Buffer) => void;

/** Written through at once: when a program is killed, everything it printed has been seen. */
export function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      // The reader is slow and the pipe was made non-blocking by somebody else.
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

/** Lines of standard input, read as they are asked for. */
export function lineReader(fd: number): () => string | null {
  let buffer = Buffer.alloc(0);
  let ended = false;
  const chunk = Buffer.allocUnsafe(65536);
  const fill = (): void => {
    for (;;) {
      try {
        const count = readSync(fd, chunk);
        if (count === 0) ended = true;
        else buffer = Buffer.concat([buffer, chunk.subarray(0, count)]);
        return;
      } catch (error) {
        const code = systemErrorCode(error);
        if (code !== 'EAGAIN') {
          // EOF is how Windows, EISDIR how a directory as standard input says that there is nothing.
          ended = true;
          return;
        }
        Atomics.wait(pause, 0, 0, 1);
      }
    }
  };
  return () => {
    for (;;) {
      const end = buffer.indexOf(0x0a);
      if (end >= 0) {
        const line = buffer.toString('utf8', 0, end);
        buffer = buffer.subarray(end + 1);
        return line.endsWith('\r') ? line.slice(0, -1) : line;
      }
      if (ended) {
        if (buffer.length === 0) return null;
        const rest = buffer.toString('utf8');
        buffer = Buffer.alloc(0);
        return rest;
      }
      fill();
    }
  };
}
