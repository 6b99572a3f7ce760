/** Values in the order of the items, read some ahead of each other: a git process answers many questions at once. */
export async function* readAhead<Item, Value>(
  items: readonly Item[],
  read: (item: Item, place: number) => Promise<Value>,
): AsyncGenerator<Value> {
  const waiting: Promise<Value>[] = [];
  let next = 0;
  const fill = (): void => {
    while (waiting.length < MOST && next < items.length) {
      const value = read(items[next] as Item, next);
      next += 1;
      // Awaited in order; until then a rejection is not lost, only not looked at yet.
      value.catch(() => undefined);
      waiting.push(value);
    }
  };
  for (fill(); waiting.length > 0; fill()) yield (await waiting.shift()) as Value;
}

const MOST = 24;
