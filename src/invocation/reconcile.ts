import { sha256Ref } from '../log/hash.js';
import { decodeInvocationRecord } from '../log/records.js';
import type { EntryIndex, JsonObject, LogEntry } from '../log/types.js';
import type { Invocation, InvokerDeps } from './context.js';
import { InvocationFailure } from './failure.js';
import type { Completed } from './types.js';

/**
 * What an earlier call with this id came to: its committed result, verified anew from the log; null when there was none.
 * Nothing runs.
 * @throws InvocationFailure `id-used` for another call under the same id, `not-committed` when an effect was started and
 * never committed, `unconfirmed` when the log's bytes do not bear each other out
 */
export async function reconcile(deps: InvokerDeps, invocation: Invocation): Promise<Completed | null> {
  const { invocationId } = invocation;
  const receipt = deps.log.state.receipt(invocationId);
  if (receipt === undefined) return null;
  if (receipt.state === 'indeterminate') {
    throw new InvocationFailure('not-committed', invocationId, 'an earlier call with this id was not committed');
  }
  const entry = await readEntry(deps, invocation, receipt.index);
  const { record, outputBytes } = verify(invocation, entry);
  if (record.skillId !== invocation.call.tool || record.input !== sha256Ref(invocation.input)) {
    throw new InvocationFailure('id-used', invocationId, 'this task id was used for another call');
  }
  const { index, entryHash, worldRef, commit } = entry;
  return {
    output: JSON.parse(outputBytes.toString()) as JsonObject,
    outputBytes,
    invocationId,
    entry: { index, entryHash, worldRef, commit },
    reconciled: true,
  };
}

async function readEntry(deps: InvokerDeps, invocation: Invocation, index: EntryIndex): Promise<LogEntry> {
  const entry = await deps.log.entry(index).catch((cause: unknown) => {
    throw unconfirmed(invocation, 'its entry cannot be read', cause);
  });
  if (entry === null) throw unconfirmed(invocation, 'its entry is absent');
  return entry;
}

/** Record, output and world must hash to what names them, and name each other. */
function verify(invocation: Invocation, entry: LogEntry) {
  const recordBytes = entry.files.get('record.json');
  const outputBytes = entry.files.get('output.json');
  if (recordBytes === undefined || outputBytes === undefined) throw unconfirmed(invocation, 'its record is absent');
  if (sha256Ref(recordBytes) !== entry.wire.transitionRef) throw unconfirmed(invocation, 'its record is damaged');
  const record = decodeInvocationRecord(recordBytes);
  if (record.invocationId !== invocation.invocationId) throw unconfirmed(invocation, 'its record is another call’s');
  const outputRef = sha256Ref(outputBytes);
  if (outputRef !== record.output || outputRef !== entry.world.stateRoot) {
    throw unconfirmed(invocation, 'its output is damaged');
  }
  if (entry.world.logHead !== entry.wire.entryHash) throw unconfirmed(invocation, 'its world is another entry’s');
  return { record, outputBytes };
}

function unconfirmed(invocation: Invocation, why: string, cause?: unknown): InvocationFailure {
  return new InvocationFailure('unconfirmed', invocation.invocationId, `the earlier call is not confirmed: ${why}`, {
    cause,
  });
}
