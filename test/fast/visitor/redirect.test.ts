import { afterAll, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
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
