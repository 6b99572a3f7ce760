import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hammingDistance, simhash } from '../../../src/ailang/std/simhash.js';
import { compiled, ran } from '../eval/programs.js';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();
const jwk = publicKey.export({ format: 'jwk' });

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(header: object, payload: object): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createSign('sha256').update(signed).sign(privateKey, 'base64url')}`;
}

const verifier = compiled(`module main
import std/jwt (verifyRS256, verifyWithKid)
import std/json (encode, decode)
import std/result (map, flatMap)
export func pem(text: string) -> string = show(map(\\j. encode(j), verifyRS256(text, ${JSON.stringify(pem)})))
export func otherPem(text: string) -> string = show(map(\\j. encode(j), verifyRS256(text, ${JSON.stringify(other)})))
export func keys(a: { token: string, keys: string }) -> string = show(map(\\j. encode(j), flatMap(\\k. verifyWithKid(a.token, k), decode(a.keys))))
`);

const ask = (entry: string, args: unknown): string =>
  ran(verifier, { entry, argsJson: JSON.stringify(args) }).stdout.trimEnd();

const good = token({ alg: 'RS256', kid: 'k1' }, { iss: 'me' });

test('a token verifies under its key and no other', () => {
  assert.equal(ask('pem', good), 'Ok({"iss":"me"})');
  assert.equal(ask('otherPem', good), 'Err(the signature does not match)');
});

test('changed, unsigned and differently signed tokens are refused', () => {
  const [head = '', , signature = ''] = good.split('.');
  const none = `${encode({ alg: 'none' })}.${encode({ iss: 'me' })}.`;
  const hmac = `${encode({ alg: 'HS256' })}.${encode({ iss: 'me' })}.${signature}`;
  const cases = [
    [`${head}.${encode({ iss: 'you' })}.${signature}`, 'Err(the signature does not match)'],
    [none, 'Err(the algorithm of the token is none, not RS256)'],
    [hmac, 'Err(the algorithm of the token is HS256, not RS256)'],
    [token({ alg: 'RS256', crit: ['x'] }, {}), 'Err(the token has critical extensions that are not understood)'],
    ['a.b', 'Err(a token has three parts joined by dots)'],
    ['!.e30.', 'Err(the header of the token is not base64url)'],
  ] as const;
  for (const [text, shown] of cases) assert.equal(ask('pem', text), shown, text);
});

test('the key is found by its id, in a key set or by name', () => {
  const set = JSON.stringify({
    keys: [
      { kty: 'EC', kid: 'k0' },
      { ...jwk, kid: 'k1' },
    ],
  });
  assert.equal(ask('keys', { token: good, keys: set }), 'Ok({"iss":"me"})');
  assert.equal(ask('keys', { token: good, keys: JSON.stringify({ k1: pem }) }), 'Ok({"iss":"me"})');
  assert.equal(ask('keys', { token: good, keys: '{"keys":[]}' }), 'Err(no key has the id k1)');
  const wrongKind = '{"keys":[{"kty":"EC","kid":"k1"}]}';
  assert.equal(ask('keys', { token: good, keys: wrongKind }), 'Err(the key is no RSA key)');
});

test('similar texts have near hashes, and distance is a metric', () => {
  const text = 'the quick brown fox jumps over the lazy dog and runs into the deep dark forest to hide';
  const near = hammingDistance(simhash(text), simhash(`${text.replace('quick', 'fast')}!`));
  const far = hammingDistance(
    simhash(text),
    simhash('integers wrap at sixty four bits while floats follow the standard'),
  );
  assert.ok(near < far, `${near} < ${far}`);
  assert.equal(simhash('A b, c'), simhash('a  B c.'));
  const hash = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(hash, hash, hash, (a, b, c) => {
      assert.equal(hammingDistance(a, a), 0);
      assert.equal(hammingDistance(a, b), hammingDistance(b, a));
      assert.ok(hammingDistance(a, c) <= hammingDistance(a, b) + hammingDistance(b, c));
    }),
  );
  assert.equal(hammingDistance(0n, -1n), 64);
});
