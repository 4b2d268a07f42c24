import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { filePart } from './files.ts';
import { expectAccepted, expectRefused, kept, multipart, type Sent, URLENCODED, used } from './helpers.ts';
import { exchange, head, postChunked } from './wire.ts';

let now = 0;

/** Starts an instance that accepts three posts per minute from each client. */
const startLimited = (env: Record<string, string> = {}) =>
  startInstance({ env: { POSTS_PER_MINUTE: '3', ...env }, monotonic: () => now });

const direct = await startLimited();
const otherProxy = await startLimited({ TRUSTED_PROXIES: '10.0.0.0/8' });
const proxied = await startLimited({ TRUSTED_PROXIES: '127.0.0.1' });
const unlimited = await startLimited({ POSTS_PER_MINUTE: '0' });
afterAll(() => Promise.all([direct, otherProxy, proxied, unlimited].map(({ stop }) => stop())));

// Posts of the previous test must not count.
beforeEach(() => {
  now += MINUTE;
});

const statuses = async (posts: ReadonlyArray<() => Promise<Response>>) => {
  const found: number[] = [];
  for (const post of posts) found.push((await post()).status);
  return found;
};

/** Sends one post for each value of X-Forwarded-For. */
const forwarded = ({ post }: Instance, { form }: Owner, addresses: readonly string[]) =>
  statuses(addresses.map((address) => () => post(form.id, { a: '1' }, { 'X-Forwarded-For': address })));

test('the fourth post in a minute gets 429 with Retry-After, readable from any page, and is not stored', async () => {
  const owner = await direct.makeOwner();
  for (let count = 1; count <= 3; count++) await expectAccepted(await direct.post(owner.form.id, { a: '1' }));
  now += 20 * SECOND;
  const refused = await direct.post(owner.form.id, { a: '4' }, { Origin: 'https://shop.example' });
  expect(refused.headers.get('retry-after')).toBe('40');
  expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
  await expectRefused(refused, 429, 'rate_limited');
  expect(await kept(direct, owner)).toHaveLength(3);
  expect(await used(direct, owner)).toBe(3);
});

test('the next post is accepted as soon as the first is a minute old', async () => {
  const { form } = await direct.makeOwner();
  for (let count = 1; count <= 3; count++) await direct.post(form.id, { a: '1' });
  now += MINUTE - 1;
  await expectRefused(await direct.post(form.id, { a: '1' }), 429, 'rate_limited');
  now += 1;
  await expectAccepted(await direct.post(form.id, { a: '1' }));
});

test('every post counts, to any form and with any outcome', async () => {
  const { owner, post } = direct;
  expect((await post('frm_unknown', { a: '1' })).status).toBe(404);
  expect((await post(owner.form.id, {})).status).toBe(400);
  expect((await post(owner.form.id, { _honey: 'x' })).status).toBe(200);
  await expectRefused(await post(owner.form.id, { a: '1' }), 429, 'rate_limited');
});

test('the limit applies before the checks for unknown forms and honeypots', async () => {
  const { owner, post } = direct;
  for (let count = 1; count <= 3; count++) await post(owner.form.id, { a: '1' });
  await expectRefused(await post('frm_unknown', { a: '1' }), 429, 'rate_limited');
  await expectRefused(await post(owner.form.id, { _honey: 'x' }), 429, 'rate_limited');
});

test('preflights and GET requests do not count', async () => {
  const { url, owner, post, api } = direct;
  const path = `/v1/forms/${owner.form.id}/submissions`;
  for (let count = 1; count <= 5; count++) {
    expect((await fetch(url + path, { method: 'OPTIONS' })).status).toBe(204);
    expect((await api('GET', path, { key: owner.readKey })).status).toBe(200);
  }
  await expectAccepted(await post(owner.form.id, { a: '1' }));
});

test('concurrent posts are counted exactly', async () => {
  const owner = await direct.makeOwner();
  const responses = await Promise.all(Array.from({ length: 20 }, () => direct.post(owner.form.id, { a: '1' })));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(17);
  expect(await kept(direct, owner)).toHaveLength(3);
});

test('0 disables the limit', async () => {
  const { owner, post } = unlimited;
  for (let count = 1; count <= 5; count++) await expectAccepted(await post(owner.form.id, { a: '1' }));
  expect(await kept(unlimited, owner)).toHaveLength(5);
});

