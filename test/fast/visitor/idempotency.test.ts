import { afterAll, describe, expect, test } from 'bun:test';
import type { FormSettings } from '../../../src/domain/forms/form.ts';
import { type Owner, startInstance } from '../../support/instance.ts';
import { newCanary, placesOf } from './canary.ts';
import { blobNames, filePart } from './files.ts';
import {
  ENCODINGS,
  expectAccepted,
  expectNothingKept,
  expectRefused,
  kept,
  multipart,
  pause,
  type Sent,
  textPart,
  URLENCODED,
  used,
  whole,
} from './helpers.ts';
import { exchange, head } from './wire.ts';

const DAY = 24 * 3_600_000_000;
const JSON_TYPE = 'application/json';

/** Time of the test clock: the middle of a month, so that a day later is in the same month. */
let now = Date.UTC(2026, 4, 15, 12) * 1_000;

const PLANS = JSON.stringify({ one: { api_access: true, submissions_limit: 1 } });
const instance = await startInstance({ env: { PLANS }, clock: () => now });
afterAll(instance.stop);

/** Posts with a key, by default to the owner's form. */
function postUnder(key: string, { form }: Pick<Owner, 'form'>, { type, body }: Sent, headers = {}) {
  return instance.post(form.id, body, { 'Content-Type': type, 'Idempotency-Key': key, ...headers });
}

const json = (value: unknown): Sent => ({ type: JSON_TYPE, body: JSON.stringify(value) });
const urlencoded = (body: string): Sent => ({ type: URLENCODED, body });

async function makeForm(settings: Partial<FormSettings> = {}, plan?: string) {
  const owner = await instance.makeOwner(plan);
  return { ...owner, form: await instance.makeForm(owner, settings) };
}

async function expectKept(owner: Owner, count: number) {
  expect(await kept(instance, owner)).toHaveLength(count);
  expect(await used(instance, owner)).toBe(count);
}

describe('50 posts at once under one key', () => {
  test.each(ENCODINGS)('with the same content store one submission, as %s', async (_name, encode) => {
    const owner = await instance.makeOwner();
    const posts = Array.from({ length: 50 }, () => postUnder('k', owner, encode([['a', '1']])));
    const answers = await Promise.all(posts);
    const waits = answers.filter(({ status }) => status !== 200);
    expect(answers.length).toBeGreaterThan(waits.length);
    for (const answer of waits) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      await expectRefused(answer, 409, 'idempotency_key_in_use');
    }
    await expectKept(owner, 1);
  });

  test('with 50 different contents store one submission', async () => {
    const owner = await instance.makeOwner();
    const posts = Array.from({ length: 50 }, (_, n) => postUnder('k', owner, json({ n })));
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 409, 422].includes(status))).toEqual([]);
    await expectKept(owner, 1);
  });

  test('with a file store one file', async () => {
    const owner = await instance.makeOwner();
    const before = blobNames(instance).length;
    const sent = multipart([filePart('cv', 'cv.txt', 'x'.repeat(10_000))]);
    const answers = await Promise.all(Array.from({ length: 50 }, () => postUnder('k', owner, sent)));
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    await expectKept(owner, 1);
    expect(blobNames(instance)).toHaveLength(before + 1);
  });
});

