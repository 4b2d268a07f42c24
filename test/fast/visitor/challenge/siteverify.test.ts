import { afterAll, describe, expect, test } from 'bun:test';
import { CHALLENGES } from '../../../../src/domain/forms/challenge.ts';
import { EN } from '../../../../src/visitor/i18n/en.ts';
import { startInstance } from '../../../support/instance.ts';
import { placesOf } from '../canary.ts';
import { ENCODINGS, expectAccepted, expectNothingKept, expectRefused, kept, send, used } from '../helpers.ts';
import { guardedBy, KINDS, no, postToken, SECRET, saying, startService, TOKEN, yes } from './service.ts';

const instance = await startInstance({ env: { LOG_LEVEL: 'debug' } });
const service = startService();
afterAll(async () => {
  await instance.stop();
  await service.stop();
});

/** Token names: the documented one and those of the widgets. */
const NAMES = Object.values(CHALLENGES).map(({ tokenField }) => tokenField);

describe.each(KINDS)('a form with %s', (kind) => {
  test('stores a post that the service verifies, without the token', async () => {
    const owner = await guardedBy(instance, service.desk(yes), { kind });
    await expectAccepted(await postToken(instance, owner));
    expect(await kept(instance, owner)).toEqual([[['name', 'Ada']]]);
    expect(await used(instance, owner)).toBe(1);
  });

  test('refuses a post that the service rejects', async () => {
    const owner = await guardedBy(instance, service.desk(no), { kind });
    await expectRefused(await postToken(instance, owner), 400, 'challenge_failed');
    await expectNothingKept(instance, owner);
  });

  test('refuses a post without a token, without calling the service', async () => {
    const desk = service.desk(yes);
    const owner = await guardedBy(instance, desk, { kind });
    await expectRefused(await instance.post(owner.form.id, { name: 'Ada' }), 400, 'challenge_missing');
    expect(desk.asked).toEqual([]);
    await expectNothingKept(instance, owner);
  });

  test('tells a browser without script what the check needs', async () => {
    const owner = await guardedBy(instance, service.desk(yes), { kind });
    const answer = await instance.post(owner.form.id, { name: 'Ada' }, { Accept: 'text/html' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`<p class="soft">${EN.hosted.needsScript}</p>`);
    await expectNothingKept(instance, owner);
  });
});

describe('the service', () => {
  test('gets the secret and the token, and no data of the visitor', async () => {
    const desk = service.desk(yes);
    const owner = await guardedBy(instance, desk);
    const visitor = { 'User-Agent': 'visitor-agent', Cookie: 'visitor=1', Referer: 'https://visitor.example/' };
    await expectAccepted(await postToken(instance, owner, TOKEN, { ...visitor, 'X-Forwarded-For': '203.0.113.9' }));
    expect(desk.asked).toHaveLength(1);
    const [{ headers, body } = { headers: new Headers(), body: '' }] = desk.asked;
    expect([...new URLSearchParams(body)]).toEqual([
      ['secret', SECRET],
      ['response', TOKEN],
    ]);
    expect(headers.get('content-type')).toMatch(/^application\/x-www-form-urlencoded\b/);
    expect(JSON.stringify([...headers])).not.toMatch(/visitor|203\.0\.113\.9|Ada/);
  });

  test('is called once for each post', async () => {
    const desk = service.desk(yes);
    const owner = await guardedBy(instance, desk);
    for (const token of ['one', 'two', 'three']) await expectAccepted(await postToken(instance, owner, token));
    expect(desk.asked.map(({ body }) => new URLSearchParams(body).get('response'))).toEqual(['one', 'two', 'three']);
  });

  test.each([
    ['invalid-input-response', 400],
    ['missing-input-response', 400],
    ['timeout-or-duplicate', 200],
    ['expired-input-response', 200],
    ['already-seen-response', 200],
  ])('fails the challenge with %s and HTTP %i', async (code, status) => {
    const answer = saying(JSON.stringify({ success: false, 'error-codes': [code] }), status);
    const owner = await guardedBy(instance, service.desk(answer));
    await expectRefused(await postToken(instance, owner), 400, 'challenge_failed');
    await expectNothingKept(instance, owner);
  });

  test.each([
    [404, 'Token not found'],
    [403, 'Token expired'],
  ])('fails the challenge like Cap, with HTTP %i and "%s"', async (status, error) => {
    const owner = await guardedBy(instance, service.desk(saying(JSON.stringify({ success: false, error }), status)));
    await expectRefused(await postToken(instance, owner), 400, 'challenge_failed');
    await expectNothingKept(instance, owner);
  });
});

describe('a token', () => {
  test.each(NAMES)('is accepted under the name %s and not stored', async (name) => {
    const desk = service.desk(yes);
    const owner = await guardedBy(instance, desk);
    await expectAccepted(await instance.post(owner.form.id, { name: 'Ada', [name]: TOKEN }));
    expect(desk.asked).toHaveLength(1);
    expect(await kept(instance, owner)).toEqual([[['name', 'Ada']]]);
  });

  test.each(ENCODINGS)('is accepted in %s', async (_name, encode) => {
    const desk = service.desk(yes);
    const owner = await guardedBy(instance, desk);
    await expectAccepted(await send(instance, owner, encode(Object.entries({ name: 'Ada', 'cap-token': TOKEN }))));
    expect(new URLSearchParams(desk.asked[0]?.body).get('response')).toBe(TOKEN);
    expect(await kept(instance, owner)).toEqual([[['name', 'Ada']]]);
  });

  test('is accepted if the field of an unused widget is empty', async () => {
    const owner = await guardedBy(instance, service.desk(yes));
    const sent = { name: 'Ada', 'g-recaptcha-response': '', 'h-captcha-response': TOKEN };
    await expectAccepted(await instance.post(owner.form.id, sent));
  });

  test.each([[''], [null], [false], [true], [7], [{ a: TOKEN }], [[TOKEN]], [[]], [['', '']]])(
    '%j is none, and no one is asked',
    async (token) => {
      const desk = service.desk(yes);
      const owner = await guardedBy(instance, desk);
      await expectRefused(await postToken(instance, owner, token), 400, 'challenge_missing');
      expect(desk.asked).toEqual([]);
      await expectNothingKept(instance, owner);
    },
  );

  test('and the secret are unreadable in the data directory and the log', async () => {
    const answers = [yes, no, saying('down', 503), saying(`{"success":false,"error-codes":["${TOKEN}","${SECRET}"]}`)];
    for (const answer of answers) await postToken(instance, await guardedBy(instance, service.desk(answer)));
    expect(placesOf(TOKEN, instance)).toEqual([]);
    expect(placesOf(SECRET, instance)).toEqual([]);
  });

  test('for a form without a challenge is not verified', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await postToken(instance, owner));
    expect(await kept(instance, owner)).toEqual([[['name', 'Ada']]]);
  });
});

