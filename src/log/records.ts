import { z } from 'zod';
import { WorldError } from '../errors.js';
import { encodeCanonical, encodeGoString, parseCanonicalSource } from './canonical-json.js';
import { isSha256Ref, sha256Ref } from './hash.js';
import type {
  EffectRecord,
  EntryHeader,
  EntryIndex,
  EntryWire,
  EpisodeId,
  InvocationRecord,
  JsonValue,
  Sha256Ref,
  World,
} from './types.js';

/** Bytes and hashes of entry, world, invocation record and effect record (world-formats 7, 9.2 to 9.4). */

const ref = z.custom<Sha256Ref>(isSha256Ref);
const refOrEmpty = z.custom<Sha256Ref | ''>((value) => value === '' || isSha256Ref(value));
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const text = z.string().min(1);
export const episodeIdShape = /^[a-z0-9][a-z0-9-]{0,63}$/;
export const episodeIdSchema = z.custom<EpisodeId>((value) => typeof value === 'string' && episodeIdShape.test(value));

type Field = string | number | boolean | readonly string[];

function encodeFields(fields: readonly (readonly [string, Field])[]): string {
  const literal = (value: Field): string => {
    if (typeof value === 'string') return encodeGoString(value);
    return typeof value === 'object' ? `[${value.map(encodeGoString).join(',')}]` : String(value);
  };
  return `{${fields.map(([name, value]) => `"${name}":${literal(value)}`).join(',')}}`;
}

function headerFields(header: EntryHeader): readonly (readonly [string, Field])[] {
  return [
    ['entryIndex', header.entryIndex],
    ['semanticsEpoch', header.semanticsEpoch],
    ['transitionFn', header.transitionFn],
    ['interpreter', header.interpreter],
    ['prevEntryHash', header.prevEntryHash],
    ['writtenBy', header.writtenBy],
  ];
}

/** The bytes `entryHash` is the SHA-256 of: the six header fields and `transitionRef` (world-formats 9.2). */
export function entryHashInput(header: EntryHeader, transitionRef: Sha256Ref): Buffer {
  return Buffer.from(encodeFields([...headerFields(header), ['transitionRef', transitionRef]]));
}

export function computeEntryHash(header: EntryHeader, transitionRef: Sha256Ref): Sha256Ref {
  return sha256Ref(entryHashInput(header, transitionRef));
}

/** `entry.json`. */
export function encodeEntry(wire: EntryWire): Buffer {
  const rest = encodeFields([
    ['entryHash', wire.entryHash],
    ['transitionRef', wire.transitionRef],
  ]);
  return Buffer.from(`{"header":${encodeFields(headerFields(wire.header))},${rest.slice(1)}`);
}

/** `world.json`; its SHA-256 is the world ref (world-formats 9.3). */
export function encodeWorld(world: World): Buffer {
  return Buffer.from(
    encodeFields([
      ['revision', world.revision],
      ['stateRoot', world.stateRoot],
      ['logHead', world.logHead],
    ]),
  );
}

/** `record.json`, `world/invocation-record/v2` (world-formats 9.4). */
export function encodeInvocationRecord(record: InvocationRecord): Buffer {
  return Buffer.from(
    encodeFields([
      ['invocationId', record.invocationId],
      ['episodeId', record.episodeId],
      ['skillId', record.skillId],
      ['transitionFn', record.transitionFn],
      ['interpreter', record.interpreter],
      ['semanticsEpoch', record.semanticsEpoch],
      ['input', record.input],
      ['output', record.output],
      ['plan', record.plan],
      ['effects', record.effects],
    ]),
  );
}

/**
 * `effects/<id>/record.json`, `world/effect-record/v1` (world-formats 7).
 * @throws WorldError `record-inconsistent` unless the record is one of: allowed and done, allowed and failed, denied
 */
export function encodeEffectRecord(record: EffectRecord): Buffer {
  const wrong = inconsistency(record);
  if (wrong !== null) throw new WorldError('record-inconsistent', `inconsistent effect record: ${wrong}`);
  return Buffer.from(
    encodeFields([
      ['effect', record.effect],
      ['scope', record.scope],
      ['cost', record.cost],
      ['budgetBefore', record.budgetBefore],
      ['budgetAfter', record.budgetAfter],
      ['allowed', record.allowed],
      ['failed', record.failed],
      ['denial', record.denial],
      ['requestRef', record.requestRef],
      ['resultRef', record.resultRef],
    ]),
  );
}