test('a post is refused with Retry-After while another one with its key is in progress', async () => {
  const [asked, solved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let questions = 0;
  const fetch = async () => {
    questions++;
    asked.resolve();
    await solved.promise;
    return Response.json({ success: true });
  };
  const service = Bun.serve({ port: 0, fetch });
  const owner = await instance.makeOwner();
  const challenge = { kind: 'custom', secret: 'secret', verifyUrl: service.url.href } as const;
  const guarded = { ...owner, form: await instance.makeForm(owner, {}, challenge) };
  const sent = (a: string) => json({ a, 'captcha-response': 'token' });

  const first = postUnder('k', guarded, sent('1'));
  await asked.promise;
  for (const a of ['1', '2']) {
    const answer = await postUnder('k', guarded, sent(a));
    expect(answer.headers.get('retry-after')).toBe('1');
    await expectRefused(answer, 409, 'idempotency_key_in_use');
  }
  await expectAccepted(await postUnder('k', await instance.makeOwner(), json({ a: '1' })));
  solved.resolve();
  await expectAccepted(await first);
  await expectAccepted(await postUnder('k', guarded, sent('1')));
  await service.stop(true);
  await expectKept(guarded, 1);
  expect(questions).toBe(1);
});

describe('a repeated post with the same key', () => {
  const REDIRECT = 'https://example.com/thanks';

  test.each<[string, Partial<FormSettings>, string, number]>([
    ['JSON', {}, '*/*', 200],
    ['JSON of a form with its own text', { successMessage: 'See you' }, '*/*', 200],
    ['a page', {}, 'text/html', 200],
    ['a redirect', { redirectUrl: REDIRECT }, 'text/html', 303],
    ['JSON that names the redirect', { redirectUrl: REDIRECT }, JSON_TYPE, 200],
  ])('gets the first response again and is not stored again: %s', async (_what, settings, Accept, status) => {
    const owner = await makeForm(settings);
    const first = await whole(await postUnder('k', owner, urlencoded('a=1'), { Accept }));
    const again = await whole(await postUnder('k', owner, urlencoded('a=1'), { Accept }));
    expect(first.status).toBe(status);
    expect(again).toEqual(first);
    await expectKept(owner, 1);
  });

  test('gets the first response also after its submission was deleted', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    const [submission] = await instance.stored(owner);
    await instance.api('DELETE', `/v1/submissions/${submission?.id}`, { key: owner.writeKey });
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    expect(await kept(instance, owner)).toEqual([]);
  });

  test('with other content gets 422 each time', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    for (const a of ['2', '2', '3']) {
      await expectRefused(await postUnder('k', owner, json({ a })), 422, 'idempotency_key_reused');
    }
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    expect(await kept(instance, owner)).toEqual([[['a', '1']]]);
    expect(await used(instance, owner)).toBe(1);
  });

  test('with other content gets a page in the language of the visitor', async () => {
    const owner = await instance.makeOwner();
    await postUnder('k', owner, urlencoded('a=1'));
    const answer = await postUnder('k', owner, urlencoded('a=2'), { Accept: 'text/html', 'Accept-Language': 'de' });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('Dieses Formular wurde bereits mit anderem Inhalt gesendet.');
  });
});

const FILE = filePart('cv', 'cv.txt', 'one', 'text/plain');

test.each<[string, Sent, Sent]>([
  ['in another encoding', json({ a: '1', b: '2' }), urlencoded('a=1&b=2')],
  ['with another boundary', multipart([textPart('a', '1'), FILE]), multipart([textPart('a', '1'), FILE], 'other')],
  [
    'with the heads of its parts in another order',
    multipart([FILE]),
    multipart(['Content-Type: text/plain\r\nContent-Disposition: form-data; filename="cv.txt"; name="cv"\r\n\r\none']),
  ],
  ['with white space in the JSON', json({ a: '1' }), { type: JSON_TYPE, body: ' { "a" : "1" }\n' }],
  [
    'with another challenge token',
    json({ a: '1', 'captcha-response': 'x' }),
    json({ a: '1', 'captcha-response': 'y' }),
  ],
  ['with a token under another name', json({ a: '1', altcha: 'x' }), json({ 'cf-turnstile-response': 'y', a: '1' })],
  ['without the token', json({ a: '1', 'h-captcha-response': 'x' }), json({ a: '1' })],
  ['with another stamp', json({ a: '1', _stamp: 'x' }), json({ a: '1', _stamp: 'y' })],
  ['with an empty trap', json({ a: '1', _honey: '' }), json({ a: '1', _gotcha: '' })],
  [
    'with an empty file input',
    multipart([textPart('a', '1')]),
    multipart([textPart('a', '1'), filePart('cv', '', '')]),
  ],
])('a post counts as the same %s', async (_how, first, again) => {
  const owner = await instance.makeOwner();
  await expectAccepted(await postUnder('k', owner, first));
  await expectAccepted(await postUnder('k', owner, again));
  await expectKept(owner, 1);
});

