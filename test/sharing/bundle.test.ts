import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine } from '../cli/command-line.js';
import { Forge, replaceIn } from '../provenance/verify/forge.js';
import { failing, verifyIn } from '../provenance/verify/world.js';
import { makeSharedWorld } from './shared-world.js';

for (const format of ['sha1', 'sha256'] as const) {
  test(`an episode goes through a bundle and verifies on the other side (${format})`, async (t) => {
    const world = await makeSharedWorld(t, { format });
    const end = world.git('rev-parse', 'refs/world/log').trim();
    await world.open('ep2');
    await world.work(1);
    const file = join(world.base, 'ep1.bundle');
    const exported = await commandLine(['export', 'ep1', '--out', file], { cwd: world.repository });
    assert.equal(exported.code, 0, exported.stderr);
    assert.match(exported.stderr, /^world [0-9a-f]{16}, entries 0 to 5:\n {2}entries {3}6 \(episodes ep1\)/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(world.git('bundle', 'list-heads', file), `${end} ${world.sharedRef}\n`);
    world.git('bundle', 'verify', '-q', file);
    assert.deepEqual(
      readdirSync(world.base).filter((name) => name.startsWith('.')),
      [],
    );

    const clone = world.clone('clone');
    const imported = await commandLine(['import', file], { cwd: clone.directory });
    assert.equal(imported.code, 0, imported.stderr);
    assert.match(imported.stdout, /^world [0-9a-f]{16} {2}6 entries, new here, chain proven\n$/);
    assert.deepEqual(failing(await verifyIn(clone.directory)), []);
    assert.match((await commandLine(['import', file], { cwd: clone.directory })).stdout, /is here already/);
    assert.match(
      (await commandLine(['import', file], { cwd: world.repository })).stdout,
      /the log this repository writes/,
    );

    const all = await commandLine(['export'], { cwd: world.repository });
    const whole = all.stdout.slice(0, all.stdout.indexOf(' ('));
    assert.match(whole, /\/repository\/[0-9a-f]{16}-log\.bundle$/);
    assert.match((await commandLine(['import', whole], { cwd: clone.directory })).stdout, /9 entries, 3 of them new/);
    const back = await commandLine(['import', file], { cwd: clone.directory });
    assert.equal(back.code, 1);
    assert.match(back.stderr, /that came is shorter than the one here/);
    const plain = world.clone('plain');
    plain.git('fetch', '-q', file, 'refs/world/logs/*:refs/world/logs/*');
    assert.equal(plain.git('rev-parse', world.sharedRef).trim(), end);
  });
}

test('what is forged, foreign, damaged or in the way is refused and changes no ref', async (t) => {
  const world = await makeSharedWorld(t);
  const clone = world.clone('clone');
  const path = (name: string): string => join(world.base, name);
  const good = path('good.bundle');
  assert.equal((await commandLine(['export', '--out', good], { cwd: world.repository })).code, 0);
  const again = await commandLine(['export', '--out', good], { cwd: world.repository });
  assert.match(again.stderr, /good\.bundle exists; an export never overwrites/);
  assert.match((await commandLine(['export', 'ep9'], { cwd: world.repository })).stderr, /episode ep9 does not exist/);

  const bytes = readFileSync(good);
  writeFileSync(path('cut.bundle'), bytes.subarray(0, bytes.length - 100));
  writeFileSync(path('text.bundle'), 'no bundle\n');
  const renamed = bytes.toString('latin1').replace(world.sharedRef, 'refs/world/logs/0123456789abcdef');
  writeFileSync(path('renamed.bundle'), renamed, 'latin1');
  world.git('bundle', 'create', '-q', path('main.bundle'), 'main');
  world.git('update-ref', world.sharedRef, 'refs/world/log');
  await Forge.rewrite(
    world.repository,
    {
      consistent: 'bytes',
      change: (draft) => {
        if (draft.files.has('output.json')) replaceIn(draft, 'output.json', 'ok', 'ko');
        return undefined;
      },
    },
    world.sharedRef,
  );
  world.git('bundle', 'create', '-q', path('forged.bundle'), world.sharedRef);
  const cases: readonly (readonly [string, number, RegExp])[] = [
    ['absent.bundle', 1, /cannot be read/],
    ['text.bundle', 1, /cannot be read: error: .* does not look like a v2 or v3 bundle file/],
    ['cut.bundle', 1, /cannot be read/],
    ['main.bundle', 1, /is a bundle of something else than one log/],
    ['renamed.bundle', 3, /not of 0123456789abcdef/],
    ['forged.bundle', 3, /does not hold: entry \d+ output\.json/],
  ];
  for (const [name, code, message] of cases) {
    const answer = await commandLine(['import', path(name)], { cwd: clone.directory });
    assert.equal(answer.code, code, `${name}: ${answer.stderr}`);
    assert.match(answer.stderr, message);
  }
  assert.equal(clone.git('for-each-ref', 'refs/world'), '');
  assert.equal((await commandLine(['import', good], { cwd: clone.directory })).code, 0);
  const diverged = await commandLine(['import', path('forged.bundle')], { cwd: clone.directory });
  assert.equal(diverged.code, 1);
  assert.match(diverged.stderr, /is another history than the one here/);
});
