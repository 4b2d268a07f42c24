import { afterAll, expect, test } from 'bun:test';
import { digestJob } from '../../../src/jobs/digests.ts';
import { DAY, type Micros } from '../../../src/lib/clock.ts';
import { MAIL_CATALOG } from '../../../src/mail/locale.ts';
import { ownAddress, startOnFreePort } from '../../support/free-port.ts';
import type { Owner } from '../../support/instance.ts';
import { makeAccount, signIn } from '../dashboard/signed-in.ts';
import { type Arrived, startMailing } from './mailing.ts';

const PLANS = JSON.stringify({ five: { api_access: true, submissions_limit: 5 } });
const GERMAN_MONTH = 'Juli|Aug\\.';

let now: Micros = Date.UTC(2026, 6, 1, 12) * 1000;
const mailing = await startMailing({ PLANS }, () => now);
const linked = await startOnFreePort((port) => startMailing({ PLANS, ...ownAddress(port) }, () => now));
afterAll(() => Promise.all([mailing.stop(), linked.stop()]));

/** Creates a team with owners who have these languages, in the order in which they joined. */
async function teamOf(languages: ReadonlyArray<string | null>, { instance } = mailing, plan = 'unlimited') {
  const owner = await instance.makeOwner(plan);
  const users = [];
  for (const language of languages) {
    users.push(await makeAccount(instance, owner, { language }));
    now += 1;
  }
  return { owner, users };
}

/** Posts to a form of the owner that notifies these addresses, and returns the mails sent. */
async function notified(owner: Owner, notify: readonly string[], body = { message: 'Hello' }, of = mailing) {
  return of.sent(await of.instance.makeForm(owner, { notify: [...notify] }), body);
}

async function runDigests({ instance, drained } = mailing): Promise<Arrived[]> {
  const { mail } = instance.context;
  if (!mail) throw new Error('mail is not configured');
  await digestJob({ ...instance.context, ...mail }).step(new AbortController().signal);
  return drained();
}

const mailTo = (mails: readonly Arrived[], to: string) => mails.find(({ envelope }) => envelope.to.includes(to))?.mail;
const subjectOf = (mails: readonly Arrived[], to: string) => mailTo(mails, to)?.subject;
const titleOf = (mails: readonly Arrived[], to: string) => mailTo(mails, to)?.text?.split('\n')[0];
const texts = (mails: readonly Arrived[]) => mails.map(({ mail }) => mail.text).join('\n');

test('a notification is in the language of the recipient’s account', async () => {
  const { owner, users } = await teamOf([null, 'de', 'en']);
  const [, german, english] = users.map(({ email }) => email);
  const mails = await notified(owner, [german ?? '', english ?? '', 'stranger@shop.example']);
  expect(titleOf(mails, german ?? '')).toBe('Neue Einsendung: Contact');
  expect(titleOf(mails, english ?? '')).toBe('New submission: Contact');
  expect(titleOf(mails, 'stranger@shop.example')).toBe('New submission: Contact');
  const html = mails.map(({ mail }) => /<html lang="(\w*)"/.exec(mail.html ?? '')?.[1]);
  expect(html.sort()).toEqual(['de', 'en', 'en']);
});

test('without an account, it is in the language of the team’s first owner', async () => {
  const { owner } = await teamOf(['de', 'en']);
  const form = new FormData();
  form.set('message', 'x'.repeat(5_000));
  form.set('upload', new File(['abc'], 'a.txt'));
  const mails = await mailing.sent(await mailing.instance.makeForm(owner, { notify: ['a@shop.example'] }), form);
  expect(titleOf(mails, 'a@shop.example')).toBe('Neue Einsendung: Contact');
  expect(texts(mails)).toContain('… (gekürzt)');
  expect(texts(mails)).toContain('Datei\n  a.txt (3 Byte)');
  expect(texts(mails)).toContain('keine E-Mail-Adresse für eine Antwort');
  expect(texts(mails)).toContain('Eingegangen am ');
});

