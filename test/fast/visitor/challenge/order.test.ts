import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../../support/instance.ts';
import { expectAccepted, expectNothingKept, expectRefused, kept, pause } from '../helpers.ts';
import { guardedBy, no, postToken, startService, TOKEN, yes } from './service.ts';

const plans = '{"closed":{"api_access":true,"submissions_limit":0}}';
const instance = await startInstance({ env: { PLANS: plans } });
const service = startService();
afterAll(async () => {
  await instance.stop();
  await service.stop();
});

describe('the service is not called', () => {
  const required = [{ name: 'email', label: 'E-mail', type: 'email', required: true }];

  test.each([
    ['fills in a honeypot', { name: 'Ada', _gotcha: 'x', 'captcha-response': TOKEN }, 200, undefined],
    ['is empty except for the token', { 'captcha-response': TOKEN }, 400, 'empty_submission'],
    ['has blanks only', { name: ' ', 'captcha-response': TOKEN }, 400, 'empty_submission'],
    ['breaks a rule', { name: 'Ada', 'captcha-response': TOKEN }, 400, 'invalid_fields'],
  ])('for a post that %s', async (_what, sent, status, code) => {
    const desk = service.desk(no);
    const owner = await guardedBy(instance, desk, { settings: { fields: required, enforcesRules: true } });
    const answer = await instance.post(owner.form.id, sent);
    expect([answer.status, ((await answer.json()) as { code?: string }).code]).toEqual([status, code]);
    expect(desk.asked).toEqual([]);
    await expectNothingKept(instance, owner);
  });

  test('for a post to a paused form, or from an origin that is not allowed', async () => {
    const desk = service.desk(yes);
    const paused = await guardedBy(instance, desk);
    await pause(instance, paused);
    const closed = await guardedBy(instance, desk, { settings: { allowedOrigins: ['https://example.com'] } });
    const answers = [await postToken(instance, paused), await postToken(instance, closed)];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(desk.asked).toEqual([]);
  });

  test('again for a post that was stored under its Idempotency-Key', async () => {
    const desk = service.desk(yes);
    const owner = await guardedBy(instance, desk);
    const once = { 'Idempotency-Key': 'once' };
    await expectAccepted(await postToken(instance, owner, 'first', once));
    await expectAccepted(await postToken(instance, owner, 'first', once));
    await expectAccepted(await postToken(instance, owner, 'second', once));
    await expectAccepted(await instance.post(owner.form.id, { name: 'Ada' }, once));
    const other = { name: 'Bob', 'captcha-response': TOKEN };
    await expectRefused(await instance.post(owner.form.id, other, once), 422, 'idempotency_key_reused');
    expect(desk.asked).toHaveLength(1);
    expect(await kept(instance, owner)).toEqual([[['name', 'Ada']]]);
  });
});

test('the challenge is checked before the cap', async () => {
  const [refused, solved] = [service.desk(no), service.desk(yes)];
  const [one, other] = [
    await guardedBy(instance, refused, { plan: 'closed' }),
    await guardedBy(instance, solved, { plan: 'closed' }),
  ];
  await expectRefused(await postToken(instance, one), 400, 'challenge_failed');
  await expectRefused(await instance.post(other.form.id, { name: 'Ada' }), 400, 'challenge_missing');
  await expectRefused(await postToken(instance, other), 429, 'submission_cap_reached');
  expect([refused.asked.length, solved.asked.length]).toEqual([1, 1]);
});

test('a failed challenge is reported in the language and format of the client', async () => {
  const owner = await guardedBy(instance, service.desk(no));
  const german = await postToken(instance, owner, TOKEN, { 'Accept-Language': 'de' });
  const { message } = await expectRefused(german, 400, 'challenge_failed');
  const { message: english } = await expectRefused(await postToken(instance, owner), 400, 'challenge_failed');
  expect(message).not.toBe(english);
  const page = await postToken(instance, owner, TOKEN, { Accept: 'text/html' });
  expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
});
