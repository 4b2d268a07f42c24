import { afterAll, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { addressOf, keep, managementRoutes, queryOf } from './support.ts';

const instance = await startInstance({ env: { READS_PER_MINUTE: '1000' } });
afterAll(instance.stop);
const { api, owner } = instance;
const { readKey, writeKey, form } = owner;
const ids = { formId: form.id, submissionId: await keep(instance, owner) };

const STREAMS = ['/v1/forms/:formId/export', '/v1/submissions/:submissionId/files/:fileId'];
const reads = managementRoutes(instance).filter(({ method, path }) => method === 'GET' && !STREAMS.includes(path));

const get = (path: string, tag?: string, method = 'GET') =>
  api(method, path, { key: readKey, headers: tag === undefined ? {} : { 'If-None-Match': tag } });

test.each(reads)('$name has a strong ETag, and 304 with the same headers', async ({ name, path }) => {
  const address = addressOf(path, ids) + queryOf(name);
  const first = await get(address);
  if (first.status === 404) return;
  const tag = first.headers.get('etag') ?? '';
  expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{43}"$/)]);
  const again = await get(address, tag);
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
  for (const header of ['cache-control', 'ratelimit-policy', 'x-content-type-options']) {
    expect([header, again.headers.get(header)]).toEqual([header, first.headers.get(header)]);
  }
  const head = await get(address, undefined, 'HEAD');
  expect([head.status, head.headers.get('etag')]).toEqual([200, tag]);
});

test.each([
  ['"other"', 200],
  ['*', 304],
  ['W/TAG', 304],
  ['"a", TAG, "b"', 304],
  ['', 200],
])('If-None-Match: %s returns %i', async (header, status) => {
  const tag = (await get('/v1/forms')).headers.get('etag') ?? '';
  expect((await get('/v1/forms', header.replace('TAG', tag))).status).toBe(status);
});

test('the ETag changes with the response', async () => {
  const path = `/v1/forms/${form.id}`;
  const tag = (await get(path)).headers.get('etag') ?? '';
  await api('PATCH', path, { key: writeKey, body: { name: 'Changed' } });
  const changed = await get(path, tag);
  expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false]);
});

test('a 304 counts as a read, and refusals and changes have no ETag', async () => {
  const { secret } = await instance.makeKey(owner, 'read_write');
  const one = await api('GET', '/v1/usage', { key: secret });
  const headers = { 'If-None-Match': one.headers.get('etag') ?? '' };
  const two = await api('GET', '/v1/usage', { key: secret, headers });
  expect(two.status).toBe(304);
  expect(two.headers.get('RateLimit')).toContain('r=998');
  expect((await get('/v1/forms/frm_unknown', '*')).status).toBe(404);
  const patch = await api('PATCH', `/v1/forms/${form.id}`, { key: writeKey, body: { name: 'A' }, headers });
  expect([patch.status, patch.headers.get('etag')]).toEqual([200, null]);
});
