import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { type ReplaceFs, replaceFile } from '../../../src/ailang/format/replace-file.js';

let directory = '';
let path = '';

beforeEach(() => {
  directory = fs.mkdtempSync(join(tmpdir(), 'ailang-fmt-'));
  path = join(directory, 'a.ail');
  fs.writeFileSync(path, 'old', { mode: 0o640 });
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

test('the new text takes the place and the mode of the old', () => {
  fs.chmodSync(path, 0o754);
  replaceFile(fs, path, 'new', '1');
  assert.equal(fs.readFileSync(path, 'utf8'), 'new');
  assert.equal(fs.statSync(path).mode & 0o777, 0o754);
  assert.deepEqual(fs.readdirSync(directory), ['a.ail']);
});

test('a link stays a link; its target is replaced', () => {
  const link = join(directory, 'link.ail');
  fs.symlinkSync('a.ail', link);
  replaceFile(fs, link, 'new', '1');
  assert.ok(fs.lstatSync(link).isSymbolicLink());
  assert.equal(fs.readFileSync(path, 'utf8'), 'new');
});

test('a failure at any step leaves the old text and no other file', () => {
  const broken = (): never => {
    throw new Error('no space left on device');
  };
  const steps: readonly (keyof ReplaceFs)[] = ['openSync', 'writeFileSync', 'fchmodSync', 'fsyncSync', 'renameSync'];
  for (const step of steps) {
    assert.throws(() => replaceFile({ ...fs, [step]: broken }, path, 'new', step), /no space left/);
    assert.equal(fs.readFileSync(path, 'utf8'), 'old');
    assert.deepEqual(fs.readdirSync(directory), ['a.ail'], step);
  }
});

test('a file of that name beside it is not overwritten', () => {
  fs.writeFileSync(join(directory, '.ailang-fmt-7'), 'mine');
  assert.throws(() => replaceFile(fs, path, 'new', '7'), /EEXIST/);
  assert.equal(fs.readFileSync(join(directory, '.ailang-fmt-7'), 'utf8'), 'mine');
});