test.each<[string, Sent, Sent]>([
  ['value', json({ a: '1' }), json({ a: '2' })],
  ['type of value', json({ a: '1' }), json({ a: 1 })],
  ['name', json({ a: '1' }), json({ b: '1' })],
  ['field more', json({ a: '1' }), json({ a: '1', b: '' })],
  ['field less', json({ a: '1', b: '2' }), json({ a: '1' })],
  ['order of the values of one field', urlencoded('a=1&a=2'), urlencoded('a=2&a=1')],
  ['number of equal values', urlencoded('a=1&a=1'), urlencoded('a=1')],
  ['cut between name and value', urlencoded('ab=c'), urlencoded('a=bc')],
  ['nested value', json({ a: { b: [1] } }), json({ a: { b: [2] } })],
  ['subject', json({ a: '1', _subject: 'x' }), json({ a: '1', _subject: 'y' })],
  ['content of a file', multipart([FILE]), multipart([filePart('cv', 'cv.txt', 'two', 'text/plain')])],
  ['name of a file', multipart([FILE]), multipart([filePart('cv', 'cv2.txt', 'one', 'text/plain')])],
  ['field of a file', multipart([FILE]), multipart([filePart('photo', 'cv.txt', 'one', 'text/plain')])],
  ['type of a file', multipart([FILE]), multipart([filePart('cv', 'cv.txt', 'one', 'text/csv')])],
  ['number of equal files', multipart([FILE]), multipart([FILE, FILE])],
  ['file in place of a text', multipart([textPart('cv', 'one')]), multipart([FILE])],
])('a post counts as different with another %s', async (_what, first, other) => {
  const owner = await instance.makeOwner();
  await expectAccepted(await postUnder('k', owner, first));
  const files = blobNames(instance);
  await expectRefused(await postUnder('k', owner, other), 422, 'idempotency_key_reused');
  await expectKept(owner, 1);
  expect(blobNames(instance)).toEqual(files);
});

describe('a key', () => {
  test('is independent for each form and team', async () => {
    const owner = await instance.makeOwner();
    const second = { ...owner, form: await instance.makeForm(owner) };
    const stranger = await instance.makeOwner();
    for (const each of [owner, second, stranger]) await expectAccepted(await postUnder('k', each, json({ a: '1' })));
    await expectRefused(await postUnder('k', second, json({ a: '2' })), 422, 'idempotency_key_reused');
    expect(await used(instance, owner)).toBe(2);
    expect(await used(instance, stranger)).toBe(1);
  });

  test('is the same for the id and the short id of a form', async () => {
    const owner = await instance.makeOwner();
    const { id, shortId } = owner.form;
    for (const name of [id, shortId, id]) {
      await expectAccepted(await instance.post(name, { a: '1' }, { 'Idempotency-Key': 'k' }));
    }
    await expectKept(owner, 1);
  });

  test('is valid for 24 hours', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    now += DAY - 1;
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    await expectRefused(await postUnder('k', owner, json({ a: '2' })), 422, 'idempotency_key_reused');
    await expectKept(owner, 1);
    now += 1;
    await expectAccepted(await postUnder('k', owner, json({ a: '2' })));
    await expectKept(owner, 2);
    await expectAccepted(await postUnder('k', owner, json({ a: '2' })));
    await expectRefused(await postUnder('k', owner, json({ a: '1' })), 422, 'idempotency_key_reused');
    await expectKept(owner, 2);
  });

  test.each([
    'k',
    'k'.repeat(255),
    '0',
    '8e03978e-40d5-43e8-bc93-6894a57f9324',
    '"quoted as the draft has it"',
    `!#$%&'*+,-./:;<=>?@[\\]^_\`{|}~`,
  ])('may be %s', async (key) => {
    const owner = await instance.makeOwner();
    await expectAccepted(await postUnder(key, owner, json({ a: '1' })));
    await expectRefused(await postUnder(key, owner, json({ a: '2' })), 422, 'idempotency_key_reused');
    await expectKept(owner, 1);
  });

  test.each([
    ['of 256 characters', 'k'.repeat(256)],
    ['with a tab', 'a\tb'],
    ['beyond ASCII', 'clé'],
  ])('%s is refused', async (_what, key) => {
    const owner = await instance.makeOwner();
    await expectRefused(await postUnder(key, owner, json({ a: '1' })), 400, 'invalid_idempotency_key');
    await expectNothingKept(instance, owner);
  });

  test.each(['Idempotency-Key:', 'Idempotency-Key:  '])(
    'that is empty is refused: whoever sends "%s" counts on being kept once',
    async (line) => {
      const owner = await instance.makeOwner();
      const start = head(owner.form.id, `Content-Type: ${JSON_TYPE}`, 'Content-Length: 9', line);
      await expectRefused(await exchange(instance, start, '{"a":"1"}'), 400, 'invalid_idempotency_key');
      await expectNothingKept(instance, owner);
    },
  );

  test('and its content are unreadable in the data directory and the log', async () => {
    const own = await startInstance({ env: { LOG_LEVEL: 'debug' } });
    const [key, content] = [newCanary(), newCanary()];
    const hashes = [key, content].map((text) => new Bun.CryptoHasher('sha256').update(text).digest('hex'));
    for (const a of [content, content, 'other']) {
      await own.post(own.owner.form.id, { a }, { 'Idempotency-Key': key });
    }
    const found = [key, content, ...hashes].flatMap((text) => placesOf(text, own));
    const rows = await own.stored(own.owner);
    await own.stop();
    expect(rows).toHaveLength(1);
    expect(found).toEqual([]);
  });
});

