import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { packageRoot } from '../../../src/ailang/package-root.js';
import type { EpisodeId } from '../../../src/log/types.js';
import { EmbeddedToolchain } from '../../../src/toolchain/embedded/toolchain.js';
import type { EpisodePolicy } from '../../../src/toolchain/types.js';
import { sandbox } from '../policy/scratch.js';
import { ailang } from './program.js';

const corpus = join(packageRoot(), 'examples');
const manifest = JSON.parse(readFileSync(join(corpus, 'manifest.json'), 'utf8'));

test('the manifest names every program, with tags, a description and its output', () => {
  assert.equal(manifest.schema, 'ailang.manifest/v1');
  const paths = manifest.examples.map(({ path }: { path: string }) => path);
  assert.deepEqual(paths, readdirSync(join(corpus, 'runnable')).sort());
  assert.ok(paths.length >= 60);
  for (const { path, tags, description, expected } of manifest.examples) {
    assert.ok(tags.length > 0 && description.length > 10, path);
    assert.equal(typeof expected.stdout, 'string', path);
  }
});

test('every example is in canonical form', () => {
  const { status, stdout } = ailang(['fmt', '--check', join(corpus, 'runnable')]);
  assert.deepEqual([status, stdout], [0, '']);
});

test('the contracts and the tests of the examples hold', () => {
  const directory = join(corpus, 'runnable');
  const tested = ailang(['test', '--json', 'inline_tests.ail'], { cwd: directory });
  assert.equal(tested.status, 0, tested.stdout);
  assert.equal(JSON.parse(tested.stdout).passed_tests, 8);
  const proven = ailang(['verify', '--json', 'contracts_proven.ail'], { cwd: directory });
  assert.equal(proven.status, 0, proven.stdout);
  assert.equal(JSON.parse(proven.stdout).verified, 3);
});

describe('every example checks and prints what the manifest says', () => {
  let toolchain: EmbeddedToolchain;
  before(async () => {
    toolchain = await EmbeddedToolchain.open({ idleChildren: 3 });
  });
  after(() => toolchain.close());
  for (const example of manifest.examples)
    test(example.path, async (t) => {
      const { root, policyFile } = sandbox(t);
      cpSync(join(corpus, 'runnable', example.path), join(root, example.path));
      const digest = createHash('sha256').update(readFileSync(policyFile)).digest('hex');
      const policy: EpisodePolicy = { episode: 'ep1' as EpisodeId, file: policyFile, digest, sandbox: root };
      const checked = await toolchain.policyTool(policy, { op: 'check', path: example.path }, 20_000);
      assert.equal(checked.ok, true, checked.stderr);
      assert.equal(checked.stderr, '');
      const result = await toolchain.run(
        policy,
        {
          path: example.path,
          ...(example.stdin === undefined ? {} : { stdin: example.stdin }),
          ...(example.args_json === undefined ? {} : { args_json: example.args_json }),
        },
        20_000,
      );
      assert.equal(result.stdout, example.expected.stdout, result.stderr);
      assert.equal(result.exitCode, example.expected.exit_code);
    });
});
