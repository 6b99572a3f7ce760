import type { LogEntry } from '../log/types.js';
import type { Link } from './chain.js';
import { Findings } from './findings.js';
import { fileRef } from './links.js';
import { parseJson } from './parse-json.js';
import { effectRecordSchema, type ReadEffectRecord } from './record-schemas.js';

/** Checks effect number `ordinal` (from 1): its record, request and result. */
export function effectLink(entry: LogEntry, ref: string, ordinal: number): Link {
  const findings = new Findings();
  const folder = `effects/e${ordinal}`;
  findings.require(fileRef(entry, `${folder}/record.json`) === ref, 'its hash is not the one the record names');
  const decoded = effectRecordSchema.safeParse(parseJson(entry.files.get(`${folder}/record.json`)));
  if (!decoded.success)
    return { name: 'effect', ok: false, ref, detail: `e${ordinal}: missing or not an effect record` };
  const record = decoded.data;
  const request = entry.files.get(`${folder}/request`);
  const result = entry.files.get(`${folder}/result.json`);
  findings.require(isConsistent(record), 'verdict, budget and result contradict one another');
  findings.require(
    fileRef(entry, `${folder}/request`) === record.requestRef,
    'the request is absent or has another hash',
  );
  findings.require(request !== undefined && framesThis(request, record), 'the request asks for another effect');
  findings.require((fileRef(entry, `${folder}/result.json`) ?? '') === record.resultRef, 'the result has another hash');
  const verdict = record.allowed ? (record.failed ? 'failed' : 'allowed') : record.denial;
  const sizes = [`request ${request?.length ?? 0} B`, ...(result === undefined ? [] : [`result ${result.length} B`])];
  const detail = `e${ordinal} ${verdict} ${record.effect}@${record.scope} cost ${record.cost} budget ${record.budgetBefore}→${record.budgetAfter} ${sizes.join(' ')}`;
  return { name: 'effect', ok: findings.ok, ref, detail: findings.describe(detail) };
}

/** The three arms of world-formats 7: allowed and done, allowed and failed, denied. */
function isConsistent(record: ReadEffectRecord): boolean {
  if (!record.allowed)
    return (
      !record.failed && record.denial !== '' && record.resultRef === '' && record.budgetAfter === record.budgetBefore
    );
  const debited = record.budgetAfter === record.budgetBefore - record.cost && record.budgetAfter >= 0;
  return debited && record.denial === '' && (record.resultRef === '') === record.failed;
}

/** `<len>:<effect><len>:<scope><cost>:` opens the request (world-formats 7). */
function framesThis(request: Buffer, { effect, scope, cost }: ReadEffectRecord): boolean {
  const opening = `${Buffer.byteLength(effect)}:${effect}${Buffer.byteLength(scope)}:${scope}${cost}:`;
  return request.subarray(0, Buffer.byteLength(opening)).equals(Buffer.from(opening, 'utf8'));
}