test('digests and spam summaries are translated, with dates in that language and the zone of the form', async () => {
  const { owner } = await teamOf(['de']);
  const form = await mailing.instance.makeForm(owner, {
    notify: ['a@shop.example'],
    digest: 'daily',
    timeZone: 'Asia/Kathmandu',
    blockedWords: ['casino'],
  });
  await runDigests();
  for (const message of ['Hallo', 'Servus', 'casino']) await mailing.sent(form, { message });
  now += 2 * DAY;
  const mails = await runDigests();
  expect(mails.map(({ mail }) => mail.subject).sort()).toEqual([
    '1 Einsendung als Spam zurückgehalten: Contact',
    '2 neue Einsendungen: Contact',
  ]);
  for (const { mail } of mails) {
    expect(mail.text).toMatch(
      new RegExp(`Von \\d\\. (${GERMAN_MONTH}) 2026, \\d\\d:\\d\\d bis .*, 00:00, Asia/Kathmandu`),
    );
  }
  expect(texts(mails)).toContain('formstead submission mark <id> --genuine');
  expect(texts(mails)).not.toMatch(/\b(?:Form|Submission|Why|From) /);
});

test('with a dashboard, no mail names a command', async () => {
  const { owner, users } = await teamOf(['de'], linked, 'five');
  const form = await linked.instance.makeForm(owner, { notify: [users[0]?.email ?? ''], blockedWords: ['casino'] });
  await runDigests(linked);
  for (const message of ['casino', 'Hallo', 'Hallo', 'Hallo']) await linked.sent(form, { message });
  const warnings = linked.smtp.mails.filter(({ raw }) => raw.includes('dashboard/usage'));
  expect(warnings).toHaveLength(1);
  now += 2 * DAY;
  const mails = await runDigests(linked);
  expect(texts(mails)).toContain('Wählen Sie „Kein Spam“');
  expect(linked.smtp.mails.map(({ raw }) => raw.toString()).join('')).not.toMatch(/formstead (?:submission|team)/);
});

test('the warning about a plan is in the language of each member', async () => {
  const { owner, users } = await teamOf(['de', 'en'], mailing, 'five');
  const mails = [];
  for (let n = 0; n < 4; n++) mails.push(...(await mailing.sent(owner.form, { message: `Hello ${n}` })));
  expect(subjectOf(mails, users[0]?.email ?? '')).toBe('„Team“ hat 80 % der Einsendungen dieses Monats verbraucht');
  expect(subjectOf(mails, users[1]?.email ?? '')).toBe('“Team” has used 80% of its submissions this month');
  expect(texts(mails)).toMatch(/bis 1\. Aug\. 2026, 00:00 UTC/);
});

test('an auto-reply is not translated', async () => {
  const { owner } = await teamOf(['de']);
  const form = await mailing.instance.makeForm(owner, { autoReplyText: 'Thanks, {{name}}.' });
  const [reply] = await mailing.sent(form, { name: 'Ada', email: 'ada@home.example' });
  expect([reply?.mail.subject, reply?.mail.text?.trim()]).toEqual(['Contact', 'Thanks, Ada.']);
  expect(reply?.mail.html).toContain('<html lang="">');
});

test('the reasons of a failed test mail are in the language of the page', async () => {
  const me = await signIn(mailing.instance, mailing.instance.owner, { language: 'de' });
  await me.post('/dashboard/mail/test', { to: me.user.email });
  expect((await mailing.drained()).map(({ mail }) => mail.subject)).toEqual(['Test-E-Mail von Formstead']);
  mailing.smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 553, text: 'Not yours' } : undefined));
  const answer = await me.post('/dashboard/mail/test', { to: me.user.email });
  mailing.smtp.onMoment(() => undefined);
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringMatching(
      /Die E-Mail konnte nicht gesendet werden: [^<]*Verwenden Sie einen Absender \(MAIL_FROM\)[^<]*553 Not yours/,
    ),
  ]);
});

test('every language has other words than English', () => {
  const flat = (texts: object): string[] =>
    Object.values(texts).flatMap((value) => (typeof value === 'object' ? flat(value) : [String(value)]));
  const english = flat(MAIL_CATALOG.textsIn('en'));
  for (const language of MAIL_CATALOG.languages.filter((one) => one !== 'en')) {
    const equal = flat(MAIL_CATALOG.textsIn(language)).filter((text) => english.includes(text));
    expect(equal).toEqual([]);
  }
});
