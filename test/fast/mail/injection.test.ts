import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { formData } from '../visitor/files.ts';
import { expectClean } from './clean.ts';
import { type Arrived, only, startMailing } from './mailing.ts';

const mailing = await startMailing();
afterAll(mailing.stop);

const HEADERS = ['Bcc: eve@evil.example', 'X-Evil: yes', 'Content-Type: text/html', '', '<b>Evil</b>'];
const NASTY: ReadonlyArray<readonly [name: string, text: string]> = [
  ['CRLF', `x${HEADERS.map((line) => `\r\n${line}`).join('')}`],
  ['LF', `x${HEADERS.map((line) => `\n${line}`).join('')}`],
  ['CR', `x${HEADERS.map((line) => `\r${line}`).join('')}`],
  ['folded lines', 'x\r\n Bcc: eve@evil.example\r\n\tX-Evil: yes'],
  ['NUL', 'x\u0000\r\nBcc: eve@evil.example\u0000'],
  ['line separators', 'x\u2028Bcc: eve@evil.example\u2029X-Evil: yes\u0085X-Evil: yes'],
  ['an encoded word', '=?UTF-8?Q?x=0D=0ABcc:_eve@evil.example?='],
  ['percent escapes', 'x%0D%0ABcc:%20eve@evil.example'],
  ['the end of the data', 'x\r\n.\r\nRCPT TO:<eve@evil.example>\r\nDATA\r\nX-Evil: yes\r\n\r\n.\r\n'],
  ['the end of the data in bare line feeds', 'x\n.\nMAIL FROM:<eve@evil.example>\n.\r'],
  ['addresses', '"Eve" <eve@evil.example>, eve@evil.example; eve@evil.example'],
  ['a boundary', 'x\r\n------_NmP-1-Part_1\r\nContent-Type: text/html\r\n\r\n<b>Evil</b>'],
  ['bidirectional control characters', '\u202egpj.exe\u202c \u2066a\u2069 \u200f'],
  ['lone surrogates', 'x\ud800y\udc00'],
  ['10 KB', 'x'.repeat(10_240)],
  ['10 KB of another script', 'я💌'.repeat(2_048)],
];

const FIELDS = ['name', 'email', '_replyto', '_subject'];

describe.each(NASTY)('%s', (_, nasty) => {
  const visitor = `ada${crypto.randomUUID()}@visitor.example`;
  const body = () => formData([['upload', new File(['Hello'], nasty, { type: 'text/plain' })]]);
  const { form } = mailing;
  /** The mails by the place of the hostile text. */
  let mails: Record<string, Arrived[]> = {};

  beforeAll(async () => {
    const hello = { message: 'Hello' };
    const fieldName = nasty.toWellFormed().slice(0, 80);
    // Every entrance refuses U+0000 in settings.
    const setting = nasty.replaceAll('\u0000', '');
    const label = { name: 'message', label: setting.slice(0, 250), type: 'text', required: false };
    const autoReply = {
      notify: [],
      autoReplySubject: 'Thanks {{name}}',
      autoReplyText: `Dear {{name}},\n\n${setting.slice(0, 4_000)}`,
    };
    const posts: Record<string, Parameters<typeof mailing.sent>> = {
      'name of a field': [
        await form(),
        JSON.stringify({ [fieldName]: 'Hello' }),
        { 'Content-Type': 'application/json' },
      ],
      'name of a file': [await form(), body()],
      'name of an attached file': [await form({ attachFiles: true }), body()],
      'name of a form': [await form({ name: Array.from(setting).slice(0, 190).join(''), fields: [label] }), hello],
      'auto-reply': [await form(autoReply), { email: visitor, name: nasty }],
    };
    for (const field of FIELDS) posts[field] = [await form(), { ...hello, [field]: nasty }];
    const arrived = await mailing.releasedEach(Object.values(posts));
    mails = Object.fromEntries(Object.keys(posts).map((place, index) => [place, arrived[index] ?? []]));
  });

  const mailOf = (place: string) => only(mails[place] ?? []);

  test.each(FIELDS)('in %s adds no header or recipient', (field) => {
    expectClean(mailOf(field));
    expect(mailOf(field).mail.replyTo).toBeUndefined();
  });

  test('in the name of a field adds no header or recipient', () => {
    expectClean(mailOf('name of a field'));
    expect(mailOf('name of a field').mail.text).toContain('\n  Hello\n');
  });

  test('in the name of a file adds no header or recipient, attached or not', () => {
    expectClean(mailOf('name of a file'));
    expectClean(mailOf('name of an attached file'));
    const { attachments } = mailOf('name of an attached file').mail;
    expect(attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString())).toEqual(['Hello']);
    expect(attachments[0]?.filename?.length).toBeLessThan(400);
  });

  test('in the name of the form or a label adds no header or recipient', () => {
    expectClean(mailOf('name of a form'));
  });

  test('in an auto-reply adds no header or recipient', () => {
    expectClean(mailOf('auto-reply'), visitor);
    expect(mailOf('auto-reply').mail.subject).toStartWith('Thanks');
    expect(mailOf('auto-reply').mail.replyTo).toBeUndefined();
  });
});

