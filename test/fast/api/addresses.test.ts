import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { addressOf, keep, managementRoutes, refused } from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { api, owner } = instance;
const { readKey, writeKey } = owner;
const ids = { formId: owner.form.id, submissionId: await keep(instance, owner) };
const routes = managementRoutes(instance).map((route) => ({ ...route, address: addressOf(route.path, ids) }));
const reads = routes.filter(({ method }) => method === 'GET');

describe('an unknown path', () => {
  test.each(['/v1', '/v2/forms', '/v1/form', '/V1/FORMS', '/v1/forms/a/b', '/v1/submission', '/v1/*', '/v1/keys'])(
    '%s answers 404 in the envelope, with and without a key',
    async (path) => {
      await refused(api('GET', path), 404);
      await refused(api('PATCH', path, { key: writeKey, body: { name: 'A' } }), 404);
    },
  );
});

describe('a wrong method', () => {
  test.each([
    ['DELETE', '/v1/forms', 'GET, HEAD, POST'],
    ['OPTIONS', '/v1/forms', 'GET, HEAD, POST'],
    ['PROPFIND', '/v1/forms/', 'GET, HEAD, POST'],
    ['PUT', `/v1/forms/${ids.formId}`, 'DELETE, GET, HEAD, PATCH'],
    ['GET', `/v1/forms/${ids.formId}/restore`, 'POST'],
    ['PUT', `/v1/submissions/${ids.submissionId}`, 'DELETE, GET, HEAD, PATCH'],
    ['POST', '/v1/submissions', 'GET, HEAD'],
    ['DELETE', `/v1/forms/${ids.formId}/submissions`, 'GET, HEAD, OPTIONS, POST'],
    ['PUT', '/v1/workspaces', 'GET, HEAD, POST'],
    ['POST', '/v1/me', 'GET, HEAD'],
    ['PUT', '/v1/usage', 'GET, HEAD'],
  ])('%s %s returns 405 with Allow: %s', async (method, path, allow) => {
    const { headers } = await refused(api(method, path, { key: writeKey }), 405);
    expect(headers.get('Allow')).toBe(allow);
  });
});

describe('HEAD', () => {
  test.each(reads)('$address works with a key, has no body, and returns 401 without a key', async ({ address }) => {
    const get = await api('GET', address, { key: readKey });
    const head = await api('HEAD', address, { key: readKey });
    expect(head.status).toBe(get.status);
    expect(await head.text()).toBe('');
    const refusal = await api('HEAD', address);
    expect([refusal.status, refusal.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
  });

  test('of a form of another team returns 404', async () => {
    const other = await instance.makeOwner();
    expect((await api('HEAD', `/v1/forms/${ids.formId}`, { key: other.readKey })).status).toBe(404);
  });
});

describe('pages of other origins cannot use a key:', () => {
  const corsOf = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

  test.each(reads)('GET $address has no CORS header in any response', async ({ address }) => {
    const headers = { Origin: 'https://evil.example' };
    for (const key of [readKey, undefined]) expect(corsOf(await api('GET', address, { key, headers }))).toEqual([]);
    expect(corsOf(await api('GET', `${address}?limit=0`, { key: readKey, headers }))).toEqual([]);
  });

  test.each(routes)('a preflight for $name is not allowed', async ({ method, address }) => {
    const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': method };
    const answer = await api('OPTIONS', address, { headers });
    const allowed = (answer.headers.get('Access-Control-Allow-Methods') ?? '').split(/, */).filter(Boolean);
    expect(allowed.filter((name) => name !== 'POST')).toEqual([]);
    if (!address.endsWith(`${ids.formId}/submissions`)) expect(corsOf(answer)).toEqual([]);
  });
});

describe('an unusual path', () => {
  const odd = [
    '/v1/forms/',
    '//v1/forms',
    '/v1//forms',
    '/v1/forms//',
    '/v1/forms//submissions',
    `/v1/forms/${ids.formId}/`,
    `/v1/forms/${ids.formId}/submissions/`,
    `/v1/forms/${ids.formId}%00`,
    `/v1/forms/%20${ids.formId}`,
    '/v1/forms/%',
    '/v1/forms/%ZZ',
    '/v1/forms/%C0%80',
    '/v1/forms/%E0%A4%A',
    '/v1/forms/%00',
    '/v1/forms/%2F',
    '/v1/forms/..%2fusage',
    '/v1/forms/%2e%2e/usage',
    '/v1/forms/%ZZ/submissions',
    '/v1/submissions/%FF',
    '/v1/submissions/',
    '/v1/submissions/__proto__',
    '/v1/submissions/%F0%9F%98%80',
    '/v1/%66orms',
    '/v1/usage?%',
    '/v1/usage?=&&==',
    '/v1/usage#x',
    '/v1/forms;a=b',
    `/v1/forms/${'a'.repeat(8_000)}`,
    `/v1/forms/${ids.formId}/submissions?${'limit=1&'.repeat(1_000)}`,
  ];

  test.each(odd)('%s returns no data without a key and never a server error', async (address) => {
    const without = await api('GET', address);
    expect([401, 404]).toContain(without.status);
    expect(await without.json()).toMatchObject({ success: false, statusCode: without.status });
    for (const method of ['GET', 'PATCH', 'DELETE', 'HEAD']) {
      const answer = await api(method, address, { key: writeKey, ...(method === 'PATCH' && { body: {} }) });
      expect(answer.status).toBeLessThan(500);
    }
    // A path with a slash at its end deletes the form.
    await instance.context.store.trash.moveForm(ids.formId, owner.teamId, null);
    expect((await instance.stored(owner)).map(({ id }) => id)).toEqual([ids.submissionId]);
  });
});
