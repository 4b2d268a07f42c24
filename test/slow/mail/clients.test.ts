import { afterAll, describe, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { digestJob } from '../../../src/jobs/digests.ts';
import { DAY, HOUR, systemClock } from '../../../src/lib/clock.ts';
import { sendLink } from '../../../src/services/mail/link-mail.ts';
import { sendTestMail } from '../../../src/services/mail/test-mail.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { HOSTILE_TEXTS } from '../../fast/dashboard/hostile-texts.ts';
import { brokenRules } from '../../fast/mail/clients.ts';
import { type Arrived, addMember, OWNER, parsed, startMailing } from '../../fast/mail/mailing.ts';
import { Receiver } from '../../support/receiver.ts';

/** Letters of eight scripts, each with what its script is hard on. */
const SCRIPTS: Readonly<Record<string, string>> = {
  Latin: 'Größenwahn & “Straße” <b>fett</b> ',
  Cyrillic: 'Доброго дня! Чи можна забронювати залу? ',
  Greek: 'Η τρίτη σελίδα του οδηγού σας έχει λάθος. ',
  Arabic: 'مرحبا، هل الدورة مناسبة للمبتدئين؟ ',
  Hebrew: 'שלום, האם אפשר להזמין את האולם? ',
  Devanagari: 'नमस्ते, क्या आप वीणा ठीक करते हैं? ',
  Japanese: 'ハープの修理についてお伺いしたいことがあります。',
  Thai: 'สวัสดีค่ะขอสอบถามเรื่องการจองห้องประชุม ',
};

const PAYLOADS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a usual submission': {
    name: 'Ada Byron',
    email: 'ada@example.com',
    message: 'See https://a.example/?x=1&y=2, please.',
  },
  'hostile texts': Object.fromEntries([
    ...HOSTILE_TEXTS.map((text, index) => [`${text.slice(0, 80)}${index}`, text] as const),
    ['name', HOSTILE_TEXTS[3] ?? ''],
    ['message', HOSTILE_TEXTS.join(' ')],
  ]),
  'hostile links': {
    message: [
      ...['javascript:alert(1)', 'https://a.example/"onmouseover="x', "http://a.example/'x", 'https://<b>', 'http://['],
      ...[
        `https://a.example/${'x'.repeat(3_000)}`,
        'a@b.example"onclick=x',
        'data:text/html,x',
        'https://a.example/<i>',
      ],
    ].join('\n'),
  },
  'fields full of quotes': many('"'),
  'fields full of line breaks': { ...many('\n'), last: 'x' },
  'fields full of URLs': many('https://a.example/?&&&&& '),
  'fields full of emoji': many('👩‍👩‍👧‍👦'),
  'one long word': { name: 'n'.repeat(10_000), message: 'w'.repeat(200_000) },
  ...Object.fromEntries(
    Object.entries(SCRIPTS).map(([name, text]) => [
      `${name}, short and long`,
      { name: text, message: text.repeat(3), [text.slice(0, 40)]: text, notes: text.repeat(80), ...many(text, 40) },
    ]),
  ),
};

/** Returns a submission with many long values. */
function many(text: string, count = 80): Record<string, string> {
  const value = text.repeat(Math.ceil(2_500 / text.length));
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`${text.trim().slice(0, 30)}_${n}`, value]));
}

let ahead = 0;
const PLANS = JSON.stringify({ five: { api_access: true, submissions_limit: 5 } });
const mailing = await startMailing(
  { BASE_URL: 'https://forms.example', PLANS, POSTS_PER_MINUTE: '0' },
  () => systemClock() + ahead,
);
afterAll(mailing.stop);
const { instance } = mailing;
const { context } = instance;

async function runDigests(): Promise<Arrived[]> {
  if (!context.mail) throw new Error('mail is not configured');
  await digestJob({ ...context, ...context.mail }).step(new AbortController().signal);
  return mailing.drained();
}

/** Requires one mail at least. */
function expectRules(mails: readonly Arrived[]): void {
  expect(mails.length).toBeGreaterThan(0);
  for (const one of mails) expect(brokenRules(one)).toEqual([]);
}

