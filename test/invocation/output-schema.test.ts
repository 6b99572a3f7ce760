import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { JsonObject } from '../../src/log/types.js';
import type { PolicyToolResponse, RunResult } from '../../src/toolchain/types.js';
import { POLICY } from '../broker/doubles.js';
import { ALL_TOOLS } from '../tools/all-tools.js';
import { EVERY_GRANT, sessionWith, setup } from './setup.js';

/** Arguments whose plan asks for the effect. */
const GOOD: Record<string, JsonObject> = {
  'ailang-read': { path: 'a' },
  'ailang-write': { path: 'a', content: '' },
  'ailang-edit': { path: 'a', old_text: 'b', new_text: 'c' },
  'ailang-check': { path: 'a.ail' },
  'ailang-run': { path: 'a.ail' },
  'builtins-search': {},
  'examples-search': { query: 'x' },
  'ailang-cli': { op: 'version' },
};

const digest = POLICY.digest;
const RUNS: readonly RunResult[] = [
  { exitCode: 0, stdout: '', stderr: `policy: {"policy_digest":"${digest}","decision":{"ok":true}}\n` },
  { exitCode: 2, stdout: '{"decision":{"ok":false,"allowed_caps":null}}', stderr: '' },
  {
    exitCode: 3,
    stdout: '',
    stderr: `policy-result: {"policy_digest":"${digest}","reason":"timeout","stage":"admit"}\n`,
  },
  { exitCode: null, stdout: '', stderr: '' },
];

const ANSWERS: readonly PolicyToolResponse[] = [
  { ok: true },
  { ok: true, content: 'x' },
  { ok: false, refused: 'no' },
  { ok: false, refused: 'no', argv: ['a'], exit_code: 1 },
  { ok: true, stdout: '{"check":{"passed":true,"error_count":0,"errors":[{}]}}' },
  { ok: true, stdout: 'Total: 1 builtins\n\n  a [io] std/io\n' },
];

for (const { descriptor } of ALL_TOOLS) {
  test(`${descriptor.id}: every answer fits its output schema, as clients check it`, async () => {
    const validate = new AjvJsonSchemaValidator().getValidator(descriptor.outputSchema);
    const { invoker, toolchain, call } = setup();
    const fits = async (args: JsonObject, session = sessionWith(EVERY_GRANT)) => {
      const { output } = await invoker.invoke(call(descriptor.id, args, { session }));
      const result = validate(output);
      assert.ok(result.valid, `${JSON.stringify(output)}: ${result.errorMessage}`);
    };
    const good = GOOD[descriptor.id] ?? assert.fail('no arguments');
    await fits({ unknown: null });
    await fits(good, sessionWith(EVERY_GRANT.map((grant) => ({ ...grant, budget: 0 }))));
    for (const answer of ANSWERS) {
      toolchain.answer = async () => answer;
      await fits(good);
    }
    for (const run of RUNS) {
      toolchain.ended = async () => run;
      await fits(good);
    }
    toolchain.answer = async () => assert.fail('dies');
    toolchain.ended = async () => assert.fail('dies');
    await fits(good);
  });
}
