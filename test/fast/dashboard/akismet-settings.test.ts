import { afterAll, expect, test } from 'bun:test';
import { openAkismet } from '../../../src/intake/spam/akismet.ts';
import { AKISMET_KEY, startAkismet } from '../../support/akismet.ts';
import { startInstance } from '../../support/instance.ts';
import { signIn } from './signed-in.ts';

const instance = await startInstance();
const service = startAkismet();
const other = startAkismet();
afterAll(async () => {
  await Promise.all([instance.stop(), service.stop(), other.stop()]);
});

const ON = { akismet: 'yes', akismetKey: AKISMET_KEY, akismetUrl: service.url };

/** Signs in an owner, at the spam settings of a new form. */
async function spamSettings() {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner);
  const me = await signIn(instance, owner);
  const path = `/dashboard/forms/${form.id}/settings/spam`;
  return {
    form,
    page: () => me.page(path),
    save: async (fields: Record<string, string>) => {
      const answer = await me.post(path, fields);
      return { status: answer.status, text: await answer.text() };
    },
    /** The stored settings; null for none. */
    now: async () => {
      const now = await instance.context.store.forms.find(form.id, owner.teamId);
      return now && openAkismet(instance.context.vault, now);
    },
  };
}

test('a key is verified, sealed, never shown again, and kept while its input is empty', async () => {
  const { save, now, page } = await spamSettings();
  const first = await page();
  expect(first).not.toContain('name="akismet" value="yes" checked');
  expect(first).toContain('value="https://rest.akismet.com"');
  expect((await save(ON)).status).toBe(303);
  expect(await now()).toEqual({ key: AKISMET_KEY, url: service.url, site: instance.url });
  const second = await page();
  expect(second).toContain('name="akismet" value="yes" checked');
  expect(second).toContain(`value="${service.url}"`);
  expect(second).not.toContain(AKISMET_KEY);
  expect((await save({ ...ON, akismetKey: '' })).status).toBe(303);
  expect((await now())?.key).toBe(AKISMET_KEY);
});

test('switching it off deletes the key', async () => {
  const { save, now } = await spamSettings();
  await save(ON);
  expect((await save({ akismetUrl: service.url })).status).toBe(303);
  expect(await now()).toBeNull();
});

test('another URL needs the key again, which is not sent there before', async () => {
  const { save, now } = await spamSettings();
  await save(ON);
  const answer = await save({ ...ON, akismetKey: '', akismetUrl: other.url });
  expect([answer.status, answer.text.includes('Enter the key of your account')]).toEqual([400, true]);
  expect([(await now())?.url, other.calls]).toEqual([service.url, []]);
});

test.each<[string, Record<string, string>, string]>([
  ['refused by the service', { akismetKey: 'wrong' }, 'The service refused the key.'],
  ['missing', { akismetKey: '' }, 'Enter the key of your account'],
  ['two words', { akismetKey: 'one two' }, 'Enter the key of your account'],
])('a key is not saved if it is %s', async (_, fields, error) => {
  const { save, now } = await spamSettings();
  const { status, text } = await save({ ...ON, ...fields });
  expect([status, text.includes(error)]).toEqual([400, true]);
  expect(await now()).toBeNull();
});

test.each<[string, string, string]>([
  ['is no URL', 'akismet', 'Enter a full http or https address'],
  ['has a query', `${service.url}/?key=1`, 'Enter a full http or https address'],
  ['has another scheme', 'file:///etc/passwd', 'Enter a full http or https address'],
  ['leads to a private host', 'http://169.254.169.254', 'This server may not connect to that host.'],
  ['is not such a service', `${instance.url}/no-such`, 'The service did not answer as Akismet does.'],
])('a URL is not saved if it %s', async (_, akismetUrl, error) => {
  const { save, now } = await spamSettings();
  const { status, text } = await save({ ...ON, akismetUrl });
  expect([status, text.includes(error)]).toEqual([400, true]);
  expect(await now()).toBeNull();
});

test('the page tells that the service fails', async () => {
  let isBroken = false;
  const stub = startAkismet(() => (isBroken ? new Response('', { status: 500 }) : null));
  try {
    const { form, save, page } = await spamSettings();
    await save({ ...ON, akismetUrl: stub.url });
    const failing = 'The latest submission was stored without the service’s answer.';
    expect(await page()).not.toContain(failing);
    isBroken = true;
    await instance.post(form.id, { message: 'Do you repair harps?' });
    expect(await page()).toContain(failing);
    isBroken = false;
    await instance.post(form.id, { message: 'Do you repair harps?' });
    expect(await page()).not.toContain(failing);
  } finally {
    await stub.stop();
  }
});
