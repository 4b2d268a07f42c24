import { afterAll, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { digestJob } from '../../../src/jobs/digests.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { ownAddress, startOnFreePort } from '../../support/free-port.ts';
import { signIn } from '../dashboard/signed-in.ts';
import { type Arrived, header, OWNER, only, startMailing } from './mailing.ts';

const BASE_URL = 'https://forms.example';
const BOB = 'bob@shop.example';

let now = Date.UTC(2026, 4, 1) * 1000;
const mailing = await startMailing({ BASE_URL }, () => now);
afterAll(mailing.stop);
const { instance } = mailing;
const { store } = instance.context;

/** Returns the path in List-Unsubscribe. */
function pathIn(arrived: Arrived): string {
  const [value = ''] = header(arrived, 'list-unsubscribe');
  const { origin, pathname } = new URL(value.replace(/^<|>$/g, ''));
  expect(origin).toBe(BASE_URL);
  return pathname;
}

const ask = (path: string, method = 'POST', headers: Record<string, string> = {}) =>
  fetch(instance.url + path, {
    method,
    headers,
    ...(method === 'POST' && { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }),
  });

/** Returns the pages of a form's recipients, by address. */
async function pathsOf(form: Form): Promise<Map<string, string>> {
  const arrived = await mailing.sent(form, { message: 'Hello' });
  return new Map(arrived.map((one) => [one.envelope.to[0] ?? '', pathIn(one)]));
}

const entriesOf = async (form: Form) => {
  const all = await store.audit.listFrom(instance.owner.teamId, { since: 0, after: 0, limit: 1_000 });
  return all.filter(({ details }) => details.form_id === form.id);
};

test('mails to recipients can be unsubscribed with one click, others cannot', async () => {
  const form = await mailing.form({ blockedWords: ['casino'], autoReplyText: 'Thanks.' });
  const mails = await mailing.sent(form, { email: 'ada@home.example', message: 'Hello' });
  await store.forms.update(form.id, { digest: 'daily' });
  const runDigests = async () => {
    const { mail } = instance.context;
    if (!mail) throw new Error('mail is not configured');
    await digestJob({ ...instance.context, ...mail }).step(new AbortController().signal);
    return mailing.drained();
  };
  await runDigests();
  for (const message of ['Hello', 'casino']) await mailing.sent(form, { message });
  now += 2 * DAY;
  const all = [...mails, ...(await runDigests())];
  expect(all).toHaveLength(4);
  for (const one of all) {
    const isToRecipient = one.envelope.to.join() === OWNER;
    const [path] = header(one, 'list-unsubscribe');
    expect([isToRecipient, path !== undefined]).toEqual([isToRecipient, isToRecipient]);
    expect(header(one, 'list-unsubscribe-post')).toEqual(isToRecipient ? ['List-Unsubscribe=One-Click'] : []);
    const url = path?.slice(1, -1) ?? 'none';
    expect([one.mail.text, one.mail.html].map((text) => text?.includes(url))).toEqual([isToRecipient, isToRecipient]);
    expect(one.mail.text).not.toContain('unsubscribe.invalid');
    // The address appears in logs of proxies.
    expect(path ?? '').not.toContain('owner');
  }
});

test('without https, the header asks for a visit of the page, and the audit log names the recipient', async () => {
  const plain = await startOnFreePort((port) => startMailing(ownAddress(port)));
  const arrived = only(await plain.sent(await plain.form(), { message: 'Hello' }));
  expect(header(arrived, 'list-unsubscribe')[0]).toMatch(
    /^<http:\/\/localhost:\d+\/unsubscribe\/frm_\w+\/[0-9a-f]{64}>$/,
  );
  expect(header(arrived, 'list-unsubscribe-post')).toEqual([]);
  await fetch(header(arrived, 'list-unsubscribe')[0]?.slice(1, -1) ?? '', { method: 'POST' });
  const me = await signIn(plain.instance, plain.instance.owner);
  expect(await (await me.get('/dashboard/audit')).text()).toMatch(
    new RegExp(`Recipient unsubscribed from notifications.*${OWNER}`, 's'),
  );
  await plain.stop();
});

test('without BASE_URL, there is no header', async () => {
  const silent = await startMailing();
  expect(header(only(await silent.sent(await silent.form(), { message: 'Hello' })), 'list-unsubscribe')).toEqual([]);
  await silent.stop();
});

test('the page asks and changes nothing, in the language of the browser', async () => {
  const form = await mailing.form();
  const path = (await pathsOf(form)).get(OWNER) ?? '';
  const english = await ask(path, 'GET');
  expect([english.status, english.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await english.text()).toMatch(/<form method="post">\s*<button>Unsubscribe</);
  expect(await (await ask(path, 'GET', { 'Accept-Language': 'de' })).text()).toContain('Abbestellen');
  expect((await store.forms.findStored(form.id))?.notify).toEqual([OWNER]);
});

test('a post removes the recipient and their conditions once, recorded as done by them', async () => {
  const when = [{ field: 'topic', is: 'sales' }];
  const form = await mailing.form({ notify: [OWNER, BOB], notifyWhen: { [BOB]: when, [OWNER]: when } });
  const path = (await pathsOf(form)).get(BOB) ?? '';
  const answers = await Promise.all([ask(path), ask(path)]);
  answers.push(await ask(path));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const pages = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(pages).size).toBe(1);
  expect(pages[0]).toContain('You’re unsubscribed');
  const left = await store.forms.findStored(form.id);
  expect([left?.notify, left?.notifyWhen]).toEqual([[OWNER], { [OWNER]: when }]);
  expect(await entriesOf(form)).toEqual([
    expect.objectContaining({
      action: 'recipient.unsubscribed',
      actor: { kind: 'anybody', id: 'anybody', name: BOB, address: expect.stringMatching(/^127\.0\.0\.x$|^::/) },
      details: { form_id: form.id },
    }),
  ]);
});

test('mails that wait are not sent to a recipient who left', async () => {
  const form = await mailing.form({ notify: [OWNER, BOB] });
  const path = (await pathsOf(form)).get(BOB) ?? '';
  mailing.smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 451, text: 'Later' } : undefined));
  expect(await mailing.sent(form, { message: 'Hello' })).toEqual([]);
  mailing.smtp.onMoment(() => undefined);
  await ask(path);
  now += DAY;
  expect(only(await mailing.drained()).envelope.to).toEqual([OWNER]);
});

