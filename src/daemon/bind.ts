import { WorldError } from '../errors.js';

export interface BindAddress {
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/**
 * `host:port`, `[::1]:port`; only loopback, with no way around it (world-formats 2).
 * @throws WorldError `bind-policy`
 */
export function parseBind(text: string): BindAddress {
  const match = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? '';
  const port = Number(match?.[3]);
  if (match === null || port > 65_535)
    throw new WorldError('bind-policy', `"${text}" is not host:port`, { hint: 'such as 127.0.0.1:7644' });
  if (!LOOPBACK.includes(host))
    throw new WorldError('bind-policy', `bind host "${host}" is not loopback`, {
      hint: `use one of ${LOOPBACK.join(', ')}`,
    });
  return { host, port };
}
