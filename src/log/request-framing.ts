import { WorldError } from '../errors.js';

/** The parts of `world/effect-request/v1`. */
export interface EffectRequest {
  readonly effect: string;
  readonly scope: string;
  /** Units. */
  readonly cost: number;
  /** The call's logical time, Unix seconds. */
  readonly now: number;
  /** Canonical JSON of the plan's payload. */
  readonly payload: Buffer;
}

/**
 * `<len>:<effect><len>:<scope><cost>:<now>:<payload>`, lengths in bytes (world-formats 7).
 * @throws WorldError `request-framing` when cost or time is not a non-negative integer
 */
export function encodeRequest(request: EffectRequest): Buffer {
  for (const value of [request.cost, request.now]) {
    if (!Number.isSafeInteger(value) || value < 0) throw malformed(`${value} is not a non-negative integer`);
  }
  return Buffer.concat([
    Buffer.from(`${text(request.effect)}${text(request.scope)}${request.cost}:${request.now}:`),
    request.payload,
  ]);
}

/**
 * Reads the framing back; only the one spelling `encodeRequest` writes is accepted.
 * @throws WorldError `request-framing`
 */
export function decodeRequest(bytes: Buffer): EffectRequest {
  let at = 0;
  const integer = (): number => {
    const colon = bytes.indexOf(0x3a, at);
    const digits = colon < 0 || colon - at > 16 ? '' : bytes.toString('latin1', at, colon);
    if (!/^(0|[1-9][0-9]*)$/.test(digits) || !Number.isSafeInteger(Number(digits))) {
      throw malformed(`a number and a colon were expected at byte ${at}`);
    }
    at = colon + 1;
    return Number(digits);
  };
  const field = (): string => {
    const length = integer();
    if (length > bytes.length - at) throw malformed(`a field of ${length} bytes ends after the request`);
    const raw = bytes.subarray(at, at + length);
    const value = raw.toString('utf8');
    if (!Buffer.from(value).equals(raw)) throw malformed('a field is not valid UTF-8');
    at += length;
    return value;
  };
  const effect = field();
  const scope = field();
  const cost = integer();
  const now = integer();
  return { effect, scope, cost, now, payload: bytes.subarray(at) };
}

function text(value: string): string {
  return `${Buffer.byteLength(value)}:${value}`;
}

function malformed(why: string): WorldError {
  return new WorldError('request-framing', `not an effect request: ${why}`);
}
