import { afterAll, beforeAll, expect, test } from 'bun:test';
import PostalMime from 'postal-mime';
import { ACCOUNT_TEXTS, EMAIL_TEXTS } from '../../../src/dashboard/users/account/texts.ts';
import { WELCOME_TEXTS } from '../../../src/dashboard/users/sign-in/texts.ts';
import { HOUR, systemClock } from '../../../src/lib/clock.ts';
import { startAtBaseUrl } from '../../support/free-port.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { type SmtpSink, startSmtp } from '../../support/smtp.ts';
import { PASSWORD, signIn } from './signed-in.ts';
import { visitor } from './visitor.ts';

const PATH = '/dashboard/account/email';
const account = ACCOUNT_TEXTS.en;
const t = EMAIL_TEXTS.en;

let ahead = 0;
let smtp: SmtpSink;
let instance: Instance;
beforeAll(async () => {
  smtp = await startSmtp();
  const env = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example', TRUSTED_PROXIES: '127.0.0.1' };
  instance = await startAtBaseUrl(env, () => systemClock() + ahead);
});
afterAll(async () => {
  await instance.stop();
  await smtp.stop();
});

let people = 0;
const address = () => `new${++people}@elsewhere.example`;

const ask = (who: Awaited<ReturnType<typeof signIn>>, new_email: string, password = PASSWORD) =>
  who.post(PATH, { new_email, password });

/** The mails to an address, once there are as many. */
async function mailsTo(to: string, count: number) {
  const mails = () => smtp.mails.filter((mail) => mail.to.includes(to));
  while (mails().length < count) await smtp.arrived(smtp.mails.length + 1);
  return Promise.all(mails().map(({ raw }) => PostalMime.parse(raw)));
}

/** Asks for a change and returns the path of the mailed link. */
async function linkFor(who: Awaited<ReturnType<typeof signIn>>, to: string): Promise<string> {
  expect((await ask(who, to)).headers.get('location')).toBe('/dashboard/account?done=email_sent');
  const [mail] = await mailsTo(to, 1);
  return /\/dashboard\/account\/email\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
}

const actionsOf = async (userId: string) =>
  (await instance.context.store.audit.listFrom(null, { since: 0, after: 0, limit: 100_000 }))
    .filter(({ actor }) => actor.id === userId)
    .map(({ action }) => action);

test('a mailed link changes the address, ends no session, and the previous address is told', async () => {
  const me = await signIn(instance, await instance.makeOwner());
  const to = address();
  const link = await linkFor(me, to);
  expect(await me.page('/dashboard/account')).toContain(me.user.email);
  expect(await me.page(link)).toContain(t.confirmTitle(to));
  expect((await me.post(link)).headers.get('location')).toBe('/dashboard/account?done=email');
  const page = await me.page('/dashboard/account?done=email');
  expect(page).toContain(account.done.email);
  expect(page).toContain(to);
  const [told] = await mailsTo(me.user.email, 1);
  expect([told?.subject, told?.text]).toEqual([t.former.subject, expect.stringContaining(to)]);
  expect((await me.post(link)).status).toBe(404);
  const signInAs = (email: string) => visitor(instance).post('/dashboard/sign-in', { email, password: PASSWORD });
  expect((await signInAs(me.user.email)).status).toBe(400);
  expect((await signInAs(to)).status).toBe(303);
  expect(await actionsOf(me.user.id)).toEqual(['email_change.requested', 'email_change.confirmed', 'signed_in']);
});

test('a link works for its user alone, in a session, and within an hour', async () => {
  const owner = await instance.makeOwner();
  const me = await signIn(instance, owner);
  const link = await linkFor(me, address());
  const other = await signIn(instance, owner);
  expect([(await other.get(link)).status, (await other.post(link)).status]).toEqual([404, 404]);
  const outside = await visitor(instance).get(link);
  expect(outside.headers.get('location')).toBe(`/dashboard/sign-in?to=${encodeURIComponent(link)}`);
  // It does not reset the password either.
  const token = link.split('/').at(-1);
  expect((await visitor(instance).get(`/dashboard/reset/${token}`)).status).toBe(404);
  ahead += HOUR + 1;
  expect([(await me.get(link)).status, (await me.post(link)).status]).toEqual([404, 404]);
  ahead = 0;
});

