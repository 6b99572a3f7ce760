import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { WorldError } from '../../../src/errors.js';
import { readSigningKey } from '../../../src/git/ssh/key-file.js';
import { parsePrivateKey } from '../../../src/git/ssh/private-key.js';
import { WireReader } from '../../../src/git/ssh/wire.js';
import { temporaryDirectory } from '../../cleanup.js';
import { makeKey } from './keys.js';

const KINDS: Readonly<Record<string, readonly string[]>> = {
  ed25519: ['-t', 'ed25519'],
  'rsa of 2048 bits': ['-t', 'rsa', '-b', '2048'],
  'rsa of 3072 bits': ['-t', 'rsa', '-b', '3072'],
};

for (const [kind, options] of Object.entries(KINDS)) {
  test(`reads what ssh-keygen makes: ${kind}`, async (t) => {
    const directory = temporaryDirectory(t);
    const { file, publicKey } = makeKey(directory, 'key', ...options);
    const key = await readSigningKey(file);
    assert.equal(key.publicKey.toString('base64'), publicKey.split(' ')[1]);
    const signature = new WireReader(key.sign(Buffer.from('text')));
    assert.equal(signature.text(), kind === 'ed25519' ? 'ssh-ed25519' : 'rsa-sha2-512');
    assert.equal(signature.string().length, kind === 'ed25519' ? 64 : Number(/\d{4}/.exec(kind)) / 8);
  });
}

test('a key that cannot be used is refused for what it is', async (t) => {
  const directory = temporaryDirectory(t);
  const { file } = makeKey(directory, 'good', '-t', 'ed25519');
  const keygen = (...args: string[]) => execFileSync('ssh-keygen', ['-q', ...args], { stdio: 'pipe' });
  const path = (name: string): string => join(directory, name);
  keygen('-t', 'ed25519', '-N', 'secret words', '-f', path('encrypted'));
  keygen('-t', 'ecdsa', '-N', '', '-f', path('ecdsa'));
  keygen('-t', 'rsa', '-b', '1024', '-N', '', '-f', path('short'));
  keygen('-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', '', '-f', path('pem'));
  writeFileSync(path('empty'), '', { mode: 0o600 });
  chmodSync(`${file}.pub`, 0o600);
  mkdirSync(path('folder'), { mode: 0o700 });
  for (const [name, mode] of [
    ['open', 0o640],
    ['writable', 0o602],
  ] as const) {
    writeFileSync(path(name), readFileSync(file));
    chmodSync(path(name), mode);
  }
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['encrypted', 'sign-key-encrypted', /is protected by a passphrase/],
    ['ecdsa', 'sign-key-unsupported', /is of the type ecdsa-sha2-nistp256/],
    ['short', 'sign-key-unsupported', /has 1024 bits/],
    ['pem', 'sign-key-unsupported', /is in an older format/],
    ['empty', 'sign-key-malformed', /is no private key/],
    ['good.pub', 'sign-key-malformed', /is a public key/],
    ['folder', 'sign-key-unreadable', /is no key file/],
    ['absent', 'sign-key-unreadable', /there is no such file/],
    ['open', 'sign-key-exposed', /others may read or write/],
    ['writable', 'sign-key-exposed', /others may read or write/],
  ];
  for (const [name, code, message] of cases) await assert.rejects(readSigningKey(path(name)), { code, message });
});

test('a damaged key is refused without a word of what it holds', async (t) => {
  const { file } = makeKey(temporaryDirectory(t), 'key', '-t', 'ed25519');
  const text = readFileSync(file, 'utf8');
  const lines = text.trim().split('\n');
  const blob = Buffer.from(lines.slice(1, -1).join(''), 'base64');
  const wrap = (bytes: Buffer): string => [lines[0], bytes.toString('base64'), lines.at(-1), ''].join('\n');
  assert.ok(parsePrivateKey(wrap(blob), 'key').publicKey.length > 0);
  let refused = 0;
  for (let at = 0; at < blob.length; at += 1) {
    for (const damaged of [
      blob.subarray(0, at),
      Buffer.concat([blob.subarray(0, at), Buffer.from([(blob[at] ?? 0) ^ 0x55]), blob.subarray(at + 1)]),
    ]) {
      try {
        parsePrivateKey(wrap(damaged), 'key');
      } catch (error) {
        assert.ok(error instanceof WorldError, String(error));
        assert.equal(error.cause, undefined);
        assert.ok(error.message.length < 150 && !error.message.includes(lines[2] ?? ''));
        refused += 1;
      }
    }
  }
  // The nine bytes of the comment may be others.
  assert.equal(refused, blob.length * 2 - 'a comment'.length);
});
