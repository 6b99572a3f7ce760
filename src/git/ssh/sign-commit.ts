import { createHash } from 'node:crypto';
import type { ObjectFormat } from '../types.js';
import type { SshSigningKey } from './private-key.js';
import { armour, string, uint32 } from './wire.js';

/** Adds a signature to the bytes of a commit. */
export type CommitSigner = (format: ObjectFormat, body: Buffer) => Buffer;

/** The namespace git signs commits in. */
const namespace = 'git';

/** Signs as `git commit -S` with `gpg.format=ssh` does (PROTOCOL.sshsig of OpenSSH, hash SHA-512). */
export function commitSigner(key: SshSigningKey): CommitSigner {
  return (format, body) => {
    const split = body.indexOf('\n\n') + 1;
    const header = format === 'sha1' ? 'gpgsig' : 'gpgsig-sha256';
    const lines = sshSignature(key, body).trimEnd().replaceAll('\n', '\n ');
    return Buffer.concat([body.subarray(0, split), Buffer.from(`${header} ${lines}\n`), body.subarray(split)]);
  };
}

function sshSignature(key: SshSigningKey, message: Buffer): string {
  const about = [string(namespace), string(''), string('sha512')];
  const digest = createHash('sha512').update(message).digest();
  const signature = key.sign(Buffer.concat([Buffer.from('SSHSIG'), ...about, string(digest)]));
  return armour(
    'SSH SIGNATURE',
    Buffer.concat([Buffer.from('SSHSIG'), uint32(1), string(key.publicKey), ...about, string(signature)]),
  );
}
