import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** What a commit's signature says, once taken apart. Read by own code, not by the writer's. */
export type CommitSignature =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly why: string }
  | {
      readonly kind: 'ssh';
      /** Public key as in an allowed-signers file after base64. */
      readonly key: Buffer;
      /** Whether the signature is the key's over these bytes. */
      readonly matches: boolean;
      /** Unix seconds the committer claims. */
      readonly time: number;
    };

/** Takes the signature out of a commit and checks it against the rest, in the namespace `git`. */
export function commitSignature(commit: Buffer, objectFormat: 'sha1' | 'sha256'): CommitSignature {
  const name = objectFormat === 'sha1' ? 'gpgsig' : 'gpgsig-sha256';
  const end = commit.indexOf('\n\n') + 1;
  const head = commit.toString('latin1', 0, end);
  const found = [...head.matchAll(/^(gpgsig(?:-sha256)?) (.*(?:\n .*)*)\n/gm)];
  const [first] = found;
  if (first === undefined) return { kind: 'none' };
  if (found.length > 1 || first[1] !== name) return { kind: 'malformed', why: `there is not exactly one ${name}` };
  const text = `${first[2]}\n`.replaceAll('\n ', '\n');
  const armoured = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)-----END SSH SIGNATURE-----\n$/.exec(text)?.[1];
  if (armoured === undefined) return { kind: 'malformed', why: 'it is not an SSH signature' };
  const signed = Buffer.concat([Buffer.from(head.replace(first[0], ''), 'latin1'), commit.subarray(end)]);
  const time = Number(/^committer .*> (\d+) [+-]\d{4}$/m.exec(head)?.[1] ?? Number.NaN);
  try {
    return { kind: 'ssh', ...check(Buffer.from(armoured, 'base64'), signed), time };
  } catch (error) {
    return { kind: 'malformed', why: error instanceof SignatureFault ? error.message : 'it cannot be read' };
  }
}

class SignatureFault extends Error {}

function check(blob: Buffer, signed: Buffer): { readonly key: Buffer; readonly matches: boolean } {
  let at = 0;
  const take = (length: number): Buffer => {
    if (length > blob.length - at) throw new SignatureFault('it is cut short');
    at += length;
    return blob.subarray(at - length, at);
  };
  const field = (): Buffer => take(take(4).readUInt32BE());
  if (take(6).toString('latin1') !== 'SSHSIG' || take(4).readUInt32BE() !== 1)
    throw new SignatureFault('it is not version 1 of SSHSIG');
  const [key, namespace, reserved, hash, signature] = [field(), field(), field(), field().toString('latin1'), field()];
  if (at !== blob.length) throw new SignatureFault('something follows it');
  if (namespace.toString('latin1') !== 'git') throw new SignatureFault('it was made for something else than git');
  if (hash !== 'sha512' && hash !== 'sha256') throw new SignatureFault('it uses an unknown hash');
  const digest = createHash(hash).update(signed).digest();
  const framed = [namespace, reserved, Buffer.from(hash), digest].map(prefixed);
  const data = Buffer.concat([Buffer.from('SSHSIG'), ...framed]);
  return { key, matches: matches(key, fields(signature), data) };
}

function matches(key: Buffer, [algorithm, bytes, ...more]: readonly Buffer[], data: Buffer): boolean {
  if (algorithm === undefined || bytes === undefined || more.length > 0) throw new SignatureFault('it cannot be read');
  const { publicKey, algorithms } = publicKeyOf(key);
  const digest = algorithms.get(algorithm.toString('latin1'));
  if (digest === undefined) throw new SignatureFault('its algorithm does not go with its key');
  return verify(digest, data, publicKey, bytes);
}

/** Keys a signature may have, with the algorithms that go with them and the hash each gives to Node. */
function publicKeyOf(key: Buffer): {
  readonly publicKey: KeyObject;
  readonly algorithms: ReadonlyMap<string, string | null>;
} {
  const [type, ...parts] = fields(key);
  const jwk = (values: object): KeyObject => createPublicKey({ key: { ...values }, format: 'jwk' });
  const [one, two] = parts;
  switch (type?.toString('latin1')) {
    case 'ssh-ed25519':
      if (one?.length !== 32 || parts.length !== 1) break;
      return {
        publicKey: jwk({ kty: 'OKP', crv: 'Ed25519', x: one.toString('base64url') }),
        algorithms: new Map([['ssh-ed25519', null]]),
      };
    case 'ssh-rsa':
      if (one === undefined || two === undefined || parts.length !== 2 || two.length < 256) break;
      return {
        publicKey: jwk({ kty: 'RSA', e: one.toString('base64url'), n: unsigned(two).toString('base64url') }),
        algorithms: new Map([
          ['rsa-sha2-512', 'sha512'],
          ['rsa-sha2-256', 'sha256'],
        ]),
      };
  }
  throw new SignatureFault('its key is neither Ed25519 nor RSA of 2048 bits or more');
}

/** SSH writes a zero byte before a number whose first bit is set. */
function unsigned(number: Buffer): Buffer {
  return number[0] === 0 ? number.subarray(1) : number;
}

function fields(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) throw new SignatureFault('it is cut short');
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new SignatureFault('it is cut short');
    found.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return found;
}

function prefixed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
