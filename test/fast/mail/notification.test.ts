import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mailLocale } from '../../../src/mail/locale.ts';
import { startInstance } from '../../support/instance.ts';
import { blobNames, formData, noise } from '../visitor/files.ts';
import { header, OWNER, only, SENDER, startMailing } from './mailing.ts';

const KiB = 1024;
const mailing = await startMailing({ MAIL_ATTACH_LIMIT: String(100 * KiB) });
afterAll(mailing.stop);
const { instance } = mailing;

const storedMails = () => instance.context.store.mails.list({ state: null, limit: 1000 });

describe('notifications go to', () => {
  test('each recipient of the form in a separate mail', async () => {
    const form = await mailing.form({ notify: ['a@x.example', 'b@y.example', 'c@z.example'] });
    const arrived = await mailing.sent(form, { message: 'Hello' });
    const addressed = arrived.map(({ envelope, mail }) => [envelope.to, mail.to?.map(({ address }) => address)]);
    expect(addressed.sort()).toEqual(form.notify.map((address) => [[address], [address]]));
    expect(new Set(arrived.map(({ envelope }) => envelope.messageId)).size).toBe(3);
    expect(arrived.map(({ mail }) => [mail.cc, mail.bcc])).toEqual(form.notify.map(() => [undefined, undefined]));
  });

  test('nobody if the form has no recipients', async () => {
    expect(await mailing.sent(await mailing.form({ notify: [] }), { message: 'Hello' })).toEqual([]);
  });

  test('nobody for spam, honeypot hits and refused posts', async () => {
    const form = await mailing.form({ blockedWords: ['casino'] });
    const before = (await storedMails()).length;
    expect(await mailing.sent(form, { message: 'Hello', _gotcha: 'x' })).toEqual([]);
    expect(await mailing.sent(form, { message: 'win at our casino' })).toEqual([]);
    expect((await instance.post(form.id, {})).status).toBe(400);
    expect((await instance.post(form.id, '{')).status).toBe(415);
    expect(await mailing.drained()).toEqual([]);
    expect((await storedMails()).length).toBe(before);
  });

  test('each recipient once for repeated posts with one Idempotency-Key', async () => {
    const form = await mailing.form();
    const post = () => instance.post(form.id, { message: 'Hello' }, { 'Idempotency-Key': 'same' });
    expect((await Promise.all([post(), post(), post()])).map(({ status }) => status)).toContain(200);
    await post();
    await mailing.drained();
    const mails = (await storedMails()).filter(({ formId }) => formId === form.id);
    expect(mails.map(({ state }) => state)).toEqual(['sent']);
  });

  test('current recipients only, also for queued mails', async () => {
    const form = await mailing.form({ notify: [OWNER, 'gone@x.example'] });
    mailing.smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 451, text: 'Later' } : undefined));
    expect(await mailing.sent(form, { message: 'Hello' })).toEqual([]);
    mailing.smtp.onMoment(() => undefined);
    await instance.context.store.forms.update(form.id, { notify: [OWNER] });
    for (const { id, formId } of await storedMails()) {
      if (formId === form.id) await instance.context.store.mails.retry({ id });
    }
    expect(only(await mailing.drained()).envelope.to).toEqual([OWNER]);
  });

  test('nobody without a mail server, and nothing is queued', async () => {
    const silent = await startInstance();
    const form = await silent.makeForm(silent.owner, { notify: [OWNER], autoReplyText: 'Thanks' });
    expect((await silent.post(form.id, { email: 'ada@example.com' })).status).toBe(200);
    expect(await silent.context.store.mails.list({ state: null, limit: 10 })).toEqual([]);
    expect(silent.logs.join('')).toContain('mail is disabled');
    await silent.stop();
  });
});

