import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import {
  ENCODINGS,
  expectAccepted,
  expectNothingKept,
  expectRefused,
  kept,
  pause,
  URLENCODED,
  used,
  whole,
} from './helpers.ts';
import { exchange, head } from './wire.ts';

const ALLOWED = 'https://a.example';
const PAGE = { 'Content-Type': URLENCODED, Accept: 'text/html' };

const instance = await startInstance({ env: { MAX_BODY_BYTES: '2000', MAX_UPLOAD_BYTES: '2000' } });
afterAll(instance.stop);

type Sent = Record<string, string>;

/** Creates a team with one form that by default accepts posts from `ALLOWED` only. */
async function guarded(allowedOrigins: readonly string[] = [ALLOWED]) {
  const owner = await instance.makeOwner();
  return { ...owner, form: await instance.makeForm(owner, { allowedOrigins }) };
}

async function expectForbidden(response: Response) {
  const { message, ...body } = (await response.json()) as { message: string };
  expect([response.status, body]).toEqual([403, { success: false, code: 'origin_not_allowed' }]);
  expect(message).toBe('This form does not accept submissions from this page.');
}

describe('a form with allowed origins accepts a post', () => {
  test.each<[string, Sent]>([
    ['its Origin', { Origin: ALLOWED }],
    ['its Referer, where there is no Origin', { Referer: `${ALLOWED}/contact?a=1` }],
    ['a Referer without a path', { Referer: ALLOWED }],
    ['a Referer that writes the same origin in another way', { Referer: 'HTTPS://A.Example:443/contact' }],
    ['its Origin, whatever the Referer', { Origin: ALLOWED, Referer: 'https://evil.example/' }],
  ])('from an allowed page by %s', async (_by, headers) => {
    const owner = await guarded();
    await expectAccepted(await instance.post(owner.form.id, { a: '1' }, headers));
    expect(await kept(instance, owner)).toEqual([[['a', '1']]]);
  });

  test('from each of them, also by short id, and from no other', async () => {
    const second = 'http://localhost:8080';
    const owner = await guarded([ALLOWED, second]);
    await expectAccepted(await instance.post(owner.form.id, { a: '1' }, { Origin: ALLOWED }));
    await expectAccepted(await instance.post(owner.form.shortId, { a: '2' }, { Origin: second }));
    await expectForbidden(await instance.post(owner.form.shortId, { a: '3' }, { Origin: 'http://localhost' }));
    expect(await used(instance, owner)).toBe(2);
  });
});

describe('a form with allowed origins refuses a post, and stores and counts nothing,', () => {
  test.each([
    'https://b.example',
    'http://a.example',
    'https://a.example:8443',
    'https://www.a.example',
    'https://a.example.evil.test',
    'https://evila.example',
    'https://a.example/',
    'https://a.example:443',
    'HTTPS://A.EXAMPLE',
    'https://a.example, https://b.example',
    '*',
    'null',
  ])('from Origin: %s', async (Origin) => {
    const owner = await guarded();
    await expectForbidden(await instance.post(owner.form.id, { a: '1' }, { Origin }));
    await expectNothingKept(instance, owner);
  });

  test.each([
    'https://b.example/',
    'http://a.example/',
    'https://a.example:8443/',
    'https://www.a.example/',
    'https://a.example.evil.test/',
    'https://evila.example/',
    'https://evil.test/https://a.example/',
    'https://evil.test/?https://a.example',
    'https://a.example@evil.test/',
    'a.example',
    '//a.example/',
    'null',
    'about:blank',
    'https://',
    '%%%',
  ])('from Referer: %s', async (Referer) => {
    const owner = await guarded();
    await expectForbidden(await instance.post(owner.form.id, { a: '1' }, { Referer }));
    await expectNothingKept(instance, owner);
  });

  test.each<[string, Sent]>([
    ['with neither header', {}],
    ['with another Origin, whatever the Referer', { Origin: 'https://b.example', Referer: `${ALLOWED}/` }],
    ['with a hidden Origin, whatever the Referer', { Origin: 'null', Referer: `${ALLOWED}/` }],
    ['with an allowed Host alone', { Host: 'a.example' }],
    ['with an allowed X-Forwarded-Host alone', { 'X-Forwarded-Host': 'a.example', 'X-Forwarded-Proto': 'https' }],
  ])('%s', async (_case, headers) => {
    const owner = await guarded();
    await expectForbidden(await instance.post(owner.form.id, { a: '1' }, headers));
    await expectNothingKept(instance, owner);
  });

  test.each(ENCODINGS)('as %s', async (_name, encode) => {
    const owner = await guarded();
    const { type, body } = encode([['a', '1']]);
    await expectForbidden(await instance.post(owner.form.id, body, { 'Content-Type': type, Origin: 'null' }));
    await expectNothingKept(instance, owner);
  });

  test('with an empty Origin header', async () => {
    const owner = await guarded();
    const headers = ['Content-Type: application/json', 'Content-Length: 9'];
    const start = head(owner.form.id, ...headers, 'Origin:', `Referer: ${ALLOWED}/`);
    await expectForbidden(await exchange(instance, start, '{"a":"1"}'));
    await expectNothingKept(instance, owner);
  });

  test('with a page in the language of the visitor', async () => {
    const owner = await guarded();
    const answer = await instance.post(owner.form.id, 'a=1', { ...PAGE, 'Accept-Language': 'de' });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('Dieses Formular nimmt keine Nachrichten von dieser Seite an.');
    await expectNothingKept(instance, owner);
  });

  test('before the body has arrived', async () => {
    const { form } = await guarded();
    const { hostname, port } = new URL(instance.url);
    const answer = Promise.withResolvers<string>();
    const data = (_socket: unknown, bytes: Buffer) => answer.resolve(String(bytes));
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data } });
    socket.write(head(form.id, 'Content-Type: application/json', 'Content-Length: 100'));
    expect(await answer.promise).toStartWith('HTTP/1.1 403 ');
    socket.end();
  });
});

