import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainChain, WorldError } from '../src/errors.js';

test('a chain of causes is told once each, with the nearest hint last', () => {
  const disk = new Error('no space');
  const write = new WorldError('write', 'no space', { cause: disk });
  const seal = new WorldError('seal', 'the entry was not written', { cause: write, hint: 'free some space' });
  assert.equal(explainChain(seal), 'the entry was not written: no space; what to do: free some space');
  assert.equal(
    explainChain(new WorldError('outer', 'outer', { cause: seal, hint: 'look there' })).endsWith('look there'),
    true,
  );
  assert.equal(explainChain('a text'), 'a text');
});
