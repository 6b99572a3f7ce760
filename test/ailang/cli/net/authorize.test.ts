import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { authorize, refuseRedirect } from '../../../../src/ailang/cli/run/net/authorize.js';
import { NetFailure } from '../../../../src/ailang/std/net-failure.js';

const rules = { netAllow: ['127.0.0.1:8080', '[::1]:8081'], netAllowHttp: true };
const noHttp = { ...rules, netAllowHttp: false };
const outcome = (url: string, under = rules) => {
  try {
    const { address, port } = authorize(url, under);
    return `${address} ${port}`;
  } catch (error) {
    assert.ok(error instanceof NetFailure, String(error));
    return error.kind === 'Transport' ? error.message : `${error.message} -> ${error.kind}(${error.subject})`;
  }
};
const domain = (host: string) => `E_NET_DOMAIN_BLOCKED: domain not in allowlist: ${host} -> DisallowedHost(${host})`;
const invalid = (why: string) => `E_NET_INVALID_URL: ${why}`;

describe('what a program may connect to', () => {
  for (const [url, expected] of [
    ['http://127.0.0.1:8080/', '127.0.0.1 8080'],
    ['https://127.0.0.1:8080', '127.0.0.1 8080'],
    ['HTTP://127.0.0.1:8080/x', '127.0.0.1 8080'],
    ['http://[::1]:8081/', '::1 8081'],
    ['http://127.0.0.1:8081/', domain('127.0.0.1')],
    ['http://[::1]:8080/', domain('[::1]')],
    ['http://127.0.0.1/', domain('127.0.0.1')],
    ['http://localhost:8080/', domain('localhost')],
    ['http://127.0.0.2:8080/', domain('127.0.0.2')],
    ['http://example.com:8080/', domain('example.com')],
    // Other spellings of the granted address are other hosts.
    ['http://2130706433:8080/', domain('2130706433')],
    ['http://0x7f.0.0.1:8080/', domain('0x7f.0.0.1')],
    ['http://127.1:8080/', domain('127.1')],
    ['http://127.0.0.1.:8080/', domain('127.0.0.1.')],
    ['http://[::ffff:127.0.0.1]:8080/', domain('[::ffff:127.0.0.1]')],
    ['http://[0:0:0:0:0:0:0:1]:8081/', domain('[0:0:0:0:0:0:0:1]')],
    ['http://127.0.0.1:8080@example.com/', invalid('the URL holds a user name or password')],
    ['http://u:p@127.0.0.1:8080/', invalid('the URL holds a user name or password')],
    ['http://:8080/', invalid('the URL names no host')],
    ['http:///x', invalid('the URL names no host')],
    ['http://127.0.0.1:0/', invalid('the port is not 1 to 65535')],
    ['http://127.0.0.1:65536/', invalid('the port is not 1 to 65535')],
    ['/relative', invalid('it is not an absolute URL')],
    ['http://127.0.0.1:8080/a b', invalid('it is not an absolute URL')],
    ['http://127.0.0.1:8080\\@x/', invalid('it is not an absolute URL')],
    ['http://127.0.0.1:8080/\r\nHost: x', invalid('it is not an absolute URL')],
    ['ftp://127.0.0.1:8080/', 'E_NET_PROTOCOL_BLOCKED: ftp:// blocked (only https and http are supported)'],
    ['file:///etc/passwd', 'E_NET_PROTOCOL_BLOCKED: file:// blocked (only https and http are supported)'],
  ] as const)
    test(JSON.stringify(url), () => assert.equal(outcome(url), expected));

  test('plain http needs the policy, and is judged before the host', () =>
    assert.equal(
      outcome('http://example.com/', noHttp),
      'E_NET_PROTOCOL_BLOCKED: http:// blocked (use --net-allow-http to enable)',
    ));

  test('a policy that names more than loopback opens nothing more', () => {
    const wide = {
      netAllow: ['localhost', 'example.com', '*.example.com', '10.0.0.1', '93.184.216.34', '169.254.1.1'],
      netAllowHttp: true,
    };
    for (const [host, reason] of [
      ['localhost', 'localhost IP blocked: localhost (name the loopback address and the port)'],
      ['example.com', 'name blocked: example.com (this toolchain resolves no names: only loopback is reached)'],
      ['a.example.com', 'name blocked: a.example.com (this toolchain resolves no names: only loopback is reached)'],
      ['10.0.0.1', 'private IP blocked: 10.0.0.1 (no override available)'],
      ['93.184.216.34', 'public IP blocked: 93.184.216.34 (no override available)'],
      ['169.254.1.1', 'link-local IP blocked: 169.254.1.1 (no override available)'],
    ] as const)
      assert.equal(outcome(`http://${host}/`, wide), `E_NET_IP_BLOCKED: ${reason} -> DisallowedHost(${host})`);
  });

  test('path and query go out encoded, the fragment does not, and slashes do not become a host', () => {
    const pathOf = (url: string) => authorize(url, rules).path;
    assert.equal(pathOf('http://127.0.0.1:8080/a?b=1#c'), '/a?b=1');
    assert.equal(pathOf('http://127.0.0.1:8080'), '/');
    assert.equal(pathOf('http://127.0.0.1:8080?q'), '/?q');
    assert.equal(pathOf('http://127.0.0.1:8080//evil/x'), '//evil/x');
    assert.equal(pathOf('http://127.0.0.1:8080/ä'), '/%C3%A4');
    assert.equal(authorize('http://127.0.0.1:8080/', rules).authority, '127.0.0.1:8080');
  });

  test('whatever the URL: it is a granted pair, or refused', () => {
    const text = fc.oneof(
      fc.webUrl({ validSchemes: ['http', 'https', 'ftp'] }),
      fc.string({ unit: 'grapheme' }),
      fc
        .tuple(
          fc.constantFrom('http:', 'https:', 'HTTP:'),
          fc.constantFrom('//', '/', '\\\\'),
          fc.string(),
          fc.constantFrom('127.0.0.1', '[::1]', 'localhost', '0'),
          fc.string(),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (url) => {
        const found = outcome(url);
        assert.ok(found.startsWith('E_NET_') || ['127.0.0.1 8080', '::1 8081'].includes(found), found);
      }),
      { numRuns: 500 },
    );
  });
});

describe('redirects', () => {
  const from = 'http://127.0.0.1:8080/';
  for (const [location, expected] of [
    ['/elsewhere', /^E_NET_IP_BLOCKED: localhost IP blocked: 127\.0\.0\.1 \(a redirect to loopback is refused\)$/],
    ['http://127.1:8080/', /^E_NET_IP_BLOCKED: localhost IP blocked: 127\.0\.0\.1/],
    ['http://127.0.0.1:9090/', /^E_NET_DOMAIN_BLOCKED: domain not in allowlist: 127\.0\.0\.1$/],
    ['//example.com/', /^E_NET_DOMAIN_BLOCKED: domain not in allowlist: example\.com$/],
    ['file:///etc/passwd', /^E_NET_PROTOCOL_BLOCKED: file:\/\//],
    ['http://[', /^E_NET_INVALID_URL: the redirect names no URL$/],
  ] as const)
    test(`to ${location} is refused`, () =>
      assert.throws(() => refuseRedirect(location, from, rules), { message: expected }));
});
