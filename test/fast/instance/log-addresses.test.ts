import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { PASSWORD, signIn } from '../dashboard/signed-in.ts';
import { visitor } from '../dashboard/visitor.ts';

const CLIENT = '203.0.113.9';
const LIMITS = { TRUSTED_PROXIES: '127.0.0.1', POSTS_PER_MINUTE: '1', READS_PER_MINUTE: '1', PAGES_PER_MINUTE: '1' };

const full = await startInstance({ env: { ...LIMITS, LOG_ADDRESSES: 'full' } });
const short = await startInstance({ env: LIMITS });
afterAll(() => Promise.all([full.stop(), short.stop()]));

type Instance = typeof full;

/** Returns the lines about refused clients since the call of `work`. */
async function linesOf({ logs }: Instance, work: () => Promise<unknown>) {
  const before = logs.length;
  await work();
  return logs
    .slice(before)
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === 'client refused');
}

let last = 0;
/** Returns headers of a proxy that forwards an address without earlier requests. */
const newClient = (address = `198.51.100.${++last}`) => ({ 'X-Forwarded-For': address });

const badKey = ({ url }: Instance, headers = newClient()) => fetch(`${url}/v1/forms`, { headers });
const badPassword = (instance: Instance, headers = newClient()) =>
  visitor(instance, headers).post('/dashboard/sign-in', { email: 'nobody@example.com', password: PASSWORD });

describe('with LOG_ADDRESSES=full, one line has the whole address of a client', () => {
  test.each([CLIENT, '2001:db8::7'])('%s with a bad key', async (address) => {
    const lines = await linesOf(full, () => badKey(full, newClient(address)));
    expect(lines).toEqual([
      { time: expect.any(String), level: 'warn', message: 'client refused', address, reason: 'invalid_key' },
    ]);
  });

  test('with a wrong password, and with too many of them', async () => {
    const headers = newClient();
    const lines = await linesOf(full, async () => {
      for (let attempt = 0; attempt < 11; attempt++) await badPassword(full, headers);
    });
    const address = headers['X-Forwarded-For'];
    expect(lines).toMatchObject([
      ...Array(10).fill({ address, reason: 'sign_in_failed' }),
      { address, reason: 'rate_limited' },
    ]);
  });

  test('above the rate of posts, of reads and of pages', async () => {
    const [headers, { cookie }] = [newClient(), await signIn(full, full.owner)];
    const requests = [
      () => full.post(full.owner.form.id, { a: 'b' }, headers),
      () => full.api('GET', '/v1/forms', { key: full.owner.readKey, headers }),
      () => fetch(`${full.url}/dashboard/account`, { headers: { ...headers, Cookie: cookie } }),
    ];
    for (const request of requests) {
      const lines = await linesOf(full, async () => [await request(), await request()]);
      expect(lines).toMatchObject([{ address: headers['X-Forwarded-For'], reason: 'rate_limited' }]);
    }
  });

  test('but not for other refusals', async () => {
    const lines = await linesOf(full, async () => {
      await fetch(`${full.url}/nothing-here`, { headers: newClient() });
      await full.post('frm_unknown', { a: 'b' }, newClient());
    });
    expect(lines).toEqual([]);
  });
});

test('by default no line has a whole address', async () => {
  const lines = await linesOf(short, async () => {
    await badKey(short, newClient(CLIENT));
    await badPassword(short, newClient(CLIENT));
  });
  expect(lines).toEqual([]);
  await until(() => short.logs.some((line) => line.includes('sign-in failed')), 'the failed sign-in in the log');
  expect(short.logs.join('')).not.toContain(CLIENT);
  expect(short.logs.join('')).toContain('203.0.113.x');
});
