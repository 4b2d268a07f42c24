import { afterAll, describe, expect, test } from 'bun:test';
import type { FormSettings } from '../../../src/domain/forms/form.ts';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { autoReplyMail } from '../../../src/mail/auto-reply.ts';
import { type Arrived, header, OWNER, only, SENDER, startMailing } from './mailing.ts';

let now = Date.UTC(2026, 4, 1) * 1000;
const mailing = await startMailing({}, () => now);
afterAll(mailing.stop);

const formWithAutoReply = (settings: Partial<FormSettings> = {}) =>
  mailing.form({ notify: [], autoReplySubject: 'Thank you', autoReplyText: 'We got it.', ...settings });
const recipients = (mails: readonly Arrived[]) => mails.map(({ envelope }) => envelope.to.join());
let visitors = 0;
const newVisitor = () => `visitor${visitors++}@home.example`;

describe('an auto-reply', () => {
  test('goes to the visitor with the texts of the owner and is marked as automatic', async () => {
    const arrived = only(await mailing.sent(await formWithAutoReply(), { email: 'ada@home.example' }));
    expect(recipients([arrived])).toEqual(['ada@home.example']);
    expect(arrived.mail.from?.address).toBe(SENDER);
    expect([arrived.mail.subject, arrived.mail.text]).toEqual(['Thank you', 'We got it.\n']);
    expect(arrived.mail.html).toContain('We got it.');
    expect(header(arrived, 'auto-submitted')).toEqual(['auto-replied']);
    expect([arrived.mail.replyTo, header(arrived, 'references')]).toEqual([undefined, []]);
  });

  test('is not sent if the form has no text for it', async () => {
    const body = { email: newVisitor() };
    expect(await mailing.sent(await mailing.form({ notify: [] }), body)).toEqual([]);
    expect(await mailing.sent(await formWithAutoReply({ autoReplyText: null }), body)).toEqual([]);
  });

  test('is sent in addition to the notification', async () => {
    const mails = await mailing.sent(await formWithAutoReply({ notify: [OWNER] }), { email: 'bob@home.example' });
    expect(recipients(mails).sort()).toEqual(['bob@home.example', OWNER]);
    expect(new Set(mails.map(({ mail }) => mail.messageId)).size).toBe(2);
  });

  test('goes to _replyto if there is no email field', async () => {
    expect(recipients(await mailing.sent(await formWithAutoReply(), { _replyto: 'ada@home.example' }))).toEqual([
      'ada@home.example',
    ]);
  });

  test('is not sent for spam', async () => {
    const form = await formWithAutoReply({ blockedWords: ['casino'] });
    expect(await mailing.sent(form, { email: newVisitor(), message: 'win at our casino' })).toEqual([]);
  });

  test('that is queued is not sent after it was turned off', async () => {
    const form = await formWithAutoReply();
    mailing.smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 451, text: 'Later' } : undefined));
    expect(await mailing.sent(form, { email: newVisitor() })).toEqual([]);
    mailing.smtp.onMoment(() => undefined);
    await mailing.instance.context.store.forms.update(form.id, { autoReplyText: null });
    now += 10 * MINUTE;
    expect(await mailing.drained()).toEqual([]);
  });
});

describe('the subject', () => {
  test('falls back to a default if neither it nor the form name has printable characters', async () => {
    const reply = { notify: [], autoReplySubject: '{{a}}', autoReplyText: 'We got it.' };
    const form = await mailing.form({ ...reply, name: '\u0007' });
    const { mail } = only(await mailing.sent(form, { email: newVisitor() }));
    expect(mail.subject).toBe('Your message');
  });

  test.each<[string, Partial<FormSettings>]>([
    ['null', { autoReplySubject: null }],
    ['an unknown placeholder', { autoReplySubject: '{{nobody}}' }],
    ['an empty field', { autoReplySubject: ' {{name}} ' }],
  ])('is the name of the form if it is %s', async (_, settings) => {
    const { mail } = only(await mailing.sent(await formWithAutoReply(settings), { email: newVisitor(), name: '' }));
    expect(mail.subject).toBe('Contact');
  });
});

