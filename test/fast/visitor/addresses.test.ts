import { afterAll, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { expectAccepted, expectRefused, kept, URLENCODED } from './helpers.ts';
import { exchange, head } from './wire.ts';

const instance = await startInstance();
afterAll(instance.stop);

const post = (id: string) => exchange(instance, head(id, `Content-Type: ${URLENCODED}`, 'Content-Length: 3'), 'a=1');

test('a form is found by its id and by its short id', async () => {
  const owner = await instance.makeOwner();
  await expectAccepted(await instance.post(owner.form.id, { by: 'id' }));
  await expectAccepted(await instance.post(owner.form.shortId, { by: 'short id' }));
  expect(await kept(instance, owner)).toEqual([[['by', 'short id']], [['by', 'id']]]);
});

test.each(['id', 'shortId'] as const)('answers 404 for an %s with any character changed', async (which) => {
  const owner = await instance.makeOwner();
  const id = owner.form[which];
  for (const other of [id.toUpperCase(), id.slice(0, -1), `${id}x`, `${id}%20`, `${id}%00`, `%20${id}`, `${id}%25`]) {
    await expectRefused(await post(other), 404, 'form_not_found');
  }
  expect(await kept(instance, owner)).toEqual([]);
});

test.each([
  ...['%00', '%', '%E0%A4%A', '%zz', '%FF', '%ED%A0%80', '..', '%2e%2e', '..%2f..%2fetc', '%2F', '%5C', '__proto__'],
  ...['ü', '😀', '%F0%9F%98%80', "'%20OR%201=1--", '%25', '*', 'null', 'undefined', 'x'.repeat(8_000)],
])('answers 404 for the malformed id %s', async (id) => {
  await expectRefused(await post(id), 404, 'form_not_found');
});

test.each(['../x', '%2e%2e/', 'a/b', '', '/'])('answers 404 for other paths: %j', async (id) => {
  expect((await post(id)).status).toBe(404);
});

test('stores a submission in its own form only', async () => {
  const owner = await instance.makeOwner();
  const other = await instance.makeForm(owner);
  const stranger = await instance.makeOwner();
  await expectAccepted(await instance.post(owner.form.id, { a: '1' }));
  expect(await kept(instance, owner)).toEqual([[['a', '1']]]);
  expect(await kept(instance, owner, other)).toEqual([]);
  expect(await kept(instance, stranger)).toEqual([]);
});

test('ignores a form id in the query or the body', async () => {
  const owner = await instance.makeOwner();
  const other = await instance.makeOwner();
  await expectAccepted(await instance.post(`${owner.form.id}/../${owner.form.id}`, { formId: other.form.id }));
  expect(await kept(instance, owner)).toEqual([[['formId', other.form.id]]]);
  expect(await kept(instance, other)).toEqual([]);
});