describe('X-Forwarded-For', () => {
  test.each([
    ['there are none', direct],
    ['it is none', otherProxy],
  ])('is ignored unless the peer is a trusted proxy: %s', async (_why, instance) => {
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    expect(await forwarded(instance, instance.owner, addresses)).toEqual([200, 200, 200, 429]);
  });

  test('distinguishes the clients behind a trusted proxy', async () => {
    const owner = await proxied.makeOwner();
    const first = Array(4).fill('192.0.2.1');
    expect(await forwarded(proxied, owner, first)).toEqual([200, 200, 200, 429]);
    expect(await forwarded(proxied, owner, ['192.0.2.2', '192.0.2.2'])).toEqual([200, 200]);
    expect(await kept(proxied, owner)).toHaveLength(5);
  });

  test('is read from the right; values added by the client are ignored', async () => {
    const spoofed = [1, 2, 3, 4].map((last) => `198.51.100.${last}, 192.0.2.1`);
    expect(await forwarded(proxied, proxied.owner, spoofed)).toEqual([200, 200, 200, 429]);
    expect(await forwarded(proxied, proxied.owner, ['192.0.2.1, 192.0.2.2'])).toEqual([200]);
  });

  test('counts the addresses of one IPv6 /64 as one client', async () => {
    const neighbours = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8::4'];
    expect(await forwarded(proxied, proxied.owner, neighbours)).toEqual([200, 200, 200, 429]);
    expect(await forwarded(proxied, proxied.owner, ['2001:db8:0:1::1'])).toEqual([200]);
  });

  test('allows the clients of one IPv6 /48 eight times the limit together', async () => {
    const site = Array.from({ length: 30 }, (_, index) => `2001:db8:48:${index.toString(16)}::1`);
    const statuses = await forwarded(proxied, proxied.owner, site);
    expect(statuses).toEqual([...Array<number>(24).fill(200), ...Array<number>(6).fill(429)]);
    expect(await forwarded(proxied, proxied.owner, ['2001:db8:49::1'])).toEqual([200]);
  });
});

describe('the byte rate', () => {
  const start = (limit: number) => {
    const env = { UPLOAD_BYTES_PER_MINUTE: String(limit), MAX_BODY_BYTES: '100000', MAX_UPLOAD_BYTES: '100000' };
    return startInstance({ env: { ...env, TRUSTED_PROXIES: '127.0.0.1' }, monotonic: () => now });
  };
  const upload = (bytes: number) => multipart([filePart('cv', 'cv.txt', 'a'.repeat(bytes))]);

  test('counts text and files of a client before they are read, and refuses with 429 and Retry-After', async () => {
    const instance = await start(60_000);
    const { owner, post } = instance;
    const send = (client: string, { type, body }: Sent) =>
      post(owner.form.id, body, { 'Content-Type': type, 'X-Forwarded-For': client });
    expect((await send('192.0.2.1', upload(30_000))).status).toBe(200);
    const text = { type: URLENCODED, body: `a=${'b'.repeat(29_000)}` };
    expect((await send('192.0.2.1', text)).status).toBe(200);
    const declared = ['Content-Length: 30000', 'X-Forwarded-For: 192.0.2.1', `Content-Type: ${upload(1).type}`];
    const refused = await exchange(instance, head(owner.form.id, ...declared));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    await expectRefused(await send('192.0.2.1', text), 429, 'rate_limited');
    expect((await send('192.0.2.2', text)).status).toBe(200);
    now += 30 * SECOND;
    expect((await send('192.0.2.1', text)).status).toBe(200);
    await instance.stop();
  });

  test('counts what a chunked body may have at first, and in the end what arrived', async () => {
    const instance = await start(400_000);
    const { type, body } = upload(20_000);
    const whole = String(body);
    // The memory that is reserved for a chunked body counts as well, here 100,000 bytes.
    for (const [sent, status] of [
      [whole, 200],
      [whole.slice(0, -10), 400],
      [whole, 200],
      [whole, 429],
    ] as const) {
      expect((await postChunked(instance, instance.owner, type, sent)).status).toBe(status);
    }
    now += MINUTE;
    expect((await postChunked(instance, instance.owner, type, whole)).status).toBe(200);
    await instance.stop();
  });

  test('is limited for an hour too, in which a client waits while others post', async () => {
    const env = { UPLOAD_BYTES_PER_HOUR: '60000', TRUSTED_PROXIES: '127.0.0.1' };
    const instance = await startInstance({ env, monotonic: () => now });
    const { owner, post } = instance;
    const { type, body } = upload(25_000);
    const send = (client: string, Accept = '*/*') =>
      post(owner.form.id, body, { 'Content-Type': type, 'X-Forwarded-For': client, Accept });
    expect((await send('192.0.2.1')).status).toBe(200);
    now += 2 * MINUTE;
    expect((await send('192.0.2.1')).status).toBe(200);
    now += 2 * MINUTE;
    const refused = await send('192.0.2.1');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    await expectRefused(refused, 429, 'rate_limited');
    expect(await (await send('192.0.2.1', 'text/html')).text()).toMatch(/try again in 1\d minutes/);
    expect((await send('192.0.2.2')).status).toBe(200);
    now += seconds * SECOND;
    expect((await send('192.0.2.1')).status).toBe(200);
    await instance.stop();
  });
});