describe('placeholders', () => {
  const filled = async (text: string, sent: Record<string, unknown>) => {
    const form = await formWithAutoReply({ autoReplySubject: text, autoReplyText: text });
    const { mail } = only(await mailing.released(form, { email: newVisitor(), ...sent }));
    return { subject: mail.subject, text: mail.text?.trimEnd(), html: mail.html };
  };

  test.each<[string, Record<string, unknown>, string]>([
    ['Dear {{name}}!', { name: 'Ada' }, 'Dear Ada!'],
    ['{{ name }} {{name}}', { name: 'Ada' }, 'Ada Ada'],
    ['[{{unknown}}]', {}, '[]'],
    ['[{{name}}]', { name: null }, '[]'],
    ['{{topics}}', { topics: ['a', 'b'] }, 'a, b'],
    ['{{order}}', { order: { n: 7 } }, '{"n":7}'],
    ['{{n}} {{yes}}', { n: 7, yes: true }, '7 true'],
    ['{{a.b}} {{x[0]}} {{größe}}', { 'a.b': '1', 'x[0]': '2', größe: '3' }, '1 2 3'],
    ['[{{__proto__}}{{constructor}}{{toString}}]', {}, '[]'],
    ['{{}} {name} {{name} {{{name}}}', { name: 'Ada' }, '{{}} {name} {{name} {Ada}'],
    ['{{name}}', { name: '{{secret}}', secret: 'hidden' }, '{{secret}}'],
    ['{{a}}{{b}}', { a: '{{', b: 'secret}}', secret: 'hidden' }, '{{secret}}'],
    ['{{name}}', { name: "$& $1 $` $'" }, "$& $1 $` $'"],
    ['{{name}}!', { name: 'one\r\ntwo\nthree\u2028four\u0000five' }, 'one two three four five!'],
    ['Card {{card}}.', { card: '4242 4242 4242 4242' }, 'Card ************4242.'],
    ['{{ssn}}', { ssn: '123-45-6789' }, '***-**-6789'],
    ['{{name}}!', { name: 'Win at https://evil.example/?a=b now' }, 'Win at … now!'],
    ['{{name}}!', { name: 'HTTP://evil.example' }, '…!'],
    ['{{name}}!', { name: 'see www.evil.example, ftp://x or evil.example/path' }, 'see … … or …!'],
    ['{{name}}!', { name: 'ht\u202etps://evil.example x' }, '… x!'],
    ['{{name}}!', { name: `https://evil.example/${'x'.repeat(300)}` }, '…!'],
    ['{{a}}', { a: ['http://evil.example', 'b'] }, '… b'],
    ['{{email}} {{name}}', { email: 'ada@home.example', name: 'Dr. Ada/Bob' }, 'ada@home.example Dr. Ada/Bob'],
    ['https://shop.example/{{name}}', { name: 'Ada' }, 'https://shop.example/Ada'],
  ])('in %j are filled from %j', async (template, sent, expected) => {
    const { subject, text } = await filled(template, sent);
    expect([subject, text]).toEqual([expected, expected]);
  });

  test('are escaped in the HTML', async () => {
    const { text, html } = await filled('Dear {{name}}', { name: '<b>Ada</b>' });
    expect(text).toBe('Dear <b>Ada</b>');
    expect(html).toContain('Dear &lt;b&gt;Ada&lt;/b&gt;');
    expect(html).not.toContain('<b>');
  });

  test('are cut at 100 characters each', async () => {
    const { text } = await filled('{{name}}', { name: 'long '.repeat(2_000) });
    expect(text?.length).toBeLessThanOrEqual(100);
    expect(text).toEndWith('…');
  });

  test('with many spaces do not slow down the pattern', async () => {
    const { text } = await filled(`{{${' '.repeat(4_900)}`, {});
    expect(text).toBe('{{');
  });
});

