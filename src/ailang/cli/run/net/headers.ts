import { NetFailure } from '../../../std/net-failure.js';

export interface Header {
  readonly name: string;
  readonly value: string;
}

/** What the connection itself decides: a program that set them could speak to another host or break the framing. */
const reserved =
  /^(host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|http2-settings|proxy-.*)$/;

const maxBytes = 64 * 1024;

/** The headers as they go out, repeated names kept. @throws NetFailure `E_NET_INVALID_HEADER` naming the first bad one */
export function outgoingHeaders(headers: readonly Header[]): Record<string, string[]> {
  const grouped = new Map<string, string[]>();
  let total = 0;
  for (const { name, value } of headers) {
    total += name.length + value.length;
    const key = name.toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(key)) throw invalid(name, 'is no header name');
    if (reserved.test(key)) throw invalid(name, 'cannot be set by a program');
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw invalid(name, 'has a value with a control or wide character');
    if (total > maxBytes) throw invalid(name, `makes the headers larger than ${maxBytes} bytes`);
    const known = grouped.get(key);
    if (known === undefined) grouped.set(key, [value]);
    else known.push(value);
  }
  return Object.fromEntries(grouped);
}

/** Headers of a response in the order they came, names in their customary spelling (`Content-Type`). */
export function incomingHeaders(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    headers.push({ name: customary(raw[at] ?? ''), value: raw[at + 1] ?? '' });
  return headers;
}

const customary = (name: string): string => name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());

const invalid = (name: string, why: string): NetFailure =>
  new NetFailure(`E_NET_INVALID_HEADER: ${JSON.stringify(name.slice(0, 100))} ${why}`, 'InvalidHeader', name);
