import { WorldError } from '../../errors.js';

/** Who may sign: one line of an allowed-signers file (ssh-keygen(1), ALLOWED SIGNERS). */
export interface AllowedSigner {
  /** As the file has it, `ada@example.org`. */
  readonly principals: string;
  /** Base64 of the public key. */
  readonly key: string;
  /** Empty: for everything. */
  readonly namespaces: readonly string[];
  /** Unix seconds. */
  readonly validAfter: number;
  readonly validBefore: number;
}

/**
 * Reads the file `git verify-commit` takes as `gpg.ssh.allowedSignersFile`. Lines for certificate authorities are
 * passed over: entries are not signed by certificates.
 * @throws WorldError `allowed-signers` naming the line that cannot be read
 */
export function parseAllowedSigners(text: string): readonly AllowedSigner[] {
  const signers: AllowedSigner[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const fail = (why: string): never => {
      throw new WorldError('allowed-signers', `line ${at + 1} of the allowed signers: ${why}`, {
        hint: 'It should read: <principal> [options] <key type> <base64>',
      });
    };
    const [, principals = '', , options = '', , key] =
      /^\s*("[^"]*"|\S+)(\s+((?:[A-Za-z-]+(?:="[^"]*")?)(?:,[A-Za-z-]+(?:="[^"]*")?)*))??\s+((?:ssh-|ecdsa-|sk-)\S+)\s+([A-Za-z0-9+/]+={0,2})(?:\s|$)/.exec(
        line,
      ) ?? [];
    if (key === undefined) return fail('it is malformed');
    const settings = new Map(
      [...options.matchAll(/([A-Za-z-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
        name.toLowerCase(),
        value,
      ]),
    );
    if (settings.has('cert-authority')) continue;
    const unknown = [...settings.keys()].find((name) => !['namespaces', 'valid-after', 'valid-before'].includes(name));
    if (unknown !== undefined) fail(`the option ${unknown} is unknown`);
    const time = (name: string, otherwise: number): number => {
      const value = settings.get(name);
      return value === undefined ? otherwise : (parseTime(value) ?? fail(`${name} is no time: ${value}`));
    };
    signers.push({
      principals: principals.replaceAll('"', ''),
      key,
      namespaces: settings.get('namespaces')?.split(',') ?? [],
      validAfter: time('valid-after', 0),
      validBefore: time('valid-before', Number.POSITIVE_INFINITY),
    });
  }
  return signers;
}

/** `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, local unless it ends in `Z`. Unix seconds. */
function parseTime(text: string): number | null {
  const [, year, month, day, hour = '0', minute = '0', second = '0', zone] =
    /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z)?$/.exec(text) ?? [];
  if (year === undefined) return null;
  const parts = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const;
  return (zone === 'Z' ? Date.UTC(...parts) : new Date(...parts).getTime()) / 1000;
}

/** Who the key belongs to at a time; null when nobody who may sign for git then. */
export function signerOf(signers: readonly AllowedSigner[], key: Buffer, time: number): string | null {
  const text = key.toString('base64');
  const found = signers.find(
    (signer) =>
      signer.key === text &&
      (signer.namespaces.length === 0 || signer.namespaces.some((name) => name.trim() === 'git' || name === '*')) &&
      signer.validAfter <= time &&
      time < signer.validBefore,
  );
  return found?.principals ?? null;
}