describe('no auto-reply goes to', () => {
  test.each([
    'no-reply@home.example',
    'noreply@home.example',
    'No_Reply@home.example',
    'noreply+123@home.example',
    'shop-noreply@home.example',
    'noreply.orders@home.example',
    'do-not-reply@home.example',
    'donotreply@home.example',
    'MAILER-DAEMON@home.example',
    'mailerdaemon@home.example',
    'postmaster@home.example',
    'Postmaster@home.example',
    'bounce@home.example',
    'bounces@home.example',
    'bounces+ada=home.example@list.example',
    'list-bounces@home.example',
    'list-request@home.example',
    'owner-list@home.example',
    'list-owner@home.example',
    'root@localhost',
    'root@mailhost',
    'ada@127.0.0.1',
    'ada',
    'ada@home.example, bob@home.example',
    'Ada <ada@home.example>',
    'ada@home.example\r\nBcc: bob@home.example',
  ])('%j', async (email) => {
    expect(await mailing.released(await formWithAutoReply(), { email })).toEqual([]);
  });

  test.each([OWNER, OWNER.toUpperCase(), OWNER.replace('@', '+tag@'), SENDER, SENDER.toUpperCase()])(
    'an address of this instance, %s',
    async (email) => {
      expect(recipients(await mailing.sent(await formWithAutoReply({ notify: [OWNER] }), { email }))).toEqual([OWNER]);
    },
  );

  test.each([['ada@home.example'], { a: 'ada@home.example' }, 7, null])('the value %j', async (...email) => {
    expect(await mailing.sent(await formWithAutoReply(), { email, message: 'x' })).toEqual([]);
  });

  test.each(['reply@home.example', 'bouncer@home.example', 'nora.eply@home.example', 'owner@home.example'])(
    'but one does go to %s',
    async (email) => {
      expect(recipients(await mailing.sent(await formWithAutoReply(), { email }))).toEqual([email]);
    },
  );
});

describe('to prevent abuse,', () => {
  test('an address in any spelling gets one auto-reply a day from a form', async () => {
    const form = await formWithAutoReply();
    const times = async (...emails: string[]) => {
      let count = 0;
      for (const email of emails) count += (await mailing.sent(form, { email })).length;
      return count;
    };
    expect(await times('carl@home.example', 'CARL@Home.example', 'carl+1@home.example', ' carl@home.example ')).toBe(1);
    expect(await times('dora@home.example')).toBe(1);
    now += DAY - MINUTE;
    expect(await times('carl@home.example')).toBe(0);
    now += 2 * MINUTE;
    expect(await times('carl@home.example', 'carl@home.example')).toBe(1);
  });

  test('the limit is per form', async () => {
    const email = newVisitor();
    for (const form of [await formWithAutoReply(), await formWithAutoReply()]) {
      expect(await mailing.sent(form, { email })).toHaveLength(1);
    }
  });

  test('concurrent posts with one address cause one auto-reply', async () => {
    const form = await formWithAutoReply();
    const email = newVisitor();
    await Promise.all(Array.from({ length: 20 }, () => mailing.instance.post(form.id, { email })));
    const mails = await mailing.instance.context.store.mails.list({ state: null, limit: 1000 });
    expect(mails.filter(({ formId }) => formId === form.id)).toHaveLength(1);
    await mailing.drained();
  });

  test('a form sends as many in 24 hours as its limit, while every submission is notified', async () => {
    const form = await formWithAutoReply({ notify: [OWNER], autoReplyDailyLimit: 30 });
    const post = () => mailing.sent(form, { email: newVisitor() });
    const before = mailing.smtp.mails.length;
    await Promise.all(Array.from({ length: 29 }, () => mailing.instance.post(form.id, { email: newVisitor() })));
    await mailing.drained();
    expect(mailing.smtp.mails.slice(before).filter(({ to }) => to.join() === OWNER)).toHaveLength(29);
    expect(mailing.smtp.mails).toHaveLength(before + 2 * 29);
    expect(await post()).toHaveLength(2);
    expect(recipients(await post())).toEqual([OWNER]);
    now += DAY - MINUTE;
    expect(recipients(await post())).toEqual([OWNER]);
    now += 2 * MINUTE;
    expect(await post()).toHaveLength(2);
  });
});

const SHOWN_FORM = await mailing.form();

test('the HTML has the logo, the color and the public name of the form, and the text part the text alone', () => {
  const form = { ...SHOWN_FORM, autoReplyText: 'Thank you.', publicName: 'Harps', accentColor: '#aa3355' };
  const branded = autoReplyMail(form, [], 'https://forms.example/f/x/logo/1');
  expect(branded.html).toContain('<img src="https://forms.example/f/x/logo/1" alt="Harps"');
  expect(branded.html).toContain('bgcolor="#aa3355"');
  expect(branded.text).toBe('Thank you.');
  const plain = autoReplyMail({ ...form, accentColor: null }, []);
  expect(plain.html).not.toContain('<img');
  expect(plain.html).toContain('>Harps</td>');
});
