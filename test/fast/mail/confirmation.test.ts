import { afterAll, describe, expect, test } from 'bun:test';
import type { FormSettings } from '../../../src/domain/forms/form.ts';
import { DAY, formatTime, HOUR } from '../../../src/lib/clock.ts';
import { newId } from '../../../src/lib/ids.ts';
import { Semaphore } from '../../../src/lib/semaphore.ts';
import { erasePerson, newCounts, newSearch, searchPerson } from '../../../src/services/erasure/erasure.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { until } from '../../support/until.ts';
import { type Arrived, OWNER, only, startMailing } from './mailing.ts';

let now = Date.UTC(2026, 4, 1) * 1000;
// Posts of one machine: tests of the limits per address are those of mails.
const mailing = await startMailing({ BASE_URL: 'https://forms.example', POSTS_PER_MINUTE: '0' }, () => now);
afterAll(mailing.stop);
const { instance } = mailing;
const { store } = instance.context;
const { teamId } = instance.owner;

const makeForm = (settings: Partial<FormSettings> = {}) => mailing.form({ confirmAddress: true, ...settings });
type Form = Awaited<ReturnType<typeof makeForm>>;
let visitors = 0;
const newVisitor = () => `visitor${visitors++}@home.example`;
const to = (mails: readonly Arrived[]) => mails.map(({ envelope }) => envelope.to.join()).sort();
const linkIn = ({ mail }: Arrived) => {
  const path = /https:\/\/forms\.example(\/confirm\/\S+)/.exec(mail.text ?? '')?.[1];
  if (path === undefined) throw new Error(`no link: ${mail.text}`);
  return instance.url + path;
};
/** Posts, and returns the mail that asks to confirm. */
const asked = async (form: Form, body: Record<string, string>, headers = {}) =>
  only(await mailing.sent(form, body, headers));
const open = (url: string, method: string, language = 'en') =>
  fetch(url, { method, headers: { 'Accept-Language': language, Accept: 'text/html' } });
const listed = async (form: Form, part: 'all' | 'inbox' | 'unconfirmed' | 'maybe' | 'trash') =>
  store.inbox.count({ formIds: [form.id], part, from: null, until: null }, 2_000);
const ids = async (form: Form) => (await instance.stored(instance.owner, form)).map(({ id }) => id);
const idIn = (url: string) => url.split('/').at(-2) ?? '';

