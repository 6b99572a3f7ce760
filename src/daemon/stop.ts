import type { Listening } from '../http/server.js';
import type { ControlServer } from './control-server.js';
import type { OpenWorld } from './open-world.js';

/** How long calls in flight may go on. */
const DRAIN_MS = 10_000;

/**
 * Stops from the outside in: no new acts, no new requests, calls in flight end, then the log is sealed. What is still
 * running after 10 s is left to the journal: its units stay spent, and the next start records it.
 */
export async function stopInOrder(parts: {
  readonly http: Listening;
  readonly control: ControlServer;
  readonly world: OpenWorld;
}): Promise<{ readonly drained: boolean }> {
  const { http, control, world } = parts;
  await control.close();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS, false);
  });
  const ended = Promise.all([world.invoker.drain(), http.close(DRAIN_MS)]).then(() => true);
  const drained = await Promise.race([ended, late]);
  clearTimeout(timer);
  await world.close();
  return { drained };
}