test('a subject that looks like an encoded word is shown unchanged', async () => {
  const { mail } = only(await mailing.sent(await mailing.form(), { message: 'Hello', _subject: '=?UTF-8?Q?=45vil?=' }));
  expect(mail.subject?.replaceAll('\u200b', '')).toBe('=?UTF-8?Q?=45vil?=');
});

test('an attachment name that looks like an encoded word is not decoded', async () => {
  const body = formData([['upload', new File(['Hello'], '=?UTF-8?Q?=0D=0Aevil.exe?=.pdf', { type: 'text/plain' })]]);
  const { mail } = only(await mailing.sent(await mailing.form({ attachFiles: true }), body));
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['=_UTF-8?Q?=0D=0Aevil.exe?=.pdf']);
});

describe('a text arrives unchanged:', () => {
  const INTACT: ReadonlyArray<readonly [name: string, text: string]> = [
    ['dots at the beginning of lines', '.\n..\n.x\n...\n.\n\n.\nend'],
    ['a single dot', '.'],
    ['empty lines', 'a\n\n\n\nb'],
    ['spaces and tabs at the ends of lines', 'a  \nb\t\n  c\n-- \nd'],
    ['a very long line', 'word '.repeat(390).trim()],
    ['a very long word', 'x'.repeat(1_990)],
    ['letters of many scripts', 'Grüße, Привет, 你好, مرحبا, עברית, ไทย'],
    ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈 💌'],
    ['text that looks encoded', '=20 =3D =?UTF-8?Q?x?= &amp; %20 &#10;'],
    ['From at the beginning of a line', 'From here\n>From there\nFrom: eve@evil.example'],
    ['a line separator', 'a\u2028b'],
  ];
  /** Returns the value of the only field of a notification. */
  const messageIn = ({ mail }: Arrived) => {
    const [, set = ''] = (mail.text ?? '').split('\nmessage\n');
    const [value = ''] = set.split(/\n\n-- \n(?=This submission has no)/);
    return value.replace(/^ {2}/gm, '');
  };

  test.each(INTACT)('%s', async (_, text) => {
    const arrived = only(await mailing.released(await mailing.form(), { message: text }));
    expect(messageIn(arrived)).toBe(text);
  });

  test.each([
    ['CRLF', 'a\r\nb\r\n.\r\nc'],
    ['bare LF', 'a\nb\n.\nc'],
    ['bare CR', 'a\rb\r.\rc'],
  ])('%s, as line breaks', async (_, text) => {
    expect(messageIn(only(await mailing.released(await mailing.form(), { message: text })))).toBe('a\nb\n.\nc');
  });

  test.each(INTACT)('%s, in an auto-reply', async (_, text) => {
    const form = await mailing.form({ notify: [], autoReplyText: text });
    const email = `ada${crypto.randomUUID()}@visitor.example`;
    const { mail } = only(await mailing.sent(form, { email }));
    expect(mail.text?.replace(/\n$/, '')).toBe(text);
  });
});
