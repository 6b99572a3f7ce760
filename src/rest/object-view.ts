import { createHash } from 'node:crypto';
import type { LogReader, ObjectLocation, Sha256Ref } from '../log/types.js';

/** What `GET /v1/objects/<ref>` says of some bytes in the log (world-behaviour 6.2). */
export interface ObjectView {
  readonly hash: Sha256Ref;
  readonly interfaceHash: string;
  readonly semanticId: string;
  readonly provenance: string;
  /** Base64; only when asked for. */
  readonly payload?: string;
}

const SEMANTIC_IDS: Readonly<Record<string, string>> = {
  'record.json': 'world/invocation-record/v2',
  'input.json': 'world/invocation-input/v1',
  'plan.json': 'world/effect-plan/v1',
  'output.json': 'world/invocation-output/v1',
  'operator.json': 'world/operator-record/v1',
  'world.json': 'world/world/v1',
  'entry.json': 'world/log-entry/v1',
};
const EFFECT_IDS: Readonly<Record<string, string>> = {
  'record.json': 'world/effect-record/v1',
  request: 'world/effect-request/v1',
  'result.json': 'world/effect-result/v1',
};

/** The kind of the bytes, told by their path in an entry's tree. */
export function semanticIdOf(path: string): string {
  const effect = /^effects\/[^/]+\/([^/]+)$/.exec(path);
  if (effect !== null) return EFFECT_IDS[effect[1] ?? ''] ?? 'world/file/v1';
  if (path.startsWith('transitions/')) return 'world/transition-source/v1';
  return SEMANTIC_IDS[path] ?? 'world/file/v1';
}

const sha256 = (bytes: Buffer | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** The object of this ref, its bytes checked against it; null when no entry holds it. */
export async function findObject(log: LogReader, ref: Sha256Ref, withPayload: boolean): Promise<ObjectView | null> {
  for await (const location of log.find(ref).locations) {
    const bytes = await bytesAt(log, location);
    // A world ref or an entry hash finds its entry too, and an entry hash is no hash of a file.
    if (bytes === null || sha256(bytes) !== ref) continue;
    const semanticId = semanticIdOf(location.path);
    return {
      hash: ref,
      interfaceHash: sha256(semanticId),
      semanticId,
      provenance: location.path.startsWith('effects/') ? 'host/broker' : 'host/coordinator',
      ...(withPayload ? { payload: bytes.toString('base64') } : {}),
    };
  }
  return null;
}

async function bytesAt(log: LogReader, { index, path }: ObjectLocation): Promise<Buffer | null> {
  return (await log.entry(index))?.files.get(path) ?? null;
}
