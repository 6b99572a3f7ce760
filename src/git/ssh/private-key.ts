import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { WorldError } from '../../errors.js';
import { string, WireReader } from './wire.js';

/** A key to sign with. The secret stays inside: nothing of it can be read or printed from here. */
export interface SshSigningKey {
  /** Public key in SSH's own encoding, as in an allowed-signers file after base64. */
  readonly publicKey: Buffer;
  /** A signature blob: the algorithm's name, then the signature. */
  sign(data: Buffer): Buffer;
}

const magic = Buffer.from('openssh-key-v1\0', 'latin1');

/**
 * Reads an OpenSSH private key file (PROTOCOL.key of OpenSSH): Ed25519, or RSA of 2048 bits and more, without passphrase.
 * @param name what messages call the key; nothing of its content gets into them
 * @throws WorldError `sign-key-encrypted`, `sign-key-unsupported`, `sign-key-malformed`
 */
export function parsePrivateKey(text: string, name: string): SshSigningKey {
  const body = /^\s*-----BEGIN OPENSSH PRIVATE KEY-----\s([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----\s*$/.exec(
    text,
  )?.[1];
  if (body === undefined) throw explainForm(text, name);
  try {
    return parseBlob(Buffer.from(body, 'base64'), name);
  } catch (error) {
    if (error instanceof WorldError) throw error;
    // Not as the cause: an error of the parser or of OpenSSL may quote what it read.
    throw malformed(name, error instanceof RangeError ? error.message : 'it holds no valid key');
  }
}

function parseBlob(blob: Buffer, name: string): SshSigningKey {
  const reader = new WireReader(blob);
  if (!reader.take(magic.length).equals(magic)) throw malformed(name, 'it is not in OpenSSH’s format');
  const [cipher, kdf] = [reader.text(), reader.text()];
  reader.string();
  if (cipher !== 'none' || kdf !== 'none')
    throw new WorldError('sign-key-encrypted', `the key ${name} is protected by a passphrase`, {
      hint: 'The daemon signs without anyone at the keyboard. Make it a key of its own: ssh-keygen -t ed25519 -N "" -f <file>',
    });
  if (reader.uint32() !== 1) throw malformed(name, 'it holds not exactly one key');
  const publicKey = Buffer.from(reader.string());
  const secret = new WireReader(reader.string());
  const [once, again] = [secret.uint32(), secret.uint32()];
  if (once !== again) throw malformed(name, 'its two check numbers differ');
  const type = secret.text();
  const key = type === 'ssh-ed25519' ? ed25519(secret) : type === 'ssh-rsa' ? rsa(secret) : null;
  if (key === null)
    throw new WorldError('sign-key-unsupported', `the key ${name} is of the type ${type.slice(0, 60)}`, {
      hint: 'Ed25519 and RSA are supported: ssh-keygen -t ed25519 -N "" -f <file>',
    });
  secret.string();
  if (!secret.rest().every((byte, at) => byte === at + 1)) throw malformed(name, 'its padding is wrong');
  if (reader.rest().length > 0) throw malformed(name, 'something follows the key');
  if (!key.publicKey.equals(publicKey)) throw malformed(name, 'its public and its private part do not belong together');
  if (key.bits < 2048 && type === 'ssh-rsa')
    throw new WorldError('sign-key-unsupported', `the RSA key ${name} has ${key.bits} bits`, {
      hint: 'Use 2048 or more, or: ssh-keygen -t ed25519 -N "" -f <file>',
    });
  const { algorithm, digest, secretKey } = key;
  return { publicKey, sign: (data) => Buffer.concat([string(algorithm), string(sign(digest, data, secretKey))]) };
}

interface Parsed {
  readonly publicKey: Buffer;
  readonly algorithm: string;
  readonly digest: 'sha512' | null;
  readonly secretKey: KeyObject;
  readonly bits: number;
}

/** DER of a PKCS #8 Ed25519 key up to its 32 secret bytes (RFC 8410). */
const ed25519Head = Buffer.from('302e020100300506032b657004220420', 'hex');

function ed25519(secret: WireReader): Parsed {
  const named = secret.string();
  const both = new WireReader(secret.string());
  const seed = both.take(32);
  if (!both.rest().equals(named)) throw new RangeError('its public part is there twice and differs');
  const secretKey = createPrivateKey({ key: Buffer.concat([ed25519Head, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(secretKey).export({ format: 'jwk' });
  if (!named.equals(Buffer.from(x ?? '', 'base64url'))) throw new RangeError('its public part is of another key');
  const publicKey = Buffer.concat([string('ssh-ed25519'), string(named)]);
  return { publicKey, algorithm: 'ssh-ed25519', digest: null, secretKey, bits: 256 };
}

function rsa(secret: WireReader): Parsed {
  const [n, e, d, qi, p, q] = [1, 2, 3, 4, 5, 6].map(() => secret.string()) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const number = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex') || '0'}`);
  const jwkNumber = (value: bigint): string => {
    const hex = value.toString(16);
    return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
  };
  const numbers = {
    ...{ n: number(n), e: number(e), d: number(d), p: number(p), q: number(q), qi: number(qi) },
    ...{ dp: number(d) % (number(p) - 1n), dq: number(d) % (number(q) - 1n) },
  };
  const jwk = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, jwkNumber(value)]));
  const secretKey = createPrivateKey({ key: { kty: 'RSA', ...jwk }, format: 'jwk' });
  const publicKey = Buffer.concat([string('ssh-rsa'), string(e), string(n)]);
  return { publicKey, algorithm: 'rsa-sha2-512', digest: 'sha512', secretKey, bits: numbers.n.toString(2).length };
}

function explainForm(text: string, name: string): WorldError {
  if (/^(?:ssh-|ecdsa-|sk-)/.test(text))
    return new WorldError('sign-key-malformed', `${name} is a public key`, {
      hint: 'Give the private key beside it: the same name without .pub',
    });
  if (/-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/.test(text))
    return new WorldError('sign-key-unsupported', `the key ${name} is in an older format`, {
      hint: 'Bring a copy of it into OpenSSH’s format: ssh-keygen -p -N "" -f <copy>',
    });
  return malformed(name, 'it is not in OpenSSH’s format');
}

function malformed(name: string, why: string): WorldError {
  return new WorldError('sign-key-malformed', `${name} is no private key to sign with: ${why}`, {
    hint: 'Make one: ssh-keygen -t ed25519 -N "" -f <file>',
  });
}