function inconsistency(record: EffectRecord): string | null {
  if (record.allowed) {
    if (record.denial !== '') return 'it is allowed and carries a denial';
    if (record.budgetAfter !== record.budgetBefore - record.cost) return 'the budget does not fall by the cost';
    if (record.failed && record.resultRef !== '') return 'it failed and names a result';
    if (!record.failed && record.resultRef === '') return 'it succeeded and names no result';
    return null;
  }
  if (record.failed) return 'it is denied and failed';
  if (record.denial === '') return 'it is denied without a label';
  if (record.budgetAfter !== record.budgetBefore) return 'it is denied and the budget changes';
  return record.resultRef === '' ? null : 'it is denied and names a result';
}

const headerSchema = z.strictObject({
  entryIndex: count.transform((value) => value as EntryIndex),
  semanticsEpoch: count,
  transitionFn: ref,
  interpreter: ref,
  prevEntryHash: refOrEmpty,
  writtenBy: text,
});
const wireSchema = z.strictObject({ header: headerSchema, entryHash: ref, transitionRef: ref });
const worldSchema = z.strictObject({ revision: count, stateRoot: ref, logHead: ref });
const invocationSchema = z.strictObject({
  invocationId: text,
  episodeId: episodeIdSchema,
  skillId: text,
  transitionFn: ref,
  interpreter: ref,
  semanticsEpoch: count,
  input: ref,
  output: ref,
  plan: ref,
  effects: z.array(ref),
});
const effectSchema = z.strictObject({
  effect: text,
  scope: z.string(),
  cost: count,
  budgetBefore: count,
  budgetAfter: count,
  allowed: z.boolean(),
  failed: z.boolean(),
  denial: z.enum(['', 'denied:effect-name', 'denied:scope', 'denied:expired', 'denied:budget']),
  requestRef: ref,
  resultRef: refOrEmpty,
});

/** @throws WorldError `record-malformed` unless the bytes are exactly what the encoder writes */
export const decodeEntry = (bytes: Buffer): EntryWire => decode('entry', bytes, wireSchema, encodeEntry);
/** @throws WorldError `record-malformed` */
export const decodeWorld = (bytes: Buffer): World => decode('world', bytes, worldSchema, encodeWorld);
/** @throws WorldError `record-malformed` */
export const decodeInvocationRecord = (bytes: Buffer): InvocationRecord =>
  decode('invocation record', bytes, invocationSchema, encodeInvocationRecord);
/** @throws WorldError `record-malformed`, `record-inconsistent` */
export const decodeEffectRecord = (bytes: Buffer): EffectRecord =>
  decode('effect record', bytes, effectSchema, encodeEffectRecord);

function decode<Value>(what: string, bytes: Buffer, schema: z.ZodType<Value>, encode: (value: Value) => Buffer): Value {
  const value = parseRecord(what, bytes, schema);
  if (!encode(value).equals(bytes)) throw malformed(what, 'its bytes are not the canonical ones');
  return value;
}

/**
 * Parses JSON strictly and checks its shape.
 * @throws WorldError `record-malformed`
 */
export function parseRecord<Value>(what: string, bytes: Buffer, schema: z.ZodType<Value>): Value {
  let source: JsonValue;
  try {
    source = parseCanonicalSource(bytes);
  } catch (error) {
    throw malformed(what, error instanceof Error ? error.message : 'not JSON', error);
  }
  const parsed = schema.safeParse(source);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw malformed(what, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong shape'}`, parsed.error);
}

/** As `parseRecord`, for records whose form is canonical JSON. */
export function parseCanonicalRecord<Value extends object>(
  what: string,
  bytes: Buffer,
  schema: z.ZodType<Value>,
): Value {
  const value = parseRecord(what, bytes, schema);
  if (!encodeCanonical(parseCanonicalSource(bytes)).equals(bytes)) throw malformed(what, 'it is not canonical JSON');
  return value;
}

function malformed(what: string, why: string, cause?: unknown): WorldError {
  return new WorldError('record-malformed', `not a valid ${what}: ${why}`, { cause });
}