test('a token works for its form alone, and changed ones lead nowhere', async () => {
  const [form, other] = [await mailing.form(), await mailing.form()];
  const path = (await pathsOf(form)).get(OWNER) ?? '';
  const token = path.split('/').at(-1) ?? '';
  const wrong = [
    `/unsubscribe/${other.id}/${token}`,
    `/unsubscribe/${form.id}/${token.slice(0, -1)}`,
    `/unsubscribe/${form.id}/${token}0`,
    `/unsubscribe/${form.id}/${'0'.repeat(64)}`,
    `/unsubscribe/${form.id}/${token.slice(32)}${token.slice(0, 32)}`,
    `/unsubscribe/${form.id}/%00`,
  ];
  for (const one of wrong) {
    expect([one, (await ask(one)).status]).toEqual([one, 404]);
    const page = await ask(one, 'GET');
    const text = await page.text();
    expect([one, page.status, text]).toEqual([one, 404, expect.stringContaining('This link is incomplete')]);
  }
  expect((await store.forms.findStored(form.id))?.notify).toEqual([OWNER]);
  await ask(path);
  expect((await store.forms.findStored(other.id))?.notify).toEqual([OWNER]);
});

test('requests are limited by client', async () => {
  const own = await startMailing({ BASE_URL });
  const path = `/unsubscribe/frm_x/${'0'.repeat(64)}`;
  const statuses = [];
  for (let n = 0; n < 61; n++) statuses.push((await fetch(own.instance.url + path, { method: 'POST' })).status);
  expect(statuses.slice(0, 60).every((status) => status === 404)).toBe(true);
  expect(statuses[60]).toBe(429);
  await own.stop();
});
