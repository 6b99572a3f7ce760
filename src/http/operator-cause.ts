import { InvocationFailure } from '../invocation/failure.js';

/** Everything about a failure, for the operator's line: messages down the chain of causes and the effect records. */
export function describeCause(failure: unknown): string {
  const parts: string[] = [];
  for (let error = failure, depth = 0; error !== undefined && depth < 5; depth++) {
    parts.push(error instanceof Error ? error.message : String(error));
    error = error instanceof Error ? error.cause : undefined;
  }
  if (failure instanceof InvocationFailure && failure.effectRecords.length > 0) {
    parts.push(`effect records: ${failure.effectRecords.join(' ')}`);
  }
  return parts.join(': ');
}
