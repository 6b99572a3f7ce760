import { createContext, Script } from 'node:vm';

/** The work did not end in its time. */
export class TimedOut extends Error {}

const context = createContext({ work: null }) as { work: (() => unknown) | null };
const script = new Script('work()');

/** Runs synchronous work and stops it when its time is over, endless loops included. @throws TimedOut */
export function bounded<T>(milliseconds: number, work: () => T): T {
  context.work = work;
  try {
    return script.runInContext(context as object, { timeout: Math.max(1, Math.ceil(milliseconds)) }) as T;
  } catch (error) {
    // The error belongs to the other context, where Error is another class.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new TimedOut();
    throw error;
  } finally {
    context.work = null;
  }
}
