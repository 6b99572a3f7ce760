import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseFlags, parseWholeNumber } from '../../src/cli/arguments.js';
import { suggest } from '../../src/cli/suggest.js';
import { WorldError } from '../../src/errors.js';

const FLAGS = {
  arg: { type: 'string', multiple: true },
  json: { type: 'string' },
  strict: { type: 'boolean' },
} as const;

function refusal(args: readonly string[]): { message: string; hint: string | undefined } {
  try {
    parseFlags(args, FLAGS);
  } catch (error) {
    assert.ok(error instanceof WorldError);
    assert.equal(error.code, 'usage');
    return { message: error.message, hint: error.hint };
  }
  return assert.fail(`accepted ${args.join(' ')}`);
}

test('flags and positionals may stand in any order', () => {
  const { values, positionals } = parseFlags(['--strict', 'ailang-read', '--arg', 'path=a', '--arg=b=c'], FLAGS);
  assert.deepEqual(positionals, ['ailang-read']);
  assert.deepEqual({ ...values }, { strict: true, arg: ['path=a', 'b=c'] });
});

test('an unknown flag is refused with the nearest known one', () => {
  assert.deepEqual(refusal(['--stric']), { message: 'unknown flag --stric', hint: 'did you mean --strict?' });
  assert.deepEqual(refusal(['-x']), { message: 'unknown flag -x', hint: 'known flags: --arg, --json, --strict' });
  assert.equal(refusal(['--toString']).message, 'unknown flag --toString');
});

test('a missing or superfluous value is refused', () => {
  assert.equal(refusal(['--json']).message, 'flag --json needs a value');
  assert.equal(refusal(['--strict=yes']).message, 'flag --strict takes no value, but was given "yes"');
});

test('values survive whatever they hold', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.deepEqual(parseFlags([`--arg=${text}`], FLAGS).values.arg, [text]);
      assert.deepEqual(parseFlags(['--', text], FLAGS).positionals, [text]);
    }),
  );
});

test('a lone dash is a value and a positional', () => {
  assert.equal(parseFlags(['--json', '-'], FLAGS).values.json, '-');
  assert.deepEqual(parseFlags(['-'], FLAGS).positionals, ['-']);
});

test('whole numbers are read strictly', () => {
  assert.equal(parseWholeNumber('7644', '--port', { min: 0, max: 65_535 }), 7644);
  for (const text of ['', '-1', '1.5', '65536', '0x10', '1e3', ' 1', '99999999999999999999'])
    assert.throws(() => parseWholeNumber(text, '--port', { min: 0, max: 65_535 }), { code: 'usage' });
});

test('a suggestion is made only when something is near', () => {
  assert.equal(suggest('provenence', ['why', 'provenance']), 'provenance');
  assert.equal(suggest('sesion', ['serve', 'session']), 'session');
  assert.equal(suggest('banana', ['why', 'head', 'up']), undefined);
});
