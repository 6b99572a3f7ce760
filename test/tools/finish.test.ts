import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EffectOutcome, JsonRecord } from '../../src/tools/types.js';
import { builtins, check } from './all-tools.js';

const ran = (output: JsonRecord | null, status: EffectOutcome['status'] = 'ok'): EffectOutcome[] => [
  { id: 'e1', effect: 'x', status, record: null, output },
];
const finishCheck = (results: EffectOutcome[]) => check.finish?.({ path: 'a.ail' }, results);
const finishSearch = (args: JsonRecord, stdout: string) =>
  builtins.finish?.(args, ran({ ok: true, stdout, stderr: '' }));

test('a check report keeps code, message and file, and a failed check is ok: true', () => {
  const stdout = JSON.stringify({
    check: { passed: false, error_count: 1, errors: [{ code: 'TC1', message: 'm at a.ail:6:11', line: 6 }] },
  });
  assert.deepEqual(finishCheck(ran({ ok: false, exit_code: 1, stdout, stderr: '' })), {
    ok: true,
    passed: false,
    error_count: 1,
    errors: [{ code: 'TC1', message: 'm at a.ail:6:11', file: '' }],
  });
});

test('what to write instead ends the message, for the shape has no other place', () => {
  const errors = [
    { code: 'TC1', message: 'a.ail:6:11: m', file: 'a.ail', line: 6, column: 11, suggestion: 'Write x.' },
  ];
  const stdout = JSON.stringify({ check: { passed: false, error_count: 1, errors } });
  assert.deepEqual(finishCheck(ran({ ok: false, exit_code: 1, stdout, stderr: '' }))?.errors, [
    { code: 'TC1', message: 'a.ail:6:11: m\nHint: Write x.', file: 'a.ail' },
  ]);
});

const NO_REPORT: readonly (readonly [EffectOutcome[], string, string])[] = [
  [ran(null, 'denied'), 'denied', 'the Ailang.Check effect ended denied'],
  [ran(null, 'failed'), 'failed', 'the Ailang.Check effect ended failed'],
  [ran(null), 'ok', 'the effect result carries no output'],
  [[], 'failed', 'expected exactly one effect result'],
  [ran({ ok: false, refused: 'path escapes', stdout: '' }), 'ok', 'path escapes'],
  [ran({ ok: true, stdout: 'not JSON', stderr: 'why' }), 'ok', 'ai_check returned no check report; stderr: why'],
  [ran({ ok: true, stdout: '{"check":{"passed":1}}' }), 'ok', 'ai_check returned no check report; stderr: '],
];

for (const [results, status, refused] of NO_REPORT) {
  test(`no check report: ${refused}`, () => {
    assert.deepEqual(finishCheck(results), { ok: false, status, refused });
  });
}

const INVENTORY = `Total: 12 builtins\n\n${Array.from({ length: 12 }, (_, i) => `  _Print${i}      [io] std/IO\n`).join('')}`;

test('a query matches in any case and returns at most 10, its count the number returned', () => {
  const result = finishSearch({ query: 'PRINT' }, INVENTORY);
  assert.equal(result?.count, 10);
  assert.deepEqual((result?.matches as JsonRecord[] | undefined)?.[0], {
    name: '_Print0',
    module: 'std/IO',
    effect: 'io',
  });
});

test('without a query the whole inventory is returned, filtered by module', () => {
  assert.equal(finishSearch({}, INVENTORY)?.count, 12);
  assert.equal(finishSearch({ module: 'std/io' }, INVENTORY)?.count, 12);
  assert.equal(finishSearch({ module: 'std/fs' }, INVENTORY)?.count, 0);
});

for (const cut of [INVENTORY.slice(0, -30), `${INVENTORY.slice(0, 200)}...[truncated]`, '', 'No builtins registered']) {
  test(`an inventory cut to ${JSON.stringify(cut.slice(-20))} is refused, never an empty list`, () => {
    assert.equal(finishSearch({ query: 'print' }, cut)?.ok, false);
  });
}