describe('the check of the origin', () => {
  const elsewhere = { Origin: 'https://b.example' };

  test('runs after the check of the declared length', async () => {
    const { form } = await guarded();
    const answer = await instance.post(form.id, 'x'.repeat(2_001), { ...elsewhere, 'Content-Type': URLENCODED });
    await expectRefused(answer, 413, 'body_too_large');
  });

  test('runs after the check for an unknown form', async () => {
    await expectRefused(await instance.post('frm_unknown', { a: '1' }, elsewhere), 404, 'form_not_found');
  });

  test('runs after the check for a paused form', async () => {
    const owner = await guarded();
    await pause(instance, owner);
    const answer = await instance.post(owner.form.id, { a: '1' }, elsewhere);
    expect((await answer.json()) as object).toMatchObject({ code: 'form_paused' });
  });

  test.each<[string, string | null, Sent]>([
    ['zero bytes', '', { 'Content-Type': URLENCODED }],
    ['zero bytes of an unknown type', '', { 'Content-Type': 'text/xml' }],
    ['no body at all', null, {}],
    ['an unknown type', '<a/>', { 'Content-Type': 'text/xml' }],
    ['a body that cannot be read', '{', { 'Content-Type': 'application/json' }],
    ['an empty form', '{}', { 'Content-Type': 'application/json' }],
    ['a bad Idempotency-Key', '{"a":"1"}', { 'Content-Type': 'application/json', 'Idempotency-Key': 'k'.repeat(256) }],
  ])('runs before the check for %s', async (_case, body, headers) => {
    const { form } = await guarded();
    await expectForbidden(await instance.post(form.id, body, { ...headers, ...elsewhere }));
  });

  test('runs before the honeypot, so that other pages learn nothing from it', async () => {
    const { form } = await guarded();
    const answers = [{ a: '1' }, { a: '1', _honey: 'x' }].map(async (fields) => {
      const { headers, ...answer } = await whole(await instance.post(form.id, fields, elsewhere));
      return { ...answer, headers: headers.filter(([name]) => name !== 'x-request-id') };
    });
    const [plain, trapped] = await Promise.all(answers);
    expect(trapped).toEqual(plain);
    expect(plain?.status).toBe(403);
  });
});

test('a form without allowed origins accepts posts from any origin', async () => {
  const owner = await guarded([]);
  for (const headers of [{}, { Origin: 'null' }, { Origin: 'https://b.example' }, { Referer: '%%%' }]) {
    await expectAccepted(await instance.post(owner.form.id, { a: '1' }, headers as Sent));
  }
  expect(await kept(instance, owner)).toHaveLength(4);
});

test('a change of the allowed origins applies to the next post', async () => {
  const owner = await guarded();
  const other = { Origin: 'https://b.example' };
  await expectForbidden(await instance.post(owner.form.id, { a: '1' }, other));
  await instance.context.store.forms.update(owner.form.id, { allowedOrigins: [other.Origin] });
  await expectAccepted(await instance.post(owner.form.id, { a: '2' }, other));
  await expectForbidden(await instance.post(owner.form.id, { a: '3' }, { Origin: ALLOWED }));
  expect(await kept(instance, owner)).toEqual([[['a', '2']]]);
});
