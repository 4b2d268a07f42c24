import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { FormSettings } from '../../../src/domain/forms/form.ts';
import { readSource } from '../../../src/services/submissions/read-submission.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { tracesOf } from '../../support/traces.ts';
import { type SignedIn, signIn } from '../dashboard/signed-in.ts';

let instance: Instance;
let me: SignedIn;
beforeAll(async () => {
  instance = await startInstance();
  me = await signIn(instance, instance.owner);
});
afterAll(() => instance.stop());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Posts to a new form and returns the stored submission with its source. */
async function sourceAfter(headers: Record<string, string>, settings: Partial<FormSettings> = { keepsSource: true }) {
  const form = await instance.makeForm(instance.owner, settings);
  const answer = await instance.post(form.id, { message: 'x' }, headers);
  expect(answer.status).toBe(200);
  const { store, vault, log } = instance.context;
  const [submission] = (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  if (!submission) throw new Error('nothing is stored');
  return { submission, source: readSource(vault, log, submission) };
}

test('a form keeps page and browser only if it is set to', async () => {
  const headers = { Referer: 'https://shop.example/contact', 'User-Agent': FIREFOX };
  expect((await sourceAfter(headers, {})).submission.source).toBeNull();
  expect((await sourceAfter(headers)).source).toEqual({
    page: 'https://shop.example/contact',
    browser: 'Firefox, Linux',
  });
});

test('the page is kept without query and fragment, and other referrers are not', async () => {
  const pageOf = async (referrer: string) =>
    (await sourceAfter({ Referer: referrer, 'User-Agent': FIREFOX })).source?.page;
  expect(await pageOf('https://user:secret@shop.example:8443/a/b?token=1#part')).toBe('https://shop.example:8443/a/b');
  for (const other of ['about:client', 'javascript:alert(1)', 'nonsense', `https://x.example/${'a'.repeat(2_000)}`]) {
    expect(await pageOf(other)).toBeNull();
  }
});

test('it is sealed, and shown on the page of the submission, masked and escaped', async () => {
  const path = `/of/4242424242424242/${crypto.randomUUID()}`;
  const { submission } = await sourceAfter({ Referer: `https://shop.example${path}`, 'User-Agent': FIREFOX });
  expect(await tracesOf(instance.dataDir, [Buffer.from(path)])).toEqual([]);
  const page = await me.page(`/dashboard/submissions/${submission.id}`);
  expect(page).toContain('Sent from');
  expect(page).toContain('/of/************4242/');
  expect(page).toContain('Firefox, Linux');
  expect(page).not.toContain('4242424242424242');
});

test('the API does not show it', async () => {
  const { submission } = await sourceAfter({ Referer: 'https://shop.example/contact' });
  const answer = await instance.api('GET', `/v1/submissions/${submission.id}`, { key: instance.owner.readKey });
  expect(await answer.text()).not.toContain('shop.example');
});
