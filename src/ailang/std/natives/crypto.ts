import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import type { Bytes, Value } from '../../eval/values.js';
import { err, type Natives, ok } from './native.js';

const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest();

function verifyRsa(message: Bytes, signature: Bytes, pem: string): Value {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== 'rsa') return err('not an RSA key');
    return ok(verify('sha256', message.content, key, signature.content));
  } catch (error) {
    return err(`invalid key: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export const cryptoNatives: Natives = {
  _crypto_sha256Hex: (_depth, text: string) => sha256(text).toString('hex'),
  _crypto_sha256Bytes: (_depth, bytes: Bytes) => sha256(bytes.content).toString('hex'),
  _crypto_hmacSha256: (_depth, message: string, key: string) => createHmac('sha256', key).update(message).digest('hex'),
  // Digests have one length, so the comparison tells nothing about the texts.
  _crypto_constantTimeEqual: (_depth, left: string, right: string) => timingSafeEqual(sha256(left), sha256(right)),
  _crypto_rsaVerifyPKCS1v15: (_depth, message: Bytes, signature: Bytes, pem: string) =>
    verifyRsa(message, signature, pem),
};