describe('a form that asks to confirm addresses', () => {
  test('delivers nothing until the visitor presses the button, then all, once', async () => {
    const form = await makeForm({ autoReplyText: 'We got it.' });
    const email = newVisitor();
    const mail = await asked(form, { email, message: 'SECRET words' });
    expect(to([mail])).toEqual([email]);
    expect(mail.envelope.raw.toString()).not.toContain('SECRET');
    const url = linkIn(mail);
    expect([await listed(form, 'all'), await listed(form, 'unconfirmed'), await ids(form)]).toEqual([0, 1, []]);

    for (const method of ['GET', 'HEAD', 'GET']) expect((await open(url, method)).status).toBe(200);
    const prefetched = await fetch(url, { headers: { 'Sec-Purpose': 'prefetch', Purpose: 'prefetch' } });
    expect(await prefetched.text()).toContain('<button');
    expect([await mailing.drained(), await ids(form)]).toEqual([[], []]);

    now += HOUR;
    const createdAt = (await store.submissions.findStored(idIn(url), teamId))?.createdAt;
    expect(await (await open(url, 'POST')).text()).toContain('Address confirmed');
    expect(to(await mailing.drained())).toEqual([OWNER, email].sort());
    const [stored] = await instance.stored(instance.owner, form);
    expect(stored).toMatchObject({ id: idIn(url), created_at: formatTime(createdAt ?? 0) });
    expect(stored).toMatchObject({ confirmation: { confirmed_at: formatTime(now) } });
    expect(JSON.stringify((stored as { confirmation?: unknown })?.confirmation)).not.toContain(email);
    expect([await listed(form, 'inbox'), await listed(form, 'unconfirmed')]).toEqual([1, 0]);
    const { readKey: key } = instance.owner;
    const csv = await (await instance.api('GET', `/v1/forms/${form.id}/export?format=csv`, { key })).text();
    const [head, row] = csv.split('\r\n').map((line) => line.split(',').at(-1));
    expect([head, row]).toEqual(['confirmed_at', formatTime(now)]);

    for (const method of ['POST', 'GET']) {
      expect(await (await open(url, method)).text()).toContain('Address confirmed');
    }
    expect(await mailing.drained()).toEqual([]);
  });

  test('refuses a post without a valid address, and tells others that a mail was sent', async () => {
    const form = await makeForm();
    for (const body of [{ message: 'a' }, { email: 'none', message: 'a' }]) {
      const answer = await instance.post(form.id, body);
      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'email_required' }]);
    }
    const post = (headers: Record<string, string>, key: string) =>
      instance.post(form.id, { email: newVisitor() }, { 'Idempotency-Key': key, ...headers });
    const german = await (await post({ 'Accept-Language': 'de' }, 'a')).json();
    expect(german).toMatchObject({ success: true, confirmation_required: true });
    expect((german as { message: string }).message).toContain('Wir haben Ihnen eine E-Mail gesendet');
    const page = await (await post({ Accept: 'text/html' }, 'b')).text();
    expect(page).toContain('We sent you an email.');
    await mailing.drained();
  });

  test('writes the mail in the language of the visitor, or of the form', async () => {
    const mail = await asked(await makeForm(), { email: newVisitor() }, { 'Accept-Language': 'pl' });
    expect(mail.mail.subject).toBe('Potwierdzenie adresu e-mail');
    const french = await asked(
      await makeForm({ language: 'fr' }),
      { email: newVisitor() },
      { 'Accept-Language': 'pl' },
    );
    expect(french.mail.subject).toBe('Confirmez votre adresse e-mail');
    expect(await (await open(linkIn(french), 'GET', 'pl')).text()).toContain('Confirmez votre adresse');
  });

  test('confirms nothing by an altered, foreign or expired link, or one whose submission is in the trash', async () => {
    const form = await makeForm();
    const first = linkIn(await asked(form, { email: newVisitor() }));
    const second = linkIn(await asked(form, { email: newVisitor() }));
    const foreign = first.replace(/[^/]*$/, second.split('/').at(-1) ?? '');
    const altered = first.replace(/.$/, (end) => (end === '0' ? '1' : '0'));
    for (const url of [foreign, altered, `${instance.url}/confirm/none/none`]) {
      for (const method of ['GET', 'POST']) expect((await open(url, method)).status).toBe(404);
    }
    await store.trash.moveSubmissions([idIn(second)], teamId, now);
    expect((await open(second, 'POST')).status).toBe(404);
    now += 7 * DAY + HOUR;
    expect((await open(first, 'POST')).status).toBe(404);
    expect([await listed(form, 'unconfirmed'), await listed(form, 'inbox')]).toEqual([1, 0]);
    expect(await mailing.drained()).toEqual([]);
  });

  test('notifies once about confirmations at once', async () => {
    const form = await makeForm();
    const url = linkIn(await asked(form, { email: newVisitor() }));
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await open(url, 'POST')).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(to(await mailing.drained())).toEqual([OWNER]);
  });

  test('takes a place and claims the address before the confirmation', async () => {
    const form = await makeForm({ maxSubmissions: 2, oncePerAddress: true });
    const email = newVisitor();
    await asked(form, { email });
    const again = await instance.post(form.id, { email });
    expect(await again.json()).toMatchObject({ code: 'already_submitted' });
    await asked(form, { email: newVisitor() });
    const third = await instance.post(form.id, { email: newVisitor() });
    expect(await third.json()).toMatchObject({ code: 'form_full' });
  });

  test('keeps unconfirmed submissions from the API, marks and stars', async () => {
    const form = await makeForm();
    const id = idIn(linkIn(await asked(form, { email: newVisitor() })));
    const { readKey: key } = instance.owner;
    expect((await instance.api('GET', `/v1/submissions/${id}`, { key })).status).toBe(404);
    expect(await store.inbox.setStarred([id], teamId, true)).toEqual([]);
    expect(await store.inbox.markSpam([id], teamId)).toEqual([]);
    expect(await store.submissions.mark(id, true, null, [])).toBeNull();
    expect(await listed(form, 'unconfirmed')).toBe(1);
  });

  test('erases unconfirmed submissions after seven days, also in the trash, and confirmed ones not', async () => {
    const form = await makeForm();
    const links: string[] = [];
    for (let n = 0; n < 3; n++) links.push(linkIn(await asked(form, { email: newVisitor() })));
    const [confirmed = '', , trashed = ''] = links;
    await open(confirmed, 'POST');
    await mailing.drained();
    await store.trash.moveSubmissions([idIn(trashed)], teamId, now);
    const erase = async () => (await store.retention.deleteUnconfirmed(form.id, now - 7 * DAY)).submissions;
    now += 7 * DAY - HOUR;
    expect(await erase()).toBe(0);
    now += 2 * HOUR;
    // In several batches on a slow machine. The job of the instance may have been first.
    while ((await erase()) > 0);
    const left = async () => (await listed(form, 'unconfirmed')) + (await listed(form, 'trash'));
    await until(async () => (await left()) === 0, 'the erasure');
    expect(await ids(form)).toEqual([idIn(confirmed)]);
  });

  test('sends at most one mail an hour and three a day to an address over all forms, and tells', async () => {
    const [form, other] = [await makeForm(), await makeForm()];
    const email = newVisitor();
    const post = async (where: Form, address = email) => {
      const mails = await mailing.sent(where, { email: address, message: newId('m') });
      return mails.filter(({ envelope }) => envelope.to.join() === address).length;
    };
    expect([await post(form), await post(form), await post(other, email.toUpperCase())]).toEqual([1, 0, 0]);
    const counts: number[] = [];
    for (let hour = 0; hour < 5; hour++) {
      now += HOUR;
      counts.push(await post(hour % 2 === 0 ? form : other));
    }
    expect(counts).toEqual([1, 1, 0, 0, 0]);
    now += 20 * HOUR;
    expect(await post(form)).toBe(1);
    expect(await listed(form, 'unconfirmed')).toBe(6);
    expect([await store.formChecks.hasUnsent(form.id, null), await store.formChecks.recordUnsent(form.id)]).toEqual([
      true,
      1,
    ]);
    expect(to(await mailing.drained())).toEqual([OWNER]);
    expect(await store.formChecks.hasUnsent(form.id, now)).toBe(false);
  });

  test('sends only the limits of mails for a thousand posts with addresses of others', async () => {
    const form = await makeForm();
    const addresses = Array.from({ length: 10 }, newVisitor);
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => instance.post(form.id, { email: addresses[n % 10] ?? '', n: String(n) })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(to(await mailing.drained())).toEqual(addresses.toSorted());
    expect(await store.formChecks.hasUnsent(form.id, null)).toBe(true);
  });

  test('deletes unconfirmed submissions of a person with the others', async () => {
    const form = await makeForm();
    const email = newVisitor();
    await asked(form, { email });
    const search = newSearch(instance.context.clock);
    const person = { teamId, address: email };
    const deps = { ...instance.context, semaphore: new Semaphore(1) };
    await searchPerson(deps, person, search);
    const { facts } = await erasePerson(deps, person, search, newCounts());
    expect([facts.submissions, await listed(form, 'unconfirmed')]).toEqual([1, 0]);
  });

  test('tells no webhook about an unconfirmed submission, not even its deletion', async () => {
    const form = await makeForm();
    const url = 'https://hooks.example/';
    const events = ['submission.created', 'submission.deleted'] as const;
    const { webhook } = await createWebhook(instance.context, form.id, 'standard', { url, events });
    const log = async () =>
      (await store.deliveries.list(webhook.id, { before: null, limit: 10 })).map(({ event }) => event);
    const [unconfirmed, confirmed] = [
      linkIn(await asked(form, { email: newVisitor() })),
      linkIn(await asked(form, { email: newVisitor() })),
    ];
    await store.retention.deleteSubmission(idIn(unconfirmed), teamId);
    expect(await log()).toEqual([]);
    await open(confirmed, 'POST');
    await mailing.drained();
    expect(await log()).toEqual(['submission.created']);
  });

  test('takes spam without a mail, and sends its visitor none once it is released', async () => {
    const form = await makeForm({ blockedWords: ['casino'], autoReplyText: 'We got it.' });
    expect(to(await mailing.released(form, { email: newVisitor(), message: 'our casino' }))).toEqual([OWNER]);
  });
});