describe('the subject', () => {
  test('is general, because From names the form, if there is neither a visitor nor a message', async () => {
    const form = await mailing.form({ name: 'Wünsche & Träume 💌' });
    const { mail } = only(await mailing.sent(form, { rating: '5' }));
    expect([mail.from?.name, mail.subject]).toEqual(['Wünsche & Träume 💌', 'New submission']);
  });

  test.each([
    ['Question about an order', 'Question about an order'],
    ['  Grüße  aus Köln 🎉 ', 'Grüße  aus Köln 🎉'],
    ['one\r\ntwo\n\nthree\u2028four', 'one two three four'],
    ['x'.repeat(10_000), `${'x'.repeat(149)}…`],
    ['💌'.repeat(151), `${'💌'.repeat(149)}…`],
    ['4242 4242 4242 4242', '************4242'],
  ])('is the _subject of the visitor on one line', async (sent, subject) => {
    const arrived = only(await mailing.sent(await mailing.form(), { message: 'Hello', _subject: sent }));
    expect(arrived.mail.subject).toBe(subject);
    expect(header(arrived, 'subject')).toHaveLength(1);
  });

  test.each([[''], ['  \n'], ['\u0000'], [7], [['a', 'b']], [{ a: 'b' }], [null]])(
    'is the usual one if _subject is %j',
    async (sent) => {
      const { mail } = only(await mailing.sent(await mailing.form(), { message: 'Hello', _subject: sent }));
      expect(mail.subject).toBe('Hello');
    },
  );

  test('is repeated in the text only if it is not shown in full', async () => {
    const form = await mailing.form();
    const textWith = async (_subject: unknown) =>
      only(await mailing.sent(form, { message: 'Hello', _subject })).mail.text ?? '';
    expect(await textWith(`${'long '.repeat(40)}end`)).toContain('long end');
    expect(await textWith(['odd', 'kind'])).toContain('odd, kind');
    expect(await textWith('short')).not.toContain('_subject');
  });
});

describe('the text', () => {
  test('shows fields in the order of the form, others as sent, with the labels of the form', async () => {
    const form = await mailing.form({
      fields: [
        { name: 'mail', label: 'Email address', type: 'email', required: false },
        { name: 'unused', label: 'Unused', type: 'text', required: false },
      ],
    });
    const sent = { zeta: 'last?', mail: 'ada@example.com', Alpha: 'line 1\nline 2', empty: '', yes: true, n: 3.5 };
    const { mail } = only(await mailing.sent(form, sent));
    expect(mail.text?.split('\n-- \n')[0]?.replace(/^Received .*\n/m, '')).toBe(
      [
        'New submission: Contact\n',
        'Email address\n  ada@example.com\n',
        'zeta\n  last?\n',
        'Alpha\n  line 1\n  line 2\n',
        'empty\n  –\n',
        'yes\n  Yes\n',
        'n\n  3.5\n',
      ].join('\n'),
    );
  });

  test('joins a list, and shows nested values one per line', async () => {
    const sent = { topics: ['engine', 'notes'], order: { item: 'book', tags: ['a'], price: 7 } };
    const { mail } = only(await mailing.sent(await mailing.form(), sent));
    expect(mail.text).toContain('topics\n  engine, notes\n');
    expect(mail.text).toContain('order\n  item: book\n  tags: a\n  price: 7\n');
  });

  test('masks card and social security numbers everywhere', async () => {
    const card = '4242 4242 4242 4242';
    const sent = { [`my ${'card'}`]: card, ssn: '123-45-6789', deep: { list: [card] }, n: 4242424242424242 };
    const { mail } = only(await mailing.sent(await mailing.form(), sent));
    for (const text of [mail.text ?? '', mail.html ?? '']) {
      expect(text.match(/\*{12}4242/g)).toHaveLength(3);
      expect(text).toContain('***-**-6789');
      expect(text.replace(/\s/g, '')).not.toContain('4242424242424242');
      expect(text).not.toContain('123-45');
    }
  });

  test('shortens a long value with a note and splits no character', async () => {
    const { mail } = only(await mailing.sent(await mailing.form(), { a: `x${'💌'.repeat(20_000)}`, b: 'after' }));
    expect(mail.text).toContain('… (shortened)');
    expect(mail.text).toContain('b\n  after');
    expect(mail.text).not.toContain('\ufffd');
    expect(mail.text?.length).toBeLessThan(5_000);
  });

  test('is short enough for all mail clients and counts the omitted fields', async () => {
    const sent = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`field ${n}`, 'word '.repeat(100)]));
    const { envelope, mail } = only(await mailing.sent(await mailing.form(), sent));
    const shown = mail.text?.match(/^field \d+$/gm) ?? [];
    expect(shown.length).toBeGreaterThan(50);
    expect(mail.text).toContain(`and ${900 - shown.length} more`);
    expect(envelope.raw.length).toBeLessThan(200 * KiB);
  });

  test('has no ids, and the time in the time zone of the form', async () => {
    const form = await mailing.form({ timeZone: 'Asia/Tokyo' });
    const { mail } = only(await mailing.sent(form, { message: 'Hello' }));
    const [row] = await instance.stored(instance.owner, form);
    const stored = await instance.context.store.submissions.find(row?.id ?? '', instance.owner.teamId);
    const time = mailLocale('en').time(stored?.createdAt ?? 0, 'Asia/Tokyo');
    expect(mail.text).toStartWith(`New submission: Contact\nReceived ${time}\n`);
    expect(mail.html).toContain(`Received ${time}</div>`);
    expect(`${mail.text}${mail.html}`).not.toMatch(/(?:sub|frm)_/);
  });
});