/** Returns the mails that arrive during an action. */
async function mailsDuring(act: () => Promise<unknown>): Promise<Arrived[]> {
  const before = mailing.smtp.mails.length;
  await act();
  await mailing.drained();
  return Promise.all(mailing.smtp.mails.slice(before).map(parsed));
}

/** Releases what the filter takes for spam. */
const posted = (form: Form, body: Readonly<Record<string, string>>) => mailing.released(form, body);

describe.each(Object.entries(PAYLOADS))('with %s', (_, payload) => {
  const name = Object.values(payload).join(' ').trim().slice(0, 190) || 'Contact';
  const settings = { name, timeZone: 'Asia/Kathmandu' };

  test('notifications obey the rules of mail clients, and link to what they leave out', async () => {
    const mails = await posted(await mailing.form({ ...settings, senderName: name.slice(0, 100) }), payload);
    expectRules(mails);
    const [{ mail } = {}] = mails;
    const isShortened = /\(shortened\)|left out for length/.test(mail?.text ?? '');
    expect(mail?.text?.includes('Open in the dashboard: https://forms.example/')).toBe(isShortened);
    expect(mail?.html).toMatch(/href="https:\/\/forms\.example\/dashboard\/submissions\/sub_\w+"/);
  });

  test('auto-replies obey them', async () => {
    const [first = ''] = Object.values(payload);
    const form = await mailing.form({
      ...settings,
      notify: [],
      autoReplyText: `Dear {{name}}\n\n${first.slice(0, 4_000)}`,
    });
    const email = `ada${crypto.randomUUID()}@home.example`;
    expectRules(await posted(form, { name: first, email, _replyto: email }));
  });

  test('digests and spam summaries obey them', async () => {
    const form = await mailing.form({ ...settings, digest: 'hourly', blockedWords: ['casino'] });
    await runDigests();
    const short = Object.entries(payload).slice(0, 10);
    const beginning = Object.fromEntries(short.map(([field, value]) => [field, value.slice(0, 1_000)]));
    const posts = Array.from({ length: 110 }, (_, n) => ({ a: n % 4 === 0 ? 'casino' : String(n), ...beginning }));
    const answers = await Promise.all(posts.map((body) => instance.post(form.id, body)));
    expect(answers.filter(({ ok }) => !ok)).toEqual([]);
    const mails = await mailsDuring(() => {
      ahead += DAY + HOUR;
      return runDigests();
    });
    expectRules(mails);
    expect(mails.some(({ mail }) => mail.subject?.includes('spam'))).toBe(true);
  });
});

const [HOSTILE = ''] = HOSTILE_TEXTS;

describe.each(['en', 'de'] as const)('in %s', (language) => {
  test('warnings about plans obey them', async () => {
    const owner = await instance.makeOwner('five');
    await addMember(instance, owner.teamId, `${language}@shop.example`, { language });
    const hello = () => instance.post(owner.form.id, { message: 'Hello' });
    expectRules(await mailsDuring(() => Promise.all([1, 2, 3, 4, 5].map(hello))));
  });

  test('mails about failing webhooks obey them', async () => {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, { name: HOSTILE });
    await addMember(instance, owner.teamId, `owner.${language}@shop.example`, { language });
    const receiver = new Receiver();
    receiver.usual = () => new Response('', { status: 503 });
    const deps = { ...context, plans: context.config.plans };
    await createWebhook(deps, form.id, 'standard', { url: receiver.url });
    const fail = async () => {
      await instance.post(form.id, { name: 'Cleo' });
      for (let hours = 0; hours < 30; hours++) {
        ahead += HOUR;
        await context.webhooks.drain();
      }
    };
    expectRules(await mailsDuring(fail));
    await receiver.stop();
  });

  test('invitations, resets and test mails obey them', async () => {
    const { mail, clock } = context;
    if (!mail) throw new Error('mail is not configured');
    const [subject, before, after] = [HOSTILE, HOSTILE_TEXTS.join(' '), HOSTILE];
    const link = { to: OWNER, language, subject, before, url: 'https://forms.example/x', button: HOSTILE, after };
    expectRules(await mailsDuring(() => sendLink(mail, clock, link)));
    expectRules(await mailsDuring(() => sendTestMail(context, OWNER, language)));
  });
});