test('a newer request replaces the link', async () => {
  const me = await signIn(instance, await instance.makeOwner());
  const [mistyped, right] = [address(), address()];
  const first = await linkFor(me, mistyped);
  const second = await linkFor(me, right);
  expect((await me.post(first)).status).toBe(404);
  expect((await me.post(second)).status).toBe(303);
});

test('a taken address gets no mail, and the answer is the same', async () => {
  const owner = await instance.makeOwner();
  const [me, other] = [await signIn(instance, owner), await signIn(instance, owner)];
  const [taken, free] = [await ask(me, other.user.email.toUpperCase()), await ask(me, address())];
  expect([taken.status, taken.headers.get('location')]).toEqual([free.status, free.headers.get('location')]);
  await mailsTo(`new${people}@elsewhere.example`, 1);
  expect(smtp.mails.filter(({ to }) => to.includes(other.user.email))).toEqual([]);
});

test('an address that was taken since is refused, and the link still works later', async () => {
  const owner = await instance.makeOwner();
  const me = await signIn(instance, owner);
  const to = address();
  const link = await linkFor(me, to);
  await signIn(instance, owner, { email: to });
  const refused = await me.post(link);
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(WELCOME_TEXTS.en.taken)]);
  expect((await instance.context.store.users.find(me.user.id))?.email).toBe(me.user.email);
});

test.each([
  ['a wrong password', 'ada@new.example', 'wrong', account.wrongPassword],
  ['no address', 'ada', PASSWORD, account.noEmail],
])('%s shows an error and keeps the input', async (_, to, password, error) => {
  const me = await signIn(instance, await instance.makeOwner());
  const answer = await ask(me, to, password);
  const markup = await answer.text();
  expect([answer.status, markup.includes(error), markup.includes(`value="${to}"`)]).toEqual([400, true, true]);
});

test('three links an hour', async () => {
  const me = await signIn(instance, await instance.makeOwner());
  const statuses = [];
  for (let asked = 0; asked < 4; asked++) statuses.push((await ask(me, address())).status);
  expect(statuses).toEqual([303, 303, 303, 429]);
});

test('the page explains why a server without mail cannot do it', async () => {
  const bare = await startInstance();
  const me = await signIn(bare, bare.owner);
  expect(await me.page(PATH)).toContain(t.noMail);
  expect(await (await me.post(PATH, { new_email: 'ada@new.example', password: PASSWORD })).text()).toContain(t.noMail);
  await bare.stop();
});

test('the theme of the header menu is kept, and leads back to the page', async () => {
  const me = await signIn(instance, await instance.makeOwner());
  expect(await me.page('/dashboard/team')).toContain('<html lang="en">');
  const answer = await me.post('/dashboard/account/theme', { theme: 'dark', to: '/dashboard/team?a=1' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/team?a=1']);
  expect(await me.page('/dashboard/team')).toContain('<html lang="en" data-theme="dark">');
  for (const to of ['https://evil.example/', '//evil.example/dashboard/', '']) {
    const away = await me.post('/dashboard/account/theme', { theme: 'pink', to });
    expect(away.headers.get('location')).toBe('/dashboard/forms');
  }
  expect(await me.page('/dashboard/team')).toContain('<html lang="en">');
});

test('a display name is shown in the header and among the members, on one line and escaped', async () => {
  const owner = await instance.makeOwner();
  const [me, other] = [await signIn(instance, owner), await signIn(instance, owner)];
  await me.post('/dashboard/account/preferences', { name: '  Ada\n<b>Byron</b> ', language: 'en' });
  expect(await me.page('/dashboard/forms')).toContain('<span class="name">Ada &lt;b&gt;Byron&lt;/b&gt;</span>');
  expect(await other.page('/dashboard/team')).toContain('Ada &lt;b&gt;Byron&lt;/b&gt;');
  await me.post('/dashboard/account/preferences', { name: ' ', language: 'en' });
  expect(await me.page('/dashboard/forms')).toContain(`<span class="name">${me.user.email}</span>`);
});
