import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { canonicalSource, loadTools, toolsAct } from '../../src/invocation/transitions.js';
import { sha256Ref } from '../../src/log/hash.js';
import { temporaryDirectory } from '../cleanup.js';
import { ALL_TOOLS } from '../tools/all-tools.js';

test('the eight bundles load, are pure and carry the ref of their own bytes', async () => {
  const loaded = await loadTools();
  assert.deepEqual([...loaded.keys()], ALL_TOOLS.map(({ descriptor }) => descriptor.id).sort());
  for (const { transitionFn, source, tool } of loaded.values()) {
    assert.equal(transitionFn, sha256Ref(source));
    assert.doesNotMatch(source.toString(), /^import\b|\bnode:|process\./m);
    assert.deepEqual(tool.plan({ unknown: 1 }).effects, []);
  }
});

test('genesis gets each descriptor with the ref of its source, and the sources as files', async () => {
  const loaded = await loadTools();
  const { tools, files, toolchain } = toolsAct(loaded, { name: 'embedded', version: 'v0.52.1', ref: sha256Ref('t') });
  assert.equal(files.size, 8);
  for (const [id, { source }] of loaded) {
    assert.equal(files.get(`transitions/${id}.js`), source);
    assert.equal((tools[id] as { transitionFn: string }).transitionFn, sha256Ref(source));
  }
  assert.deepEqual(toolchain, { name: 'embedded', version: 'v0.52.1', sha256: sha256Ref('t') });
});

test('canonical source: LF, no blanks at line ends, one final LF', () => {
  const canonical = (text: string) => canonicalSource(Buffer.from(text)).toString();
  assert.equal(canonical('a \t\r\nb\rc\n\n \n'), 'a\nb\nc\n');
  assert.equal(canonical('\n\n'), '');
  for (const bad of ['\ufeffa', 'a\0']) assert.throws(() => canonical(bad), { code: 'tool-invalid' });
  assert.throws(() => canonicalSource(Buffer.from([0xff])), { code: 'tool-invalid' });
});

test('a module that is not the tool its name says is refused, a missing build named', async (t) => {
  const directory = temporaryDirectory(t);
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(join(directory, 'ailang-read.js'), 'export const other = 1;\n');
  await assert.rejects(loadTools(directory), { code: 'tool-invalid', message: /named after/ });
  writeFileSync(join(directory, 'ailang-read.js'), 'export const other = 1; \n');
  await assert.rejects(loadTools(directory), { code: 'tool-invalid', message: /canonical/ });
  await assert.rejects(loadTools(join(directory, 'none')), { code: 'tools-missing' });
});
