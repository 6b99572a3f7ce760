import { decodeFrame, type Frame, frameMagic, type JournalRecord } from './journal-frame.js';

/** What one half of the journal holds. */
export interface HalfScan {
  /** Frames from the start of the half, in sequence. */
  readonly frames: readonly Frame[];
  /** Bytes those frames take. */
  readonly end: number;
  /** A whole frame found behind the first break, of the newest generation there is; null when there is none. */
  readonly stray: Frame | null;
}

/** The newest generation of a journal. */
export interface JournalContent {
  /** 0 when nothing was ever written. */
  readonly generation: number;
  readonly salt: Buffer;
  readonly nextSequence: number;
  /** Bytes used of the generation's half. */
  readonly end: number;
  readonly records: readonly JournalRecord[];
  /**
   * True when a frame in the middle is broken though later ones were written, which only happens after it was
   * acknowledged. A broken last frame is no damage: its write was never acknowledged.
   */
  readonly damaged: boolean;
}

/** Reads both halves of a journal file. Generation g lives in half g mod 2. */
export function scanJournal(bytes: Buffer): JournalContent {
  const size = bytes.length / 2;
  const halves = [scanHalf(bytes.subarray(0, size)), scanHalf(bytes.subarray(size))];
  const generationOf = (half: HalfScan | undefined) => half?.frames[0]?.generation ?? 0;
  const newest = halves.reduce((best, half) => (generationOf(half) > generationOf(best) ? half : best));
  const generation = generationOf(newest);
  const first = newest.frames[0];
  const damaged = halves.some(({ stray }) => stray !== null && stray.generation >= Math.max(generation, 1));
  return {
    generation,
    salt: first?.salt ?? Buffer.alloc(8),
    nextSequence: newest.frames.length,
    end: newest.end,
    records: newest.frames.flatMap((frame) => frame.records),
    damaged,
  };
}

function scanHalf(bytes: Buffer): HalfScan {
  const frames: Frame[] = [];
  let end = 0;
  for (;;) {
    const next = decodeFrame(bytes, end);
    const first = frames[0];
    if (next === null || next.frame.sequence !== frames.length) break;
    if (first !== undefined && !(next.frame.generation === first.generation && next.frame.salt.equals(first.salt)))
      break;
    frames.push(next.frame);
    end += next.size;
  }
  return { frames, end, stray: findStray(bytes, end, frames[0]) };
}

/** Frames left from an older generation are no sign of damage, only ones of this generation or of a newer one. */
function findStray(bytes: Buffer, from: number, first: Frame | undefined): Frame | null {
  let newest: Frame | null = null;
  for (let at = bytes.indexOf(frameMagic, from); at >= 0; at = bytes.indexOf(frameMagic, at + 1)) {
    const found = decodeFrame(bytes, at)?.frame;
    if (found === undefined || (first !== undefined && !found.salt.equals(first.salt))) continue;
    if (newest === null || found.generation > newest.generation) newest = found;
  }
  return newest;
}