describe('the host on which a challenge was solved', () => {
  const ORIGIN = 'https://example.com';
  const solvedOn = (hostname?: string) =>
    service.desk(() => Response.json({ success: true, ...(hostname !== undefined && { hostname }) }));

  test.each(['example.com', 'shop.example.com', undefined])(
    'may be %s, which is one of the allowed origins or none',
    async (hostname) => {
      const settings = { allowedOrigins: [ORIGIN, 'http://shop.example.com:8080'] };
      const owner = await guardedBy(instance, solvedOn(hostname), { settings });
      expect((await postToken(instance, owner, TOKEN, { Origin: ORIGIN })).status).toBe(200);
      expect(await kept(instance, owner)).toEqual([[['name', 'Ada']]]);
    },
  );

  test.each(['evil.example', 'sub.example.com', 'example.com.evil.example', ORIGIN, ''])(
    'may not be %j beside allowed origins',
    async (hostname) => {
      const owner = await guardedBy(instance, solvedOn(hostname), { settings: { allowedOrigins: [ORIGIN] } });
      const answer = await postToken(instance, owner, TOKEN, { Origin: ORIGIN });
      expect([answer.status, await answer.json()]).toMatchObject([400, { success: false, code: 'challenge_failed' }]);
      await expectNothingKept(instance, owner);
    },
  );

  test('can be any without allowed origins', async () => {
    const owner = await guardedBy(instance, solvedOn('evil.example'));
    await expectAccepted(await postToken(instance, owner));
  });
});
