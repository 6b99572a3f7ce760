import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { RunAllowance } from '../episode/policy.js';
import { usageError } from './arguments.js';

/** Flags by which the verbs that start a daemon let runs do more than IO and FS. */
export const RUN_FLAGS = {
  'run-allow-caps': { type: 'string', multiple: true },
  'run-net-allow': { type: 'string', multiple: true },
  'run-net-allow-http': { type: 'boolean' },
} as const;

/** Which `ailang` does the work. */
export const AILANG_FLAG = { 'ailang-bin': { type: 'string' } } as const;

/** Absolute path of the official binary; undefined for the embedded toolchain. */
export const ailangBinary = (
  cwd: string,
  values: { readonly 'ailang-bin'?: string | undefined },
): string | undefined => (values['ailang-bin'] === undefined ? undefined : resolve(cwd, values['ailang-bin']));

/** For a verb's help. */
export const RUN_FLAGS_USAGE = `  --run-allow-caps <caps>  of Declassify, Env, Net (comma-separated): what ailang-run may ask for beyond IO and FS
  --run-net-allow 127.0.0.1:<port>
                          the only address a Net run reaches; may be repeated, loopback addresses only
  --run-net-allow-http    plain http to those addresses, too
  --ailang-bin <path>     the official ailang binary (v0.52.x) instead of the toolchain of this package`;

const CAPABILITIES = ['Declassify', 'Env', 'Net'];

/**
 * What the operator enables, checked before anything starts (world-formats 19.4).
 * @throws WorldError `usage` for a capability that cannot be enabled, Net without an address or an address without Net,
 * and everything that is no loopback address with a port
 */
export function runAllowance(values: {
  readonly 'run-allow-caps'?: readonly string[] | undefined;
  readonly 'run-net-allow'?: readonly string[] | undefined;
  readonly 'run-net-allow-http'?: boolean | undefined;
}): RunAllowance {
  const caps = (values['run-allow-caps'] ?? []).flatMap((list) => list.split(',').map((name) => name.trim()));
  const net = values['run-net-allow'] ?? [];
  const netHttp = values['run-net-allow-http'] ?? false;
  for (const name of caps)
    if (!CAPABILITIES.includes(name))
      throw usageError(
        `--run-allow-caps: unknown capability ${JSON.stringify(name)}`,
        `it takes ${CAPABILITIES.join(', ')}; IO and FS are always there`,
      );
  refuseTwice('--run-allow-caps', caps);
  for (const entry of net) {
    const objection = objectionTo(entry);
    if (objection !== null)
      throw usageError(
        `--run-net-allow ${JSON.stringify(entry)} ${objection}`,
        'write a loopback address and a port, such as 127.0.0.1:8080 or [::1]:8080',
      );
  }
  refuseTwice('--run-net-allow', net);
  if (caps.includes('Net') && net.length === 0)
    throw usageError(
      '--run-allow-caps Net needs at least one --run-net-allow',
      'such as --run-net-allow 127.0.0.1:8080',
    );
  if (!caps.includes('Net') && (net.length > 0 || netHttp))
    throw usageError(
      `${net.length > 0 ? '--run-net-allow' : '--run-net-allow-http'} does nothing without the Net capability`,
      'add --run-allow-caps Net',
    );
  return { caps: [...caps].sort(), net, netHttp };
}

function refuseTwice(flag: string, items: readonly string[]): void {
  const twice = items.find((item, index) => items.indexOf(item) !== index);
  if (twice !== undefined) throw usageError(`${flag} names ${JSON.stringify(twice)} twice`);
}

/** Why this is no canonical loopback `IP:PORT`; null when it is. */
function objectionTo(entry: string): string | null {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(entry) ?? [];
  const address = host.replace(/^\[(.*)\]$/s, '$1');
  if (isIP(entry) === 6) return 'is an IPv6 address without brackets and port';
  if (host === '' || isIP(address) === 0) return 'does not begin with an IP address: names are refused';
  if ((isIP(address) === 6) !== host.startsWith('[')) return 'has its brackets wrong';
  if (!isLoopback(address)) return 'is not a loopback address';
  if (port === undefined) return 'names no port: it would open every port of the loopback';
  if (!/^[1-9][0-9]*$/.test(port) || Number(port) > 65_535) return 'has a port that is not 1 to 65535';
  return null;
}

/** Canonical spellings only, so that what is granted is what a program's URL must say. */
const isLoopback = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
