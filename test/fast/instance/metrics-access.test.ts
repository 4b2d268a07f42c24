import { afterAll, describe, expect, test } from 'bun:test';
import { networkInterfaces } from 'node:os';
import { isLoopback } from '../../../src/http/client-address.ts';
import { startAtBaseUrl } from '../../support/free-port.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { exchange } from '../visitor/wire.ts';

const TOKEN = 'a-token-of-32-characters-or-more';
const instances: Instance[] = [];
afterAll(() => Promise.all(instances.map(({ stop }) => stop())));

async function start(env: Record<string, string> = {}): Promise<Instance> {
  const instance = await startInstance({ env });
  instances.push(instance);
  return instance;
}

/** Requests the metrics with exactly these headers on a new connection. */
function ask(place: Pick<Instance, 'url'>, ...headers: string[]): Promise<Response> {
  return exchange(place, `GET /metrics HTTP/1.1\r\n${['Connection: close', ...headers].join('\r\n')}\r\n\r\n`);
}

const statusOf = async (answer: Promise<Response>) => (await answer).status;

describe('metrics without METRICS_TOKEN', () => {
  const here = start({ HOST: '0.0.0.0', TRUSTED_PROXIES: '127.0.0.1' });

  test.each(['localhost', 'localhost:3000', '127.0.0.1:9', '[::1]:3000'])(
    'are served to this machine as %s',
    async (host) => {
      expect(await statusOf(ask(await here, `Host: ${host}`))).toBe(200);
    },
  );

  test.each([
    'X-Forwarded-For: 127.0.0.1',
    'x-forwarded-for: ::1',
    'X-Forwarded-For:',
    'Forwarded: for=127.0.0.1',
    'X-Real-IP: 127.0.0.1',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: localhost',
    'Via: 1.1 proxy',
  ])('are refused through a proxy, trusted or not: %s', async (header) => {
    const answer = await ask(await here, 'Host: localhost', header);
    expect(answer.status).toBe(403);
    const { error } = (await answer.json()) as { error: string };
    expect(error).toMatch(/METRICS_TOKEN.*not through a proxy/);
  });

  test.each(['forms.example.com', 'localhost.example.com', '127.0.0.1.example.com', ''])(
    'are refused for another Host: %j',
    async (host) => {
      expect(await statusOf(ask(await here, `Host: ${host}`))).toBe(403);
    },
  );

  test('are refused to another machine, whatever its headers say', async () => {
    const { url } = await here;
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4');
    if (!outside) throw new Error('this test needs an IPv4 address that is not loopback');
    const fromOutside = { url: `http://${outside.address}:${new URL(url).port}` };
    expect(await statusOf(ask(fromOutside, 'Host: localhost'))).toBe(403);
    expect(await statusOf(ask(fromOutside, 'Host: localhost', 'X-Forwarded-For: 127.0.0.1'))).toBe(403);
    expect(await statusOf(ask(fromOutside, 'Host: localhost', `Authorization: Bearer ${TOKEN}`))).toBe(403);
  });

  test.each([
    ['127.0.0.1', true],
    ['127.255.0.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['128.0.0.1', false],
    ['10.0.0.1', false],
    ['::2', false],
    ['::ffff:10.0.0.1', false],
    ['', false],
  ])('isLoopback(%j) is %p', (address, isIt) => {
    expect(isLoopback(address)).toBe(isIt);
  });
});

describe('metrics with BASE_URL and without METRICS_TOKEN', () => {
  const here = startAtBaseUrl();
  afterAll(async () => (await here).stop());

  test.each(['localhost', '127.0.0.1', 'forms.example.com'])('are refused, also as %s', async (host) => {
    const answer = await ask(await here, `Host: ${host}`);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('With BASE_URL, /metrics requires a token. Set METRICS_TOKEN');
  });
});

describe('metrics with METRICS_TOKEN', () => {
  const here = start({ METRICS_TOKEN: TOKEN });

  test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER  ${TOKEN}`])(
    'are served from anywhere with "%s"',
    async (header) => {
      expect(await statusOf(ask(await here, 'Host: forms.example.com', `Authorization: ${header}`))).toBe(200);
      const forwarded = ['Host: localhost', 'X-Forwarded-For: 203.0.113.9', `Authorization: ${header}`];
      expect(await statusOf(ask(await here, ...forwarded))).toBe(200);
    },
  );

  test.each([
    'Bearer',
    'Bearer ',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    `Basic ${TOKEN}`,
    TOKEN,
  ])('are refused with %j, even on this machine', async (header) => {
    const answer = await ask(await here, 'Host: localhost', `Authorization: ${header}`);
    expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
    expect(await answer.text()).not.toContain(TOKEN);
  });

  test('are refused without a token or with one in the URL', async () => {
    expect(await statusOf(ask(await here, 'Host: localhost'))).toBe(401);
    const { url, logs } = await here;
    expect((await fetch(`${url}/metrics?access_token=${TOKEN}`)).status).toBe(401);
    expect(logs.join('')).not.toContain(TOKEN);
  });
});
