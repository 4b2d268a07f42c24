import { afterAll, expect, test } from 'bun:test';
import { startInstance } from '../support/instance.ts';
import { expectNothingKept, pause } from './helpers.ts';

const ORIGIN = 'https://shop.example';

const instance = await startInstance({ env: { PLANS: '{"none":{"api_access":true,"submissions_limit":0}}' } });
afterAll(instance.stop);

const preflight = (id: string, method = 'POST') =>
  fetch(`${instance.url}/v1/forms/${id}/submissions`, {
    method: 'OPTIONS',
    headers: {
      Origin: ORIGIN,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'content-type',
    },
  });

function expectReadableFromAnyPage({ headers }: Response) {
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.has('access-control-allow-credentials')).toBe(false);
}

test('a preflight from any origin is answered: POST alone, any header, no credentials', async () => {
  const owner = await instance.makeOwner();
  const response = await preflight(owner.form.id);
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-methods')).toBe('POST');
  expect(response.headers.get('access-control-allow-headers')).toBe('*');
  expectReadableFromAnyPage(response);
  await expectNothingKept(instance, owner);
});

test.each(['GET', 'DELETE', 'PATCH'])('a preflight for %s is not told that it may', async (method) => {
  const { form } = await instance.makeOwner();
  expect((await preflight(form.id, method)).headers.get('access-control-allow-methods')).toBe('POST');
});

test('a preflight does not tell whether the form exists', async () => {
  const { form } = await instance.makeOwner();
  const facts = ({ status, headers }: Response) => [status, [...headers].filter(([name]) => name !== 'date')];
  expect(facts(await preflight('frm_unknown'))).toEqual(facts(await preflight(form.id)));
});

test.each(['null', ORIGIN, 'http://localhost:8080'])('a success is readable from the origin %s', async (Origin) => {
  const { form } = await instance.makeOwner();
  const response = await instance.post(form.id, { a: '1' }, { Origin });
  expect(response.status).toBe(200);
  expectReadableFromAnyPage(response);
});

test('every refusal is readable from any origin', async () => {
  const { form } = await instance.makeOwner();
  const paused = await instance.makeOwner();
  await pause(instance, paused);
  const capped = await instance.makeOwner('none');
  const posts = [
    [400, instance.post(form.id, {}, { Origin: ORIGIN })],
    [403, instance.post(paused.form.id, { a: '1' }, { Origin: ORIGIN })],
    [404, instance.post('frm_unknown', { a: '1' }, { Origin: ORIGIN })],
    [413, instance.post(form.id, 'x'.repeat(1024 * 1024 + 1), { Origin: ORIGIN, 'Content-Type': 'text/plain' })],
    [415, instance.post(form.id, 'x', { Origin: ORIGIN, 'Content-Type': 'text/xml' })],
    [429, instance.post(capped.form.id, { a: '1' }, { Origin: ORIGIN })],
  ] as const;
  for (const [status, post] of posts) {
    const response = await post;
    expect(response.status).toBe(status);
    expectReadableFromAnyPage(response);
  }
});

test('a refusal lets the page read Retry-After', async () => {
  const { form } = await instance.makeOwner('none');
  const response = await instance.post(form.id, { a: '1' }, { Origin: ORIGIN });
  expect(response.headers.has('retry-after')).toBe(true);
  expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After');
});

test.each([['with a key'], ['without a key']])('GET on the same path carries no CORS header, %s', async (how) => {
  const { form, readKey } = await instance.makeOwner();
  const key = how === 'with a key' ? readKey : undefined;
  const response = await instance.api('GET', `/v1/forms/${form.id}/submissions`, { key, headers: { Origin: ORIGIN } });
  expect(response.status).toBe(key ? 200 : 401);
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});
