import { createPublicKey } from 'node:crypto';
import { wrap } from '../../eval/integers.js';
import type { Int, Value } from '../../eval/values.js';
import { hammingDistance, simhash } from '../simhash.js';
import { err, type Natives, ok } from './native.js';

function keyFromJwk(text: string): Value {
  try {
    const { kty, n, e } = JSON.parse(text) as { kty?: string; n?: string; e?: string };
    if (kty !== 'RSA' || n === undefined || e === undefined) return err('the key is no RSA key');
    return ok(
      createPublicKey({ key: { kty, n, e }, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString(),
    );
  } catch (error) {
    return err(`invalid key: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export const fingerprintNatives: Natives = {
  _jwt_keyFromJwk: (_depth, text: string) => keyFromJwk(text),
  _simhash_simhash: (_depth, text: string) => wrap(simhash(text)),
  _simhash_hammingDistance: (_depth, a: Int, b: Int) => hammingDistance(BigInt(a), BigInt(b)),
};
