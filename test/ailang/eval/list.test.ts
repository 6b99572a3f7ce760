import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { concatLists, cons, List, nil } from '../../../src/ailang/eval/list.js';
import { equal } from '../../../src/ailang/eval/order.js';

type Step =
  | { readonly op: 'cons'; readonly from: number; readonly value: number }
  | { readonly op: 'drop' | 'half'; readonly from: number }
  | { readonly op: 'concat'; readonly from: number; readonly other: number };

const from = fc.nat(30);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ op: fc.constant('cons' as const), from, value: fc.nat(3) }),
  fc.record({ op: fc.constantFrom('drop' as const, 'half' as const), from }),
  fc.record({ op: fc.constant('concat' as const), from, other: from }),
);

test('lists that share storage never see each other change', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const lists: List[] = [nil];
      const models: number[][] = [[]];
      const pick = (index: number): number => index % lists.length;
      for (const one of steps) {
        const list = lists[pick(one.from)] ?? nil;
        const model = models[pick(one.from)] ?? [];
        if (one.op === 'cons') {
          lists.push(cons(one.value, list));
          models.push([one.value, ...model]);
        } else if (one.op === 'concat') {
          const other = pick(one.other);
          lists.push(concatLists(list, lists[other] ?? nil));
          models.push([...model, ...(models[other] ?? [])]);
        } else {
          const end = one.op === 'drop' ? list.size : list.size >> 1;
          const start = one.op === 'drop' ? Math.min(1, list.size) : 0;
          lists.push(list.slice(start, end));
          models.push(model.slice(start, end));
        }
      }
      for (const [index, list] of lists.entries()) {
        const model = models[index] ?? [];
        assert.deepEqual(list.toArray(), model);
        assert.deepEqual(
          model.map((_, position) => list.at(position)),
          model,
        );
      }
    }),
    { numRuns: 300 },
  );
});

test('building by cons, by append and rebuilding after uncons copies nothing', () => {
  let front = nil;
  let back = nil;
  for (let n = 0; n < 200_000; n += 1) {
    front = cons(n, front);
    back = concatLists(back, List.of([n]));
  }
  let rebuilt = front;
  for (let n = 0; n < 100_000; n += 1) rebuilt = rebuilt.drop(1);
  for (let n = 99_999; n >= 0; n -= 1) rebuilt = cons(front.at(n), rebuilt);
  assert.equal(rebuilt.store, front.store);
  assert.ok(equal(rebuilt, front));
  assert.deepEqual([back.size, back.at(199_999), front.at(0)], [200_000, 199_999, 199_999]);
});