describe('a key can be used again', () => {
  test('after a post that was refused as empty', async () => {
    const owner = await instance.makeOwner();
    await expectRefused(await postUnder('k', owner, json({})), 400, 'empty_submission');
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    await expectKept(owner, 1);
  });

  test("after a post that broke the form's rules", async () => {
    const fields = [{ name: 'a', label: 'A', type: 'number', required: true }];
    const owner = await makeForm({ fields, enforcesRules: true });
    await expectRefused(await postUnder('k', owner, json({ a: 'x' })), 400, 'invalid_fields');
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    await expectKept(owner, 1);
  });

  test('after a post beyond the cap', async () => {
    const owner = await instance.makeOwner('one');
    await expectAccepted(await postUnder('first', owner, json({ a: '1' })));
    await expectRefused(await postUnder('k', owner, json({ a: '2' })), 429, 'submission_cap_reached');
    await instance.context.store.teams.update(owner.teamId, { plan: 'unlimited' });
    await expectAccepted(await postUnder('k', owner, json({ a: '3' })));
    await expectKept(owner, 2);
  });

  test('after a post with a filled honeypot', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await postUnder('k', owner, json({ a: '1', _honey: 'x' })));
    await expectNothingKept(instance, owner);
    await expectAccepted(await postUnder('k', owner, json({ a: '2' })));
    expect(await kept(instance, owner)).toEqual([[['a', '2']]]);
  });
});

describe('a replay', () => {
  test('is answered for a team at its cap', async () => {
    const owner = await instance.makeOwner('one');
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    await expectRefused(await postUnder('l', owner, json({ a: '1' })), 429, 'submission_cap_reached');
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    await expectKept(owner, 1);
  });

  test('is not answered by a paused form', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    await pause(instance, owner);
    await expectRefused(await postUnder('k', owner, json({ a: '1' })), 403, 'form_paused');
    await expectKept(owner, 1);
  });

  test('is not answered for a page whose origin is not allowed', async () => {
    const owner = await makeForm({ allowedOrigins: ['https://a.example'] });
    await expectAccepted(await postUnder('k', owner, json({ a: '1' }), { Origin: 'https://a.example' }));
    const elsewhere = await postUnder('k', owner, json({ a: '1' }), { Origin: 'https://b.example' });
    expect(elsewhere.status).toBe(403);
    await expectKept(owner, 1);
  });

  test('with a filled honeypot is dropped like any other', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await postUnder('k', owner, json({ a: '1' })));
    await expectAccepted(await postUnder('k', owner, json({ a: '2', _honey: 'x' })));
    await expectKept(owner, 1);
  });
});
