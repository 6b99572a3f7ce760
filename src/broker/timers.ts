/** Deadlines, passed in so that a test can let time pass without waiting. */
export interface Timers {
  /** Runs the action after so many milliseconds; the returned function calls it off. */
  after(milliseconds: number, action: () => void): () => void;
  /**
   * The work's result, or what `late` returns or throws when the milliseconds are over first. The work itself goes on.
   */
  bound<T>(work: Promise<T>, milliseconds: number, late: () => T): Promise<T>;
}

/** @param after defaults to real time, not holding the process open */
export function createTimers(after: Timers['after'] = realTime): Timers {
  return {
    after,
    bound: (work, milliseconds, late) =>
      new Promise((resolve, reject) => {
        const cancel = after(milliseconds, () => {
          try {
            resolve(late());
          } catch (error) {
            reject(error);
          }
        });
        work.then(resolve, reject).finally(cancel);
      }),
  };
}

function realTime(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds);
  return () => clearTimeout(timer);
}
