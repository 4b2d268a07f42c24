import type { HostilePost } from './hostile.ts';
import type { Bytes, Choices, Prng } from './prng.ts';
import type { ServerGround } from './server-ground.ts';

const ODD_METHODS: Choices<string> = [
  ...(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'] as const),
  ...(['post', 'PROPFIND', 'PRI', 'X', '', 'G\0T', 'x'.repeat(300)] as const),
];

const ODD_VERSIONS: Choices<string> = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1 ', '', 'X'];

const HEADERS: Choices<string> = [
  ...(['Host: ', 'Host: a b', 'Host: [::1', 'Host: x@y', 'Host: localhost:99999', 'Host: é', 'host: second'] as const),
  ...([
    'Content-Length: 5',
    'Content-Length: 0',
    'Content-Length: -1',
    'Content-Length: +5',
    'Content-Length: 5, 5',
  ] as const),
  ...([
    'Content-Length: 0x5',
    'Content-Length: 18446744073709551616',
    'Content-Length:',
    'Content-Length: 1e3',
  ] as const),
  ...(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity', 'Transfer-Encoding: gzip, chunked'] as const),
  ...(['Transfer-Encoding: chunked, chunked', 'Transfer-Encoding: xchunked', 'Transfer-Encoding:\tchunked'] as const),
  ...([
    'Transfer-Encoding : chunked',
    'Expect: 100-continue',
    'Expect: x',
    'Upgrade: websocket',
    'Upgrade: h2c',
  ] as const),
  ...([
    'Connection: upgrade',
    'Connection: keep-alive',
    'Connection: close',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ] as const),
  ...([
    'Range: bytes=0-1',
    'If-None-Match: *',
    'If-Modified-Since: x',
    'Accept: text/html',
    'Accept-Language: de;q=x,*',
  ] as const),
  ...([
    'Accept-Encoding: gzip, br',
    'Origin: null',
    'Origin: http://[',
    'Referer: x',
    'X-Forwarded-For: x, 1.2.3.4',
  ] as const),
  ...([
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: evil',
    'Forwarded: for="[',
    'Cookie: session=x; a',
    'Cookie: =',
  ] as const),
  ...([
    'Idempotency-Key: k',
    'Idempotency-Key: ',
    'Authorization: Bearer',
    'Authorization: Basic eA==',
    'X',
    ': x',
    ' folded',
  ] as const),
  ...([
    'X: \0',
    'X: \x7f',
    'X: \xff\xfe',
    'X\t: y',
    'Content-Encoding: gzip',
    'Content-Type: text/plain',
    'Trailer: X',
  ] as const),
  ...([
    'X-HTTP-Method-Override: DELETE',
    `X: ${'x'.repeat(9_000)}`,
    `X: ${'x'.repeat(70_000)}`,
    `${'x'.repeat(9_000)}: y`,
  ] as const),
  ...([`Cookie: ${'a=b; '.repeat(2_000)}`, 'X: y\r\n'.repeat(150).trim(), 'X: y\r\n'.repeat(1_500).trim()] as const),
];

const CHUNKED: Choices<string> = [
  '5\r\nhello\r\n0\r\n\r\n',
  '5;a="b\r\n"\r\nhello\r\n0\r\n\r\n',
  '-1\r\n',
  '5\nhello\n0\n\n',
  '0005\r\nhello\r\n0\r\nX: y\r\n\r\n',
  'g\r\n',
  '7fffffffffffffff\r\nx',
  '5\r\nhelloX\r\n0\r\n\r\n',
  '5\r\nhello',
  '0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
  '\r\n',
  `${'1\r\na\r\n'.repeat(500)}0\r\n\r\n`,
];

/** Generates a request with some odd parts, sometimes followed by another one. */
export function requestBytes(ground: ServerGround, post: HostilePost, prng: Prng): Bytes {
  const own = Object.entries(post.headers).map(([name, value]) => `${name}: ${value}`);
  const odd = prng.oneIn(2) ? [] : prng.list(2, () => prng.pick(HEADERS));
  const isAllowed = prng.oneIn(3) ? [`Authorization: Bearer ${ground.key}`] : [];
  const framing = prng.below(10);
  const body = framing === 0 ? Buffer.from(prng.pick(CHUNKED)) : post.body;
  const length =
    framing === 0
      ? 'Transfer-Encoding: chunked'
      : framing === 1
        ? ''
        : `Content-Length: ${body.length + (prng.oneIn(10) ? prng.below(20) - 10 : 0)}`;
  const host = prng.oneIn(40) ? [] : ['Host: localhost'];
  const lines = [...host, ...own, ...isAllowed, ...(length ? [length] : []), ...odd];
  const line = `${prng.oneIn(3) ? prng.pick(ODD_METHODS) : prng.pick(['POST', 'GET'])}${prng.oneIn(40) ? '  ' : ' '}${target(ground, prng)} ${prng.oneIn(12) ? prng.pick(ODD_VERSIONS) : 'HTTP/1.1'}`;
  const head = Buffer.from(`${[line, ...(prng.oneIn(5) ? lines.reverse() : lines)].join('\r\n')}\r\n\r\n`, 'latin1');
  const behind = prng.oneIn(5) ? Buffer.from('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n') : Buffer.alloc(0);
  return Buffer.concat([head, body, behind]);
}

function target({ formId }: ServerGround, prng: Prng): string {
  const submissions = `/v1/forms/${formId}/submissions`;
  const path = prng.pick([
    ...([
      submissions,
      submissions,
      submissions,
      '/',
      '/healthz',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/docs',
      '/docs/spam',
      '/docs/search?q=%3Cb%3E%FF',
    ] as const),
    ...([
      '/v1/forms',
      `/v1/forms/${formId}`,
      '/v1/usage',
      '/v1/submissions/sub_x',
      '/v1/submissions/sub_x/files/file_x',
      `/v1/forms/${formId}/restore`,
      `/v1/forms/${formId}/webhooks`,
      '/v1/webhooks/whk_x/redeliver',
      '/v1/webhooks/whk_x/deliveries?before=dlv_0',
      '/v1/workspaces/wsp_x',
      '/v1/me',
    ] as const),
    ...([
      `/v1/forms/${formId}/challenge`,
      `/v1/forms/${formId}/stamp`,
      '/formstead.js',
      '/dashboard',
      '/dashboard/sign-in',
    ] as const),
    ...([
      '/dashboard/welcome/x',
      '/dashboard/reset/x',
      `/dashboard/forms/${formId}/export.csv`,
      '/dashboard/assets/x',
    ] as const),
    ...([
      '*',
      '',
      '//',
      '/%',
      '/%zz',
      '/%00',
      '/\xff',
      '/..',
      '/../../etc/passwd',
      '/v1/forms/%2e%2e/submissions',
    ] as const),
    ...(['http://localhost/healthz', 'http://[/', 'https://evil/v1/forms', 'localhost:443', '?', '#', '/a b'] as const),
    ...(['/v1/forms/%E0%A4%A/submissions', '/v1/forms/%ff', '/v1/forms/__proto__', '/v1/forms//submissions'] as const),
    ...([`/${'x'.repeat(8_000)}`, `/v1/forms/${'x'.repeat(20_000)}/submissions`, `/${'a/'.repeat(3_000)}`] as const),
  ]);
  if (!prng.oneIn(4)) return path;
  return (
    path +
    prng.pick([
      '?',
      '?limit=x',
      '?before=%',
      '?limit=1&limit=2',
      '?%',
      '?a=%zz',
      '?__proto__=x',
      `?${'a=b&'.repeat(2_000)}`,
      '#x',
      '/',
      '?before=\xff',
      '?q[]=1&q[a]=2',
      '?=',
    ])
  );
}
