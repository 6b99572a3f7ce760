import { explainChain } from '../errors.js';
import { InvocationFailure } from '../invocation/failure.js';

/** Everything about a failure, for the operator's line: its chain of causes and the effect records. */
export function describeCause(failure: unknown): string {
  const records = failure instanceof InvocationFailure ? failure.effectRecords : [];
  const why = explainChain(failure);
  return records.length === 0 ? why : `${why}: effect records: ${records.join(' ')}`;
}
