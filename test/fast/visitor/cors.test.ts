import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { expectNothingKept, pause, URLENCODED } from './helpers.ts';

const ORIGIN = 'https://shop.example';

const instance = await startInstance({ env: { PLANS: '{"none":{"api_access":true,"submissions_limit":0}}' } });
afterAll(instance.stop);

const preflight = (id: string, method = 'POST', origin = ORIGIN) =>
  fetch(`${instance.url}/v1/forms/${id}/submissions`, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'content-type',
    },
  });

function expectReadableFromAnyPage({ headers }: Response) {
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.has('access-control-allow-credentials')).toBe(false);
}

test('a preflight from any origin allows POST only, any header, and no credentials', async () => {
  const owner = await instance.makeOwner();
  const response = await preflight(owner.form.id);
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-methods')).toBe('POST');
  expect(response.headers.get('access-control-allow-headers')).toBe('*');
  expectReadableFromAnyPage(response);
  await expectNothingKept(instance, owner);
});

test.each(['GET', 'DELETE', 'PATCH'])('a preflight for %s is not allowed', async (method) => {
  const { form } = await instance.makeOwner();
  expect((await preflight(form.id, method)).headers.get('access-control-allow-methods')).toBe('POST');
});

test('a preflight does not reveal whether the form exists', async () => {
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

describe('a form with allowed origins:', () => {
  const OTHER = 'https://evil.example';
  const REDIRECT = 'https://shop.example/thanks';

  const formOf = async (settings = {}, plan?: string) => {
    const owner = await instance.makeOwner(plan);
    return { ...owner, form: await instance.makeForm(owner, { allowedOrigins: [ORIGIN], ...settings }) };
  };

  function expectReadableFrom(origin: string | null, { headers }: Response) {
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('vary')).toBe('Origin');
    expect(headers.has('access-control-allow-credentials')).toBe(false);
  }

  test('a success is readable from the page that sent it', async () => {
    const second = 'http://localhost:3000';
    const { form } = await formOf({ allowedOrigins: [ORIGIN, second] });
    for (const Origin of [ORIGIN, second]) {
      const response = await instance.post(form.id, { a: '1' }, { Origin });
      expect(response.status).toBe(200);
      expectReadableFrom(Origin, response);
    }
  });

  test('a success for a page known only by its Referer allows no origin and sends Vary', async () => {
    const { form } = await formOf();
    const response = await instance.post(form.id, { a: '1' }, { Referer: `${ORIGIN}/contact` });
    expect(response.status).toBe(200);
    expectReadableFrom(null, response);
  });

  test('a redirect is readable from the page that sent the form', async () => {
    const { form } = await formOf({ redirectUrl: REDIRECT });
    const response = await instance.post(form.id, { a: '1' }, { Origin: ORIGIN, Accept: '*/*' });
    expect([response.status, response.headers.get('location')]).toEqual([303, REDIRECT]);
    expectReadableFrom(ORIGIN, response);
  });

  test('the response to a honeypot hit is readable like a success', async () => {
    const { form } = await formOf();
    const response = await instance.post(form.id, { a: '1', _honey: 'x' }, { Origin: ORIGIN });
    expect(response.status).toBe(200);
    expectReadableFrom(ORIGIN, response);
  });

  test('every refusal is readable from an allowed page only', async () => {
    const { form } = await formOf();
    const paused = await formOf();
    await pause(instance, paused);
    const capped = await formOf({}, 'none');
    const posts = [
      [400, form.id, '{}', 'application/json'],
      [403, paused.form.id, '{"a":"1"}', 'application/json'],
      [413, form.id, `a=${'x'.repeat(1024 * 1024)}`, URLENCODED],
      [415, form.id, 'x', 'text/xml'],
      [429, capped.form.id, '{"a":"1"}', 'application/json'],
    ] as const;
    for (const [status, id, body, type] of posts) {
      const readable = await instance.post(id, body, { Origin: ORIGIN, 'Content-Type': type });
      expect(readable.status).toBe(status);
      expectReadableFrom(ORIGIN, readable);
      const forbidden = await instance.post(id, body, { Origin: OTHER, 'Content-Type': type });
      expect(forbidden.status).toBe(403);
      expectReadableFrom(null, forbidden);
    }
  });

  test.each(['null', '*', 'https://shop.example.evil.example', ''])(
    'no response is readable from %p',
    async (origin) => {
      const { form } = await formOf();
      expectReadableFrom(null, await instance.post(form.id, { a: '1' }, { Origin: origin }));
      expectReadableFrom(null, await preflight(form.id, 'POST', origin));
    },
  );

  test('a refusal before the form lookup is readable from any page, since it reveals nothing about the form', async () => {
    const { form } = await formOf();
    const huge = 'x'.repeat(25 * 1024 * 1024 + 1);
    const response = await instance.post(form.id, huge, { Origin: OTHER, 'Content-Type': URLENCODED });
    expect(response.status).toBe(413);
    expectReadableFromAnyPage(response);
  });

  test('a preflight allows only an allowed page', async () => {
    const { form } = await formOf();
    const allowed = await preflight(form.id);
    expect([allowed.status, allowed.headers.get('access-control-allow-methods')]).toEqual([204, 'POST']);
    expectReadableFrom(ORIGIN, allowed);
    expectReadableFrom(ORIGIN, await preflight(form.shortId));
    expectReadableFrom(null, await preflight(form.id, 'POST', OTHER));
  });

  test.each<[string, string | null, string]>([
    ['a success', ORIGIN, 'a=1'],
    ['a refusal', ORIGIN, ''],
    ['a refusal of the page', null, 'a=1'],
  ])('%s as a page sends Vary with Origin and the headers that select the page', async (_what, readable, body) => {
    const { form } = await formOf();
    const headers = { Accept: 'text/html', 'Content-Type': URLENCODED, Origin: readable ?? OTHER };
    const response = await instance.post(form.id, body, headers);
    expect(response.headers.get('content-type')).toStartWith('text/html');
    expect(response.headers.get('access-control-allow-origin')).toBe(readable);
    expect(response.headers.get('vary')).toBe('Origin, Accept, Accept-Language');
  });
});

test('a form without allowed origins sends no Vary: Origin', async () => {
  const { form } = await instance.makeOwner();
  const answers = [
    await instance.post(form.id, { a: '1' }, { Origin: ORIGIN }),
    await instance.post(form.id, {}, { Origin: ORIGIN }),
    await preflight(form.id),
  ];
  expect(answers.map(({ headers }) => headers.get('vary'))).toEqual([null, null, null]);
});
