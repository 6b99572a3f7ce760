import { createHash } from 'node:crypto';
import { WorldError } from '../errors.js';
import type { GitOid, ObjectFormat, ObjectType } from './types.js';

/** Hex digits of an object id in this format. */
export function oidLength(format: ObjectFormat): 40 | 64 {
  return format === 'sha1' ? 40 : 64;
}

/** The id git gives these bytes. */
export function hashObject(format: ObjectFormat, type: ObjectType, body: Buffer): GitOid {
  return createHash(format).update(`${type} ${body.length}\0`).update(body).digest('hex') as GitOid;
}

/**
 * Checks that a text is a full object id of this format.
 * @throws WorldError `bad-oid`
 */
export function asGitOid(text: string, format: ObjectFormat): GitOid {
  if (text.length === oidLength(format) && /^[0-9a-f]+$/.test(text)) return text as GitOid;
  throw new WorldError('bad-oid', `not a ${format} object id: ${JSON.stringify(text.slice(0, 80))}`);
}

/** What git writes where there is no object. */
export function zeroOid(format: ObjectFormat): GitOid {
  return '0'.repeat(oidLength(format)) as GitOid;
}
