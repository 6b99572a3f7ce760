import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { collectTrailers, formatTrailer } from '../../src/provenance/trailer.js';
import { makeGenesis, makeRead, readerOver } from './hand-made-log.js';

const genesis = makeGenesis();
const first = makeRead(genesis);
const second = makeRead(first, { episode: 'ep2' });
const third = makeRead(second);
const reader = readerOver([genesis, first, second, third]);

test('one trailer per episode, in order of first appearance, keys in the fixed order', async () => {
  const lines = (await collectTrailers(reader, { scan: 500 })).map(formatTrailer);
  const world = genesis.entryHash.slice(7, 23);
  const tree = 'a'.repeat(40);
  assert.deepEqual(lines, [
    `World-Provenance: store=refs/world/log world=${world} episode=ep1 entries=1-3 head=${third.entryHash} tree=${tree}`,
    `World-Provenance: store=refs/world/log world=${world} episode=ep2 entries=2-2 head=${second.entryHash} tree=${tree}`,
  ]);
});

test('the range and the episode narrow it', async () => {
  const spans = async (range: Parameters<typeof collectTrailers>[1]) =>
    (await collectTrailers(reader, range)).map(({ episode, first, last }) => `${episode} ${first}-${last}`);
  assert.deepEqual(await spans({ scan: 500, since: 2 }), ['ep2 2-2', 'ep1 3-3']);
  assert.deepEqual(await spans({ scan: 1 }), ['ep1 3-3']);
  assert.deepEqual(await spans({ scan: 500, episode: 'ep2' }), ['ep2 2-2']);
  await assert.rejects(collectTrailers(reader, { scan: 500, episode: 'ep3' }), { code: 'not-found' });
  await assert.rejects(collectTrailers(readerOver([genesis]), { scan: 500 }), { code: 'not-found' });
});

test('git finds the trailer in the last paragraph of a message', async () => {
  const lines = (await collectTrailers(reader, { scan: 500 })).map(formatTrailer);
  const message = `Change hello\n\nSome words.\n\n${lines.join('\n')}\n`;
  const parsed = execFileSync('git', ['interpret-trailers', '--parse'], { input: message, encoding: 'utf8' });
  assert.equal(parsed, `${lines.join('\n')}\n`);
});

test('a value with a blank is percent-encoded, and the encoding can be undone', () => {
  const line = formatTrailer({
    store: 'a b%\nc',
    world: 'w',
    episode: 'ep1',
    first: 1,
    last: 2,
    head: 'sha256:0',
    tree: 't',
  });
  assert.match(line, /^World-Provenance: store=a%20b%25%0Ac world=w /);
  assert.equal(decodeURIComponent('a%20b%25%0Ac'), 'a b%\nc');
});
