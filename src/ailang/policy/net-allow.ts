import { isIP } from 'node:net';

export interface NetTarget {
  /** Lower case, without a trailing dot; `*.example.com` for sub-domains. */
  readonly host: string;
  /** Null: any port. */
  readonly port: number | null;
}

const label = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/;

/**
 * One entry of `net_allow`: `host`, `host:PORT`, `[IPv6]`, `[IPv6]:PORT`, a bare IPv6 or `*.domain[:PORT]`.
 * @throws Error saying what is malformed
 */
export function parseNetAllow(entry: string): NetTarget {
  const text = entry.trim();
  if (text === '') throw new Error('it is empty');
  if (text.includes('/')) throw new Error('it has a slash');
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text);
  if (bracketed !== null) {
    if (isIP(bracketed[1]!) !== 6) throw new Error('the brackets hold no IPv6 address');
    return { host: bracketed[1]!.toLowerCase(), port: bracketed[2] === undefined ? null : port(bracketed[2]) };
  }
  if (isIP(text) === 6) return { host: text.toLowerCase(), port: null };
  const colon = text.indexOf(':');
  const host = (colon < 0 ? text : text.slice(0, colon)).toLowerCase().replace(/\.$/, '');
  const name = host.startsWith('*.') ? host.slice(2) : host;
  if (!name.split('.').every((part) => label.test(part))) throw new Error('the host is not a name or an address');
  return { host, port: colon < 0 ? null : port(text.slice(colon + 1)) };
}

function port(text: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(text) || Number(text) > 65535) throw new Error('the port is not 1 to 65535');
  return Number(text);
}

/** Why restricted mode does not admit the entry; null when it does. */
export function restrictedObjection(target: NetTarget): string | null {
  const kind = addressKind(target.host);
  if (target.host === 'localhost' || target.host.endsWith('.localhost'))
    return 'names loopback by name — restricted mode takes a loopback address with a port, such as 127.0.0.1:8080';
  if (kind === 'loopback')
    return target.port === null ? 'would open every loopback port — add the port, such as 127.0.0.1:8080' : null;
  return kind === null ? null : `names ${kind} address, which restricted mode never connects to (no override)`;
}

/** What is special about an IP literal: `loopback`, `a private` …; null for a public address or a name. */
export function addressKind(host: string): string | null {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(host);
  const address = mapped?.[1] ?? host;
  if (isIP(address) === 4) {
    const [a = 0, b = 0] = address.split('.').map(Number);
    if (address === '0.0.0.0') return 'the unspecified';
    if (a === 127) return 'loopback';
    if (a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168)) return 'a private';
    if (a === 169 && b === 254) return 'a link-local';
    return a >= 224 && a < 240 ? 'a multicast' : null;
  }
  if (isIP(address) !== 6) return null;
  const full = new URL(`http://[${address}]`).hostname.slice(1, -1);
  if (full === '::') return 'the unspecified';
  if (full === '::1') return 'loopback';
  const first = Number.parseInt(full.split(':')[0] || '0', 16);
  if ((first & 0xfe00) === 0xfc00) return 'a private';
  if ((first & 0xffc0) === 0xfe80) return 'a link-local';
  return (first & 0xff00) === 0xff00 ? 'a multicast' : null;
}
