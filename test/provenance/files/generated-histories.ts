import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { toolGrants } from '../../../src/daemon/grants.js';
import { openRepository } from '../../../src/git/repository.js';
import { blame, episodeFor } from '../../../src/provenance/files/blame.js';
import { readHistories } from '../../../src/provenance/files/histories.js';
import { openCheckedObjects } from '../../../src/provenance/verify/checked-objects.js';
import { makeWorld, put } from '../verify/world.js';

/** One change of a file: by a call, or outside of every call. */
interface Step {
  readonly drift: boolean;
  /** Lines that go, by position; where new ones come, by position; which line goes where. */
  readonly remove: readonly number[];
  readonly insert: readonly number[];
  readonly move: readonly [from: number, to: number] | null;
}

const position = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.record({
  drift: fc.boolean(),
  remove: fc.array(position, { maxLength: 3 }),
  insert: fc.array(position, { maxLength: 3 }),
  move: fc.option(fc.tuple(position, position)),
});
const history = fc.record({
  base: fc.option(fc.nat({ max: 12 })),
  steps: fc.array(step, { minLength: 2, maxLength: 5 }),
});

/**
 * Plays so many generated histories, a file each, and compares blame with a replay that knows every line by its text,
 * which occurs once.
 */
export async function assertBlameAgrees(t: TestContext, count: number): Promise<void> {
  const histories = fc.sample(history, count);
  let serial = 0;
  const line = (): string => {
    serial += 1;
    return `line ${serial}\n`;
  };
  const files = histories.map(({ base }, at) => ({
    name: `dir${at % 7}/file${at}.txt`,
    lines: base === null ? null : Array.from({ length: base + 1 }, line),
  }));
  const existing = files.flatMap(({ name, lines }) => (lines === null ? [] : [[name, lines.join('')] as const]));
  const world = await makeWorld(t, { files: { 'README.md': 'begin\n', ...Object.fromEntries(existing) } });
  await world.open('ep1', toolGrants(5000));
  const expected = files.map(({ lines }) => new Map((lines ?? []).map((text) => [text, 'base'])));
  for (const [at, { name, lines }] of files.entries()) {
    let now = lines ?? [];
    for (const { drift, remove, insert, move } of histories[at]?.steps ?? []) {
      now = now.filter((_, place) => !remove.includes(place));
      for (const place of insert) now.splice(place % (now.length + 1), 0, line());
      if (move !== null && now.length > 0) {
        const [moved = ''] = now.splice(move[0] % now.length, 1);
        now.splice(move[1] % (now.length + 1), 0, moved);
      }
      const [old, head] = [expected[at] ?? new Map(), world.world.log.head.index];
      let by = `call ${head + 1}`;
      if (drift) {
        // What is there before a call is found by it, and recorded in an entry of its own first.
        const changed = now.join('') !== [...(expected[at]?.keys() ?? [])].join('');
        put(world.worktree, { [name]: now.join('') });
        await world.call('ailang-write', { path: `drift/${serial}-${head}.txt`, content: `${serial}` });
        if (changed) by = `drift ${head + 1}`;
      } else await world.call('ailang-write', { path: name, content: now.join('') });
      expected[at] = new Map(now.map((text) => [text, old.get(text) ?? by]));
    }
  }
  await world.world.log.flush();
  const repository = await openRepository(world.repository);
  const objects = openCheckedObjects(repository);
  try {
    const read = await readHistories(repository, objects, world.world.log.head.commit);
    for (const [at, { name }] of files.entries()) {
      const wanted = [...(expected[at] ?? [])];
      const lines = await blame(
        objects,
        episodeFor(read, name, 'ep1', Number.POSITIVE_INFINITY),
        name,
        Number.POSITIVE_INFINITY,
      );
      const found = lines.map(({ text, origin }) => [
        text,
        origin.by === 'base' ? 'base' : `${origin.by} ${origin.entry}`,
      ]);
      assert.deepEqual(found, wanted, join(name, JSON.stringify(histories[at])));
    }
  } finally {
    await objects.close();
  }
}
