import { describe, expect, test } from 'bun:test';
import { proxyFor, readProxies } from '../../../src/lib/proxies.ts';

const PROXY = 'http://proxy.example:3128';
const PROXIES = { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY };

const proxyOf = (env: Record<string, string>, url: string) => proxyFor(readProxies(env), new URL(url));

describe('the proxy is read from', () => {
  test.each<[Record<string, string>, string, string | null]>([
    [{}, 'http://a.example', null],
    [{ HTTP_PROXY: PROXY }, 'http://a.example', PROXY],
    [{ http_proxy: PROXY, HTTP_PROXY: 'http://other' }, 'http://a.example', PROXY],
    [{ http_proxy: '', HTTP_PROXY: PROXY }, 'http://a.example', PROXY],
    [{ HTTP_PROXY: '""' }, 'http://a.example', null],
    [{ HTTP_PROXY: 'proxy.example:3128' }, 'http://a.example', PROXY],
    [{ HTTP_PROXY: PROXY }, 'https://a.example', null],
    [{ HTTPS_PROXY: PROXY }, 'https://a.example', PROXY],
    [{ https_proxy: PROXY }, 'http://a.example', null],
    [{ ALL_PROXY: PROXY }, 'https://a.example', PROXY],
    [{ HTTPS_PROXY: PROXY, all_proxy: 'http://other' }, 'https://a.example', PROXY],
  ])('%j for %s', (env, url, expected) => {
    expect(proxyOf(env, url)).toBe(expected);
  });
});

/** Values of NO_PROXY, each with a URL that it exempts, here and in the runtime. */
const EXEMPT = [
  ['*', 'http://a.example'],
  ['a.example', 'http://a.example'],
  ['a.example', 'http://A.example.'],
  ['A.Example.', 'http://a.example'],
  ['b.example, a.example', 'http://a.example'],
  ['b.example a.example', 'http://a.example'],
  ['example', 'http://a.example'],
  ['.example', 'http://a.example'],
  ['*.example', 'http://a.example'],
  ['.a.example', 'http://a.example'],
  ['a.example:80', 'http://a.example'],
  ['a.example:443', 'https://a.example'],
  ['a.example:8080', 'http://a.example:8080'],
  ['xn--bcher-kva.example', 'http://bücher.example'],
  ['127.0.0.1', 'http://127.0.0.1'],
  ['.127.0.0.1', 'http://127.0.0.1'],
  ['127.0.0.1:80', 'http://127.0.0.1'],
  ['[127.0.0.1]', 'http://127.0.0.1'],
  ['127.0.0.0/8', 'http://0x7f.1'],
  ['127.0.0.0/8', 'http://[::ffff:127.0.0.1]'],
  ['::ffff:127.0.0.0/104', 'http://127.0.0.1'],
  ['::1', 'http://[::1]'],
  ['[::1]', 'http://[::1]'],
  ['[::1]:80', 'http://[::1]'],
  ['0:0:0:0:0:0:0:1', 'http://[::1]'],
] as const;

test.each(EXEMPT)('NO_PROXY=%s exempts %s', (list, url) => {
  expect(proxyOf({ ...PROXIES, NO_PROXY: list }, url)).toBeNull();
  expect(proxyOf({ ...PROXIES, no_proxy: list, NO_PROXY: 'other.example' }, url)).toBeNull();
});

test.each([
  ['', 'http://a.example'],
  ['.', 'http://a.example.'],
  ['b.example', 'http://a.example'],
  ['a.example', 'http://aa.example'],
  ['x.a.example', 'http://a.example'],
  ['a.example:8080', 'http://a.example'],
  ['*.0.0.1', 'http://127.0.0.1'],
  ['127.0.0.1', 'http://127.0.0.2'],
  ['10.0.0.0/8', 'http://a.example'],
])('NO_PROXY=%s does not exempt %s', (list, url) => {
  expect(proxyOf({ ...PROXIES, NO_PROXY: list }, url)).toBe(PROXY);
});
