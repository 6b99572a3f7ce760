import { type Effects, hostFailure, reasonOf } from '../../eval/effects.js';
import { List } from '../../eval/list.js';
import { Bytes, Tuple, type Value } from '../../eval/values.js';
import { NetFailure } from '../net-failure.js';
import { err, field, type Natives, ok, record } from './native.js';

/** RFC 3986 unreserved characters stay; a space becomes a plus sign, as in forms. */
const urlEncode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const urlDecode = (text: string): string => {
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  return bytes;
};

function parseUrl(text: string): Value {
  const parts =
    /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(?:[^/?#@]*@)?(\[[0-9A-Fa-f:.]+\]|[^/?#:@]*)(?::(\d*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(
      text,
    );
  if (parts === null || /[\s\u0000-\u001f]/.test(text)) return err(`invalid URL: ${text}`);
  const [, scheme = '', host = '', port = '', path = '', query = '', fragment = ''] = parts;
  return ok(record({ scheme: scheme.toLowerCase(), host, port, path, query, fragment }));
}

function parseQuery(text: string): Value {
  const pairs = text
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '');
  return List.of(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return record({ name: urlDecode(name), value: urlDecode(value.join('=')) });
    }),
  );
}

const pairsOf = (list: List): { name: string; value: string }[] =>
  list.toArray().map((pair) => ({ name: field(pair, 'name') as string, value: field(pair, 'value') as string }));

/** A host's failure as the constructor of `NetError` and what it holds. */
function netError(cause: unknown): Tuple {
  return cause instanceof NetFailure
    ? new Tuple([cause.kind, cause.subject])
    : new Tuple(['Transport', reasonOf(cause)]);
}

export function networkNatives(effects: Effects): Natives {
  const simple = (operation: string, method: string) => (_depth: number, url: string, body?: string) => {
    const net = effects.use('Net', operation);
    const headers = body === undefined ? [] : [{ name: 'Content-Type', value: 'application/json' }];
    try {
      return net.request({ method, url, headers, body: Buffer.from(body ?? '') }).body.toString('utf8');
    } catch (cause) {
      throw hostFailure(cause, operation);
    }
  };
  return {
    _net_httpGet: simple('httpGet', 'GET'),
    _net_httpPost: simple('httpPost', 'POST'),
    _net_request: (_depth, method: string, url: string, headers: List, body: Bytes) => {
      const net = effects.use('Net', 'httpRequest');
      try {
        const response = net.request({ method, url, headers: pairsOf(headers), body: body.content });
        return ok(
          record({
            status: response.status,
            headers: List.of(response.headers.map(({ name, value }) => record({ name, value }))),
            body: response.body.toString('utf8'),
            bodyBytes: new Bytes(response.body),
            ok: response.status >= 200 && response.status < 300,
          }),
        );
      } catch (cause) {
        return err(netError(cause));
      }
    },
    _net_urlEncode: (_depth, text: string) => urlEncode(text),
    _net_parseUrl: (_depth, text: string) => parseUrl(text),
    _net_parseQuery: (_depth, text: string) => parseQuery(text),
  };
}
