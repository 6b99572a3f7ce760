import type { ProvenanceTrailer } from '../trailer.js';

/** A trailer as found, or why it is none. */
export type FoundTrailer =
  | { readonly ok: true; readonly trailer: ProvenanceTrailer; readonly from: string }
  | { readonly ok: false; readonly line: string; readonly why: string; readonly from: string };

const KEYS = ['store', 'world', 'episode', 'entries', 'head', 'tree'] as const;

/**
 * Finds the trailers in a commit message or a pull request's body, in any paragraph and indented or quoted: squashing
 * puts them anywhere. That is safe, because a trailer only claims; what it claims is checked.
 */
export function findTrailers(text: string, from: string): readonly FoundTrailer[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => /^[\s>*`-]*World-Provenance:\s*(.*?)[\s`]*$/i.exec(line)?.[1])
    .filter((line) => line !== undefined)
    .map((line) => parseTrailer(line, from));
}

function parseTrailer(line: string, from: string): FoundTrailer {
  const bad = (why: string): FoundTrailer => ({ ok: false, line, why, from });
  const values = new Map<string, string>();
  for (const pair of line.split(/\s+/)) {
    const equals = pair.indexOf('=');
    const key = pair.slice(0, Math.max(0, equals));
    if (!(KEYS as readonly string[]).includes(key)) return bad(`"${pair}" is not one of ${KEYS.join(', ')}`);
    if (values.has(key)) return bad(`${key} is given twice`);
    const value = decoded(pair.slice(equals + 1));
    if (value === null) return bad(`${key} is not percent-encoded`);
    values.set(key, value);
  }
  const missing = KEYS.find((key) => !values.has(key));
  if (missing !== undefined) return bad(`${missing} is missing`);
  const [store = '', world = '', episode = '', entries = '', head = '', tree = ''] = KEYS.map((key) => values.get(key));
  const range = /^(0|[1-9]\d{0,14})-(0|[1-9]\d{0,14})$/.exec(entries);
  if (!/^[0-9a-f]{16}$/.test(world)) return bad('world is not 16 hex digits');
  if (range === null || Number(range[1]) > Number(range[2])) return bad('entries is not <first>-<last>');
  if (!/^sha256:[0-9a-f]{64}$/.test(head)) return bad('head is not a sha256 ref');
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(tree)) return bad('tree is not a git id');
  const trailer = { store, world, episode, first: Number(range[1]), last: Number(range[2]), head, tree };
  return { ok: true, trailer, from };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
