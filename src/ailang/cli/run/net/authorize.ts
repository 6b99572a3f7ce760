import { isIP } from 'node:net';
import { addressKind, parseNetAllow } from '../../../policy/net-allow.js';
import type { Policy } from '../../../policy/policy.js';
import { NetFailure } from '../../../std/net-failure.js';

/** What of a policy decides where a program may connect. */
export type NetRules = Pick<Policy, 'netAllow' | 'netAllowHttp'>;

/** One address that may be connected to, and what to ask there. */
export interface NetTarget {
  readonly secure: boolean;
  /** IP literal of the loopback, without brackets. */
  readonly address: string;
  readonly port: number;
  /** Value of the Host header. */
  readonly authority: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
}

interface UrlParts {
  readonly scheme: string;
  readonly userinfo: boolean;
  readonly host: string;
  readonly port: number;
  readonly explicitPort: string;
  readonly path: string;
}

/**
 * Judges one URL, in the order of ailang-cli 4.5: scheme, userinfo, host present, allow-list, loopback by name, literal
 * address. No name is ever resolved: what is not a loopback address as it stands is not connected to.
 * @throws NetFailure
 */
export function authorize(url: string, rules: NetRules): NetTarget {
  const parts = splitUrl(url);
  checkScheme(parts.scheme, rules);
  if (parts.userinfo) throw new NetFailure('E_NET_INVALID_URL: the URL holds a user name or password');
  if (parts.host === '') throw new NetFailure('E_NET_INVALID_URL: the URL names no host');
  const address = parts.host.replace(/^\[(.*)\]$/, '$1');
  const allowed = rules.netAllow
    .map(parseNetAllow)
    .some(({ host, port }) => covers(host, address) && (port === null || port === parts.port));
  if (!allowed) throw blocked('E_NET_DOMAIN_BLOCKED: domain not in allowlist', parts.host);
  checkAddress(address);
  return {
    secure: parts.scheme === 'https',
    address,
    port: parts.port,
    authority: `${parts.host}${parts.explicitPort}`,
    path: parts.path,
  };
}

/**
 * Where a response wants the program to go. Only loopback can be reached and every redirect to loopback is refused, the
 * granted pair included: so this never returns. @throws NetFailure
 */
export function refuseRedirect(location: string, from: string, rules: NetRules): never {
  let url: URL;
  try {
    url = new URL(location, from);
  } catch {
    throw new NetFailure('E_NET_INVALID_URL: the redirect names no URL');
  }
  const { address } = authorize(url.href, rules);
  throw blocked('E_NET_IP_BLOCKED: localhost IP blocked', address, 'a redirect to loopback is refused');
}

/** The host is taken as it is written: another spelling of a granted address is another host. */
function splitUrl(url: string): UrlParts {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(url);
  if (match === null || /[\s\p{C}\\]/u.test(url)) throw new NetFailure('E_NET_INVALID_URL: it is not an absolute URL');
  const scheme = match[1]!.toLowerCase();
  const authority = match[2]!;
  const at = authority.lastIndexOf('@');
  const [, host = '', explicitPort = ''] = /^(\[[^\]]*\]|[^:]*)(:[0-9]*)?$/.exec(authority.slice(at + 1)) ?? [];
  const port = explicitPort.length > 1 ? Number(explicitPort.slice(1)) : scheme === 'https' ? 443 : 80;
  if (port < 1 || port > 65535) throw new NetFailure('E_NET_INVALID_URL: the port is not 1 to 65535');
  const rest = url.slice(match[0].length).replace(/#.*$/s, '');
  const { pathname, search } = new URL(`http://host${rest.startsWith('/') ? '' : '/'}${rest}`);
  return {
    scheme,
    userinfo: at >= 0,
    host: host.toLowerCase(),
    port,
    explicitPort: explicitPort.length > 1 ? explicitPort : '',
    path: pathname + search,
  };
}

function checkScheme(scheme: string, rules: NetRules): void {
  if (scheme === 'https' || (scheme === 'http' && rules.netAllowHttp)) return;
  const why = scheme === 'http' ? 'use --net-allow-http to enable' : 'only https and http are supported';
  throw new NetFailure(`E_NET_PROTOCOL_BLOCKED: ${scheme}:// blocked (${why})`);
}

function covers(entry: string, host: string): boolean {
  return entry.startsWith('*.') ? host.endsWith(entry.slice(1)) && host.length > entry.length - 1 : entry === host;
}

function checkAddress(host: string): void {
  if (host === 'localhost' || host.endsWith('.localhost'))
    throw blocked('E_NET_IP_BLOCKED: localhost IP blocked', host, 'name the loopback address and the port');
  if (isIP(host) === 0)
    throw blocked('E_NET_IP_BLOCKED: name blocked', host, 'this toolchain resolves no names: only loopback is reached');
  const kind = addressKind(host);
  if (kind === 'loopback') return;
  const what = kind === null ? 'public' : kind.replace(/^(an?|the) /, '');
  throw blocked(`E_NET_IP_BLOCKED: ${what} IP blocked`, host, 'no override available');
}

const blocked = (what: string, host: string, why?: string): NetFailure =>
  new NetFailure(`${what}: ${host}${why === undefined ? '' : ` (${why})`}`, 'DisallowedHost', host);
