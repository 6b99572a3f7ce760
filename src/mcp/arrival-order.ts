/** A request's place in the order of its session. */
export interface Turn {
  /** Resolves when every earlier request of the session has left. */
  readonly come: Promise<void>;
  /** Lets the next one go; further calls do nothing. */
  leave(): void;
}

/**
 * Agents send a write and the check of it within milliseconds of each other, on two connections, and the larger body
 * arrives later: a place is taken when a request's header arrives, and calls are started in that order.
 */
export class ArrivalOrder {
  readonly #last = new Map<string, Promise<void>>();

  enter(session: string): Turn {
    const come = this.#last.get(session) ?? Promise.resolve();
    let leave: () => void = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const last = come.then(() => left);
    this.#last.set(session, last);
    void last.then(() => {
      if (this.#last.get(session) === last) this.#last.delete(session);
    });
    return { come, leave };
  }
}

/** Waits for a turn, at most `ms`. False when it did not come in time. */
export async function comesWithin(turn: Turn, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const came = await Promise.race([turn.come.then(() => true as const), late]);
  clearTimeout(timer);
  return came;
}