describe('the HTML', () => {
  test('has the same content as the text', async () => {
    const sent = { name: 'Ada', message: 'line 1\nline 2', topics: ['engine', 'notes'] };
    const { mail } = only(await mailing.sent(await mailing.form(), sent));
    const words = (text = '') => text.split(/\s+/).filter((word) => word && word !== '--');
    const body = mail.html?.replace(/^.*<body[^>]*>(?:<div style="display:none[^>]*>[^<]*<\/div>)?/s, '');
    expect(words(body?.replaceAll(/<[^>]*>/g, ' '))).toEqual(words(mail.text));
    expect(mail.html).toContain('line 1<br/>line 2');
  });

  test('escapes all values', async () => {
    const nasty = `<img src=x onerror="alert(1)">&amp;'</dd></style><script>`;
    const form = await mailing.form({
      name: nasty,
      fields: [{ name: 'a', label: nasty, type: 'text', required: false }],
    });
    const { mail } = only(await mailing.released(form, { a: nasty, [nasty]: { [nasty]: nasty } }));
    expect(mail.html).not.toMatch(/<img|<script|<\/dd><\/style>/);
    expect(mail.html?.match(/&lt;img src=x/g)?.length).toBeGreaterThan(4);
    expect(mail.text).toContain(nasty);
  });

  test('supports light and dark mode and loads nothing', async () => {
    const { mail } = only(await mailing.sent(await mailing.form(), { message: 'Hello' }));
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(mail.html).toContain('prefers-color-scheme: dark');
    expect(mail.html).not.toMatch(/https?:|\/\/|url\(|@import|<(?:img|link|script|iframe|object)|src=/);
  });
});

describe('the headers', () => {
  test('mark the mail as automatic, which prevents automatic replies', async () => {
    const arrived = only(await mailing.sent(await mailing.form(), { message: 'Hello' }));
    expect(header(arrived, 'auto-submitted')).toEqual(['auto-generated']);
    expect(header(arrived, 'x-auto-response-suppress')).toEqual(['All']);
  });

  test('keep Message-ID and Date on retries', async () => {
    const form = await mailing.form();
    mailing.smtp.onMoment(({ stage }) => (stage === 'ACCEPTED' ? 'drop' : undefined));
    const first = only(await mailing.sent(form, { message: 'Hello' }));
    mailing.smtp.onMoment(() => undefined);
    const waiting = (await storedMails()).find(({ formId }) => formId === form.id);
    expect(waiting?.state).toBe('retrying');
    await instance.context.store.mails.retry({ id: waiting?.id ?? '' });
    const second = only(await mailing.drained());
    expect(second.mail.messageId).toBe(first.mail.messageId);
    expect(second.mail.date).toBe(first.mail.date);
    expect(second.mail.messageId).toMatch(/^<sub_\w+\.0@mail\.example>$/);
    expect(first.mail.messageId?.endsWith(`@${SENDER.split('@')[1]}>`)).toBe(true);
  });

  test('thread the mails of one form if it has this enabled', async () => {
    const threaded = [await mailing.form({ threadMails: true }), await mailing.form({ threadMails: true })];
    const references = async (form: (typeof threaded)[number]) => {
      const arrived = only(await mailing.sent(form, { message: 'Hello' }));
      expect(header(arrived, 'in-reply-to')).toEqual(header(arrived, 'references'));
      return header(arrived, 'references');
    };
    const [one, other] = threaded;
    if (!one || !other) throw new Error('expected two forms');
    const ofOne = await references(one);
    expect(ofOne).toEqual([expect.stringMatching(/^<[^<>\s]+@mail\.example>$/)]);
    expect(await references(one)).toEqual(ofOne);
    expect(await references(other)).not.toEqual(ofOne);
    expect(await references(await mailing.form())).toEqual([]);
  });
});

describe('files', () => {
  const file = (name: string, bytes: Uint8Array<ArrayBuffer>, type = 'application/x-test') => {
    return ['upload', new File([bytes], name, { type })] as const;
  };
  const attached = ({ mail }: Awaited<ReturnType<typeof mailing.sent>>[number]) =>
    mail.attachments.map(({ filename, mimeType, content }) => [
      filename,
      mimeType,
      Buffer.from(content as ArrayBuffer),
    ]);

  test('are listed with their sizes and by default not attached', async () => {
    const body = formData([
      file('plan.pdf', noise(2 * KiB)),
      file('große Liste.txt', noise(1536)),
      file('a', noise(7)),
    ]);
    const arrived = only(await mailing.sent(await mailing.form(), body));
    expect(arrived.mail.text).toContain('Files\n  plan.pdf (2 kB)\n  große Liste.txt (1.5 kB)\n  a (7 bytes)');
    expect(arrived.mail.attachments).toEqual([]);
  });

  test('are attached unchanged if the form enables it', async () => {
    const [a, b] = [noise(60 * KiB), noise(0)];
    const text = Buffer.from('bare\nline feeds\r\n.dots\r\n..\r\n\r\nGrüße\u0000');
    const body = formData([
      file('a b.bin', a),
      file('leer.txt', b),
      file('wörter.txt', new Uint8Array(text), 'text/plain'),
    ]);
    const arrived = only(await mailing.sent(await mailing.form({ attachFiles: true }), body));
    expect(attached(arrived)).toEqual([
      ['a b.bin', 'application/x-test', Buffer.from(a)],
      ['leer.txt', 'application/x-test', Buffer.from(b)],
      ['wörter.txt', 'text/plain', text],
    ]);
    expect(arrived.mail.attachments.map(({ disposition }) => disposition)).toEqual(Array(3).fill('attachment'));
  });

  test.each([
    [100 * KiB, 1],
    [100 * KiB + 1, 0],
  ])('of %d bytes, with a limit of 100 KiB, are attached: %d', async (size, count) => {
    const form = await mailing.form({ attachFiles: true });
    const arrived = only(await mailing.sent(form, formData([file('a.bin', noise(size))])));
    expect(arrived.mail.attachments).toHaveLength(count);
    expect(arrived.mail.text).toContain('a.bin (102.4 kB)');
    expect(arrived.mail.text?.includes('could not be attached')).toBe(count === 0);
  });

  test('that are mails are attached as application/octet-stream', async () => {
    const form = await mailing.form({ attachFiles: true });
    const inner = new Uint8Array(Buffer.from('From: eve@example.com\r\nSubject: Inner\r\n\r\nHello\r\n'));
    const body = formData([file('a.eml', inner, 'message/rfc822'), file('b', inner, 'multipart/mixed')]);
    const arrived = only(await mailing.sent(form, body));
    expect(attached(arrived).map(([name, , bytes]) => [name, bytes])).toEqual([
      ['a.eml', Buffer.from(inner)],
      ['b', Buffer.from(inner)],
    ]);
  });

  test.each([
    ['missing', (path: string) => rmSync(path)],
    ['damaged', (path: string) => writeFileSync(path, noise(5 * KiB))],
  ])('that are %s are not attached, and the mail says so', async (_, harm) => {
    const own = await startMailing();
    const form = await own.form({ attachFiles: true });
    own.smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 451, text: 'Later' } : undefined));
    expect(await own.sent(form, formData([file('a.bin', noise(5 * KiB))]))).toEqual([]);
    for (const name of blobNames(own.instance)) harm(join(own.instance.dataDir, 'files', name));
    own.smtp.onMoment(() => undefined);
    const [mail] = await own.instance.context.store.mails.list({ state: 'retrying', limit: 1 });
    await own.instance.context.store.mails.retry({ id: mail?.id ?? '' });
    const arrived = only(await own.drained());
    expect(arrived.mail.attachments).toEqual([]);
    expect(arrived.mail.text).toContain('a.bin (5.1 kB)');
    expect(arrived.mail.text).toContain('could not be attached');
    await own.stop();
  });
});
