/** Runs the work of each key one at a time, in order of arrival; different keys run side by side. */
export class SerialQueue<Key> {
  private readonly tails = new Map<Key, Promise<void>>();

  run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const turn = (this.tails.get(key) ?? Promise.resolve()).then(work);
    const tail = turn.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(key, tail);
    void tail.then(() => {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    });
    return turn;
  }
}
