import { afterAll, describe, expect, test } from 'bun:test';
import { loadConfig } from '../../../src/config/config.ts';
import { SECOND } from '../../../src/lib/clock.ts';
import { startInstance } from '../../support/instance.ts';
import { dataOf, keep, refused, rows } from './support.ts';

let now = 0;
const instance = await startInstance({
  env: { READS_PER_MINUTE: '120', WRITES_PER_MINUTE: '30' },
  monotonic: () => now,
});
afterAll(instance.stop);
const { api, makeOwner, makeKey } = instance;

const rate = (headers: Headers) => /^"(read|write)";r=(\d+);t=(\d+)$/.exec(headers.get('RateLimit') ?? '');

test('the default limits are 120 reads and 30 writes', () => {
  expect(loadConfig({})).toMatchObject({ readsPerMinute: 120, writesPerMinute: 30 });
});

describe('reads', () => {
  test('share one bucket per key: the 121st across all endpoints is refused', async () => {
    const owner = await makeOwner();
    const id = await keep(instance, owner);
    const form = `/v1/forms/${owner.form.id}`;
    const paths = ['/v1/forms', form, `${form}/submissions`, `/v1/submissions/${id}`, '/v1/workspaces', '/v1/usage'];
    for (let used = 0; used < 120; used++) {
      const { status, headers } = await api('GET', paths[used % 6] ?? '', { key: owner.readKey });
      expect([status, headers.get('RateLimit-Policy')]).toEqual([200, '"read";q=120;w=60']);
      expect(rate(headers)?.slice(1, 3)).toEqual(['read', String(119 - used)]);
    }
    for (const path of paths) await refused(api('GET', path, { key: owner.readKey }), 429);
  });

  test('of a concurrent burst are allowed exactly 120 times', async () => {
    const { readKey } = await makeOwner();
    const burst = Array.from({ length: 200 }, () => api('GET', '/v1/usage', { key: readKey }));
    const passed = (await Promise.all(burst)).filter(({ status }) => status === 200);
    expect(passed).toHaveLength(120);
  });

  test('include HEAD and requests that return 400 or 404', async () => {
    const { form, readKey } = await makeOwner();
    await api('HEAD', '/v1/forms', { key: readKey });
    await refused(api('GET', `/v1/forms/${form.id}/submissions?limit=0`, { key: readKey }), 400);
    const { headers } = await refused(api('GET', '/v1/forms/frm_unknown', { key: readKey }), 404);
    expect(rate(headers)?.[2]).toBe('117');
  });

  test('have Retry-After when refused', async () => {
    const { readKey } = await makeOwner();
    await Promise.all(Array.from({ length: 120 }, () => api('GET', '/v1/usage', { key: readKey })));
    now += 20 * SECOND;
    const { headers } = await refused(api('GET', '/v1/usage', { key: readKey }), 429);
    expect(headers.get('Retry-After')).toBe('40');
    expect(rate(headers)?.slice(1)).toEqual(['read', '0', '40']);
    now += 40 * SECOND - 1;
    await refused(api('GET', '/v1/usage', { key: readKey }), 429);
    now += 1;
    await dataOf(api('GET', '/v1/usage', { key: readKey }));
  });
});

describe('writes', () => {
  test('share one bucket: the 31st of DELETE and PATCH is refused and changes nothing', async () => {
    const owner = await makeOwner();
    const id = await keep(instance, owner);
    const patch = (name: string) => api('PATCH', `/v1/forms/${owner.form.id}`, { key: owner.writeKey, body: { name } });
    for (let used = 0; used < 15; used++) {
      await dataOf(patch(`Name ${used}`));
      const { headers } = await refused(api('DELETE', '/v1/submissions/sub_unknown', { key: owner.writeKey }), 404);
      expect(headers.get('RateLimit-Policy')).toBe('"write";q=30;w=60');
      expect(rate(headers)?.slice(1, 3)).toEqual(['write', String(28 - 2 * used)]);
    }
    await refused(patch('Refused'), 429);
    await refused(api('DELETE', `/v1/submissions/${id}`, { key: owner.writeKey }), 429);
    expect(rows(instance, 'SELECT name FROM forms WHERE id = ?', owner.form.id)).toEqual([{ name: 'Name 14' }]);
    expect(rows(instance, 'SELECT id FROM submissions WHERE id = ?', id)).toEqual([{ id }]);
  });

  test('and reads have separate buckets', async () => {
    const { form, writeKey } = await makeOwner();
    const read = () => api('GET', '/v1/usage', { key: writeKey });
    const write = () => api('PATCH', `/v1/forms/${form.id}`, { key: writeKey, body: { name: 'A' } });
    await Promise.all(Array.from({ length: 30 }, write));
    await refused(write(), 429);
    expect(rate((await read()).headers)?.slice(1, 3)).toEqual(['read', '119']);

    const { form: second, writeKey: secondKey } = await makeOwner();
    await Promise.all(Array.from({ length: 121 }, () => api('GET', '/v1/usage', { key: secondKey })));
    await dataOf(api('PATCH', `/v1/forms/${second.id}`, { key: secondKey, body: { name: 'A' } }));
  });
});

test('each key of a team has its own buckets', async () => {
  const owner = await makeOwner();
  await Promise.all(Array.from({ length: 121 }, () => api('GET', '/v1/usage', { key: owner.readKey })));
  await refused(api('GET', '/v1/usage', { key: owner.readKey }), 429);
  const { secret } = await makeKey(owner);
  expect(rate((await api('GET', '/v1/usage', { key: secret })).headers)?.[2]).toBe('119');
});

describe('the headers', () => {
  test('are on every response to a valid key: 200, 400, 403, 404, 413, 429', async () => {
    const { form, readKey, writeKey } = await makeOwner();
    const free = await makeOwner('free');
    const path = `/v1/forms/${form.id}`;
    const answers = [
      await api('GET', path, { key: readKey }),
      await api('GET', `${path}/submissions?before=x`, { key: readKey }),
      await api('PATCH', path, { key: writeKey, body: '{' }),
      await api('PATCH', path, { key: readKey, body: '{' }),
      await api('GET', path, { key: free.readKey }),
      await api('GET', '/v1/submissions/sub_unknown', { key: readKey }),
      await api('PATCH', path, { key: writeKey, body: ' '.repeat(65_537) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 403, 403, 404, 413]);
    for (const { headers } of answers) {
      expect(rate(headers)).not.toBeNull();
      expect(headers.get('RateLimit-Policy')).toMatch(/^"(read|write)";q=\d+;w=60$/);
      expect(headers.get('Retry-After')).toBeNull();
    }
  });

  test('are absent without a valid key', async () => {
    const { headers } = await refused(api('GET', '/v1/forms'), 401);
    expect([headers.get('RateLimit'), headers.get('RateLimit-Policy')]).toEqual([null, null]);
  });

  test('are absent if the limit is off, and no read is refused', async () => {
    const unlimited = await startInstance({ env: { READS_PER_MINUTE: '0', WRITES_PER_MINUTE: '30' } });
    const { readKey } = unlimited.owner;
    const burst = Array.from({ length: 200 }, () => unlimited.api('GET', '/v1/usage', { key: readKey }));
    for (const { status, headers } of await Promise.all(burst)) {
      expect([status, headers.get('RateLimit'), headers.get('RateLimit-Policy')]).toEqual([200, null, null]);
    }
    await unlimited.stop();
  });
});
