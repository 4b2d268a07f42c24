import { afterAll, describe, expect, test } from 'bun:test';
import type { FormSettings } from '../../../src/domain/forms/form.ts';
import { startInstance } from '../../support/instance.ts';
import { signIn } from '../dashboard/signed-in.ts';
import { expectAccepted, expectRefused, kept, URLENCODED } from './helpers.ts';

const REDIRECT = 'https://example.com/thanks?from=form&x=%C3%A9#top';

const instance = await startInstance();
afterAll(instance.stop);

async function formWithRedirect() {
  const owner = await instance.makeOwner();
  return { owner, form: await instance.makeForm(owner, { redirectUrl: REDIRECT }) };
}

test.each([
  '*/*',
  'text/html',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'application/json, text/plain, */*',
  'application/json, text/html',
  'text/plain',
])('a form with a redirect URL answers 303 to Accept: %s after the submission is stored', async (Accept) => {
  const { owner, form } = await formWithRedirect();
  const response = await instance.post(form.id, 'a=1', { 'Content-Type': URLENCODED, Accept });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe(REDIRECT);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await response.text()).toBe('');
  expect(await kept(instance, owner, form)).toEqual([[['a', '1']]]);
});

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'text/plain, application/json;q=0.5',
])('a client that accepts only JSON gets 200 with the redirect URL in the body: Accept: %s', async (Accept) => {
  const { owner, form } = await formWithRedirect();
  const response = await instance.post(form.id, { a: '1' }, { Accept });
  expect(response.status).toBe(200);
  expect(response.headers.has('location')).toBe(false);
  const body = { success: true, message: expect.stringMatching(/./), redirect_url: REDIRECT };
  expect((await response.json()) as typeof body).toEqual(body);
  expect(await kept(instance, owner, form)).toEqual([[['a', '1']]]);
});

test('a form without a redirect URL answers 200 with success and a message only', async () => {
  const owner = await instance.makeOwner();
  await expectAccepted(await instance.post(owner.form.id, { a: '1' }, { Accept: 'application/json' }));
  expect(await kept(instance, owner)).toEqual([[['a', '1']]]);
});

test('a refusal is never redirected', async () => {
  const { owner, form } = await formWithRedirect();
  const response = await instance.post(form.id, '', { 'Content-Type': URLENCODED, Accept: '*/*' });
  expect(response.headers.has('location')).toBe(false);
  await expectRefused(response, 400, 'empty_submission');
  expect(await kept(instance, owner, form)).toEqual([]);
});

test('a field with the name of a redirect is ordinary data', async () => {
  const owner = await instance.makeOwner();
  const fields = { _redirect: 'https://evil.example', _next: 'https://evil.example', redirect_url: '/x' };
  await expectAccepted(await instance.post(owner.form.id, fields));
  expect(await kept(instance, owner)).toEqual([Object.entries(fields)]);
});

describe('_next', () => {
  const SETTINGS = { redirectUrl: REDIRECT, allowedOrigins: ['https://shop.example', 'https://www.shop.example:8443'] };
  const HEADERS = { 'Content-Type': URLENCODED, Accept: 'text/html', Origin: 'https://shop.example' };

  async function answerTo(
    next: string,
    settings: Partial<FormSettings> = SETTINGS,
    headers: Record<string, string> = HEADERS,
  ) {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, settings);
    const body = new URLSearchParams({ a: '1', _next: next }).toString();
    const answer = await instance.post(form.id, body, headers);
    return { answer, owner, form, stored: (await kept(instance, owner, form))[0] };
  }

  test.each(['https://shop.example/danke?x=1#y', 'https://www.shop.example:8443/', 'https://example.com/other'])(
    '%s is within the allowed origins: it leads there and is not stored',
    async (next) => {
      const { answer, stored } = await answerTo(next);
      expect([answer.status, answer.headers.get('location'), stored]).toEqual([303, next, [['a', '1']]]);
    },
  );

  test.each([
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://user@shop.example/',
    'http://shop.example/',
    'https://shop.example:444/',
    '//shop.example/',
    '/thanks',
    'javascript:alert(1)',
    'https:shop.example',
    ' https://shop.example/',
    'https://shop.example\\\\@evil.example/x',
    `https://shop.example/${'x'.repeat(2_000)}`,
  ])('%s is data, and leads nowhere', async (next) => {
    const { answer, stored } = await answerTo(next);
    const location = answer.headers.get('location') ?? '';
    if (new URL(location).origin !== 'https://shop.example') {
      expect([location, stored]).toEqual([
        REDIRECT,
        [
          ['a', '1'],
          ['_next', next],
        ],
      ]);
    }
    expect(['https://example.com', 'https://shop.example']).toContain(new URL(location).origin);
  });

  test('is data for a form with neither origins nor a redirect URL, and Connect says so', async () => {
    const open = { 'Content-Type': URLENCODED, Accept: 'application/json' };
    const { answer, owner, form, stored } = await answerTo('https://shop.example/<b>', {}, open);
    expect(await answer.json()).not.toHaveProperty('redirect_url');
    expect(stored).toContainEqual(['_next', 'https://shop.example/<b>']);
    const page = await (await signIn(instance, owner)).page(`/dashboard/forms/${form.id}/connect`);
    expect(page).toContain('https://shop.example/%3Cb%3E as their next page');
  });

  test('is in the answer for scripts, and a honeypot follows it too', async () => {
    const json = { ...HEADERS, Accept: 'application/json' };
    const { answer } = await answerTo('https://shop.example/ok', SETTINGS, json);
    expect(await answer.json()).toMatchObject({ redirect_url: 'https://shop.example/ok' });
    const form = await instance.makeForm(instance.owner, SETTINGS);
    const trapped = await instance.post(form.id, '_gotcha=x&_next=https://shop.example/ok', HEADERS);
    expect(trapped.headers.get('location')).toBe('https://shop.example/ok');
  });

  test('without any other field is an empty submission', async () => {
    const form = await instance.makeForm(instance.owner, SETTINGS);
    const headers = { ...HEADERS, Accept: 'application/json' };
    const answer = await instance.post(form.id, '_next=https://shop.example/ok', headers);
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code: 'empty_submission' })]);
  });
});
