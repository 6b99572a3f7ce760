import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bothOutcomes } from './agreement.js';

/** Compares the compiled form with the reference evaluator on so many generated programs. */
export function assertAgreement(cases: number): void {
  const kinds = new Map<string, number>();
  const seeds = fc.integer({ min: 0, max: 0xffffffff });
  fc.assert(
    fc.property(seeds, (seed) => {
      const { text, compiled, reference } = bothOutcomes(seed);
      const kind = /^RT/.test(compiled) ? compiled : 'value';
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      assert.equal(compiled, reference, text);
    }),
    { numRuns: cases, endOnFailure: true },
  );
  // Programs that end in an error are few enough, but there are some.
  assert.ok((kinds.get('value') ?? 0) > cases * 0.7, JSON.stringify([...kinds]));
  assert.ok((kinds.get('RT001') ?? 0) > 0 && (kinds.get('RT002') ?? 0) > 0, JSON.stringify([...kinds]));
}
