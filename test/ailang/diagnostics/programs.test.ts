import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAs, placed, unexplained, wrongPrograms } from './wrong-program.js';

const programs = wrongPrograms();

test('there are programs for every kind of mistake', () => assert.ok(programs.length >= 180, String(programs.length)));

for (const program of programs) {
  const { path, expected } = program;
  test(path, () => {
    const { diagnostics, warnings } = checkAs(program, program.text);
    const of = (warning: boolean) => expected.filter((one) => one.warning === warning);
    const place = ({ code, place }: (typeof expected)[number]) => `${code} ${place}`;
    assert.deepEqual(
      diagnostics.map((found) => placed(found, path)),
      of(false).map(place),
    );
    assert.deepEqual(
      warnings.map((found) => placed(found, path)),
      of(true).map(place),
    );
    for (const [index, found] of [...diagnostics, ...warnings].entries()) {
      const { message, hints } = [...of(false), ...of(true)][index] as (typeof expected)[number];
      assert.ok(found.message.includes(message), `${message}\nis not in\n${found.message}`);
      assert.ok(hints.length > 0, `nothing is expected of the hint of ${found.code}`);
      for (const hint of hints)
        assert.ok(found.suggestion?.includes(hint), `${hint}\nis not in\n${found.suggestion ?? 'no hint'}`);
    }
  });

  test(`${path}, corrected as the hint says`, () => {
    const findings = checkAs(program, program.text);
    assert.deepEqual(unexplained(program, [...findings.diagnostics, ...findings.warnings]), [], 'not in any hint');
    const { diagnostics, warnings } = checkAs(program, program.fixed);
    assert.deepEqual([...diagnostics, ...warnings], []);
  });
}
