import { describe, expect, test } from 'bun:test';
import { type Instance, startInstance } from '../../support/instance.ts';
import { expectAccepted, expectRefused, kept, used } from './helpers.ts';

/** An instance that takes three posts a minute from each client. */
async function withThreeAMinute(run: (instance: Instance) => Promise<void>, env: Record<string, string> = {}) {
  const instance = await startInstance({ env: { POSTS_PER_MINUTE: '3', ...env } });
  try {
    await run(instance);
  } finally {
    await instance.stop();
  }
}

const statuses = async (posts: ReadonlyArray<() => Promise<Response>>) => {
  const found: number[] = [];
  for (const post of posts) found.push((await post()).status);
  return found;
};

/** One post for each `X-Forwarded-For`. */
const forwarded = ({ post, owner }: Instance, addresses: readonly string[]) =>
  statuses(addresses.map((address) => () => post(owner.form.id, { a: '1' }, { 'X-Forwarded-For': address })));

test('the fourth post in a minute is 429 with Retry-After, readable from any page, and is not stored', () =>
  withThreeAMinute(async (instance) => {
    const { owner, post } = instance;
    for (let count = 1; count <= 3; count++) await expectAccepted(await post(owner.form.id, { a: '1' }));
    const refused = await post(owner.form.id, { a: '4' }, { Origin: 'https://shop.example' });
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
    await expectRefused(refused, 429, 'rate_limited');
    expect(await kept(instance, owner)).toHaveLength(3);
    expect(await used(instance, owner)).toBe(3);
  }));

test('every post counts, to whichever form and however it ends', () =>
  withThreeAMinute(async ({ owner, post }) => {
    expect((await post('frm_unknown', { a: '1' })).status).toBe(404);
    expect((await post(owner.form.id, {})).status).toBe(400);
    expect((await post(owner.form.id, { _honey: 'x' })).status).toBe(200);
    await expectRefused(await post(owner.form.id, { a: '1' }), 429, 'rate_limited');
  }));

test('is 429 before an unknown form is 404 and a honeypot is success', () =>
  withThreeAMinute(async ({ owner, post }) => {
    for (let count = 1; count <= 3; count++) await post(owner.form.id, { a: '1' });
    await expectRefused(await post('frm_unknown', { a: '1' }), 429, 'rate_limited');
    await expectRefused(await post(owner.form.id, { _honey: 'x' }), 429, 'rate_limited');
  }));

test('preflights and reads are not posts', () =>
  withThreeAMinute(async ({ url, owner, post, api }) => {
    const path = `/v1/forms/${owner.form.id}/submissions`;
    for (let count = 1; count <= 5; count++) {
      expect((await fetch(url + path, { method: 'OPTIONS' })).status).toBe(204);
      expect((await api('GET', path, { key: owner.readKey })).status).toBe(200);
    }
    await expectAccepted(await post(owner.form.id, { a: '1' }));
  }));

test('posts at the same moment are counted one by one', () =>
  withThreeAMinute(async (instance) => {
    const { owner, post } = instance;
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(owner.form.id, { a: '1' })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(17);
    expect(await kept(instance, owner)).toHaveLength(3);
  }));

test('0 switches the rate off', () =>
  withThreeAMinute(
    async (instance) => {
      const { owner, post } = instance;
      for (let count = 1; count <= 5; count++) await expectAccepted(await post(owner.form.id, { a: '1' }));
      expect(await kept(instance, owner)).toHaveLength(5);
    },
    { POSTS_PER_MINUTE: '0' },
  ));

describe('X-Forwarded-For', () => {
  test('is not believed unless the peer is a trusted proxy', async () => {
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    await withThreeAMinute(async (instance) => {
      expect(await forwarded(instance, addresses)).toEqual([200, 200, 200, 429]);
    });
    await withThreeAMinute(
      async (instance) => expect(await forwarded(instance, addresses)).toEqual([200, 200, 200, 429]),
      { TRUSTED_PROXIES: '10.0.0.0/8' },
    );
  });

  test('tells the clients behind a trusted proxy apart', () =>
    withThreeAMinute(
      async (instance) => {
        const first = Array(4).fill('192.0.2.1');
        expect(await forwarded(instance, first)).toEqual([200, 200, 200, 429]);
        expect(await forwarded(instance, ['192.0.2.2', '192.0.2.2'])).toEqual([200, 200]);
        expect(await kept(instance, instance.owner)).toHaveLength(5);
      },
      { TRUSTED_PROXIES: '127.0.0.1' },
    ));

  test('is believed only from its right end: what a client wrote before is ignored', () =>
    withThreeAMinute(
      async (instance) => {
        const spoofed = [1, 2, 3, 4].map((last) => `198.51.100.${last}, 192.0.2.1`);
        expect(await forwarded(instance, spoofed)).toEqual([200, 200, 200, 429]);
        expect(await forwarded(instance, ['192.0.2.1, 192.0.2.2'])).toEqual([200]);
      },
      { TRUSTED_PROXIES: '127.0.0.1' },
    ));

  test('counts the addresses of one IPv6 /64 as one client', () =>
    withThreeAMinute(
      async (instance) => {
        const neighbours = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8::4'];
        expect(await forwarded(instance, neighbours)).toEqual([200, 200, 200, 429]);
        expect(await forwarded(instance, ['2001:db8:0:1::1'])).toEqual([200]);
      },
      { TRUSTED_PROXIES: '127.0.0.1' },
    ));
});
