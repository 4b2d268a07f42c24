import { afterAll, beforeAll, expect, test } from 'bun:test';
import { KEYS_TEXTS } from '../../../src/dashboard/keys/texts.ts';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { type SignedIn, signIn } from './signed-in.ts';

const EN = CATALOG.textsIn('en');

let instance: Instance;
let me: SignedIn;
beforeAll(async () => {
  instance = await startInstance();
  me = await signIn(instance, instance.owner);
});
afterAll(() => instance.stop());

const secretIn = (markup: string) => /value="(fs_live_[0-9A-Za-z]{36})"/.exec(markup)?.[1];

const read = (key: string | undefined) => instance.api('GET', '/v1/workspaces', { key });

test('a new key works, and its secret is shown once', async () => {
  const made = await me.post('/dashboard/keys', { name: 'Backup script', scope: 'read', life: '90' });
  expect(made.status).toBe(200);
  const secret = secretIn(await made.text());
  expect((await read(secret)).status).toBe(200);
  const later = await me.page('/dashboard/keys');
  expect(later).toContain('Backup script');
  expect(later).not.toContain(secret);
  const [key] = (await instance.context.store.keys.list(instance.owner.teamId)).filter(
    ({ name }) => name === 'Backup script',
  );
  const days = ((key?.expiresAt ?? 0) - (key?.createdAt ?? 0)) / 86_400_000_000;
  expect(days).toBeCloseTo(90, 3);
});

test('the account page leads owners to the keys of the current team, and nobody else', async () => {
  const link = /<h2 id="api-keys">API keys<\/h2>.*?<span class="grow">Team<\/span><a [^>]*href="\/dashboard\/keys"/s;
  expect(await me.page('/dashboard/account')).toMatch(link);
  for (const role of ['editor', 'viewer'] as const) {
    const member = await signIn(instance, instance.owner, {}, role);
    expect(await member.page('/dashboard/account')).not.toContain('/dashboard/keys');
  }
});

test('a key is limited to the chosen forms, which its entry names', async () => {
  const form = await instance.makeForm(instance.owner, { name: 'Jobs <b>' });
  const input = { name: 'Partner', scope: 'read', life: '', access: 'some' };
  const none = await me.post('/dashboard/keys', input);
  expect([none.status, await none.text()]).toEqual([400, expect.stringContaining(KEYS_TEXTS.en.chooseForm)]);
  const secret = secretIn(await (await me.post('/dashboard/keys', { ...input, form: form.id })).text());
  expect((await instance.api('GET', `/v1/forms/${form.id}`, { key: secret })).status).toBe(200);
  expect((await instance.api('GET', `/v1/forms/${instance.owner.form.id}`, { key: secret })).status).toBe(404);
  expect(await me.page('/dashboard/keys')).toContain(KEYS_TEXTS.en.onlyForms('Jobs &lt;b&gt;'));
  const unchanged = { ...input, name: 'Ticked', access: 'all', form: form.id };
  const ticked = secretIn(await (await me.post('/dashboard/keys', unchanged)).text());
  expect((await instance.api('GET', `/v1/forms/${instance.owner.form.id}`, { key: ticked })).status).toBe(404);
  const other = await instance.makeOwner();
  expect((await me.post('/dashboard/keys', { ...input, form: other.form.id })).status).toBe(404);
});

test('an invalid name shows an error and keeps the input', async () => {
  const answer = await me.post('/dashboard/keys', { name: '   ', scope: 'read_write', life: '30' });
  expect(answer.status).toBe(400);
  const markup = await answer.text();
  expect(markup).toContain(EN.errors.invalid_name(200));
  expect(markup).toContain('value="read_write" checked');
  expect(markup).toContain('value="30" selected');
});

test('a key is revoked after a confirmation, and its next request is refused', async () => {
  const secret = secretIn(await (await me.post('/dashboard/keys', { name: 'Old <b>one</b>', scope: 'read' })).text());
  const keys = await instance.context.store.keys.list(instance.owner.teamId);
  const id = keys.find(({ name }) => name === 'Old <b>one</b>')?.id;
  const question = await me.page(`/dashboard/keys/${id}/revoke`);
  expect(question).toContain('Old &lt;b&gt;one&lt;/b&gt;');
  expect((await read(secret)).status).toBe(200);
  const done = await me.post(`/dashboard/keys/${id}/revoke`);
  expect(done.headers.get('location')).toBe('/dashboard/keys?done=revoked');
  expect((await read(secret)).status).toBe(401);
});

test('a team can neither see nor revoke keys of another team', async () => {
  const other = await instance.makeOwner();
  const { id, secret } = await instance.makeKey(other);
  expect((await me.get(`/dashboard/keys/${id}/revoke`)).status).toBe(404);
  expect((await me.post(`/dashboard/keys/${id}/revoke`)).status).toBe(404);
  expect(await me.page('/dashboard/keys')).not.toContain(id);
  expect((await read(secret)).status).toBe(200);
});

test('a team without API access sees a note', async () => {
  const owner = await instance.makeOwner('free');
  const poor = await signIn(instance, owner);
  expect(await poor.page('/dashboard/keys')).toContain(KEYS_TEXTS.en.noAccess('free'));
});
