import { afterAll, describe, expect, test } from 'bun:test';
import { type Arrived, OWNER, only, SENDER, startMailing } from './mailing.ts';

const mailing = await startMailing();
afterAll(mailing.stop);

const QUESTION = 'Could you send me the price list? I am looking for a harp.';
const CARD = '4242 4242 4242 4242';

const mailOf = async (body: Record<string, unknown>, settings: Parameters<typeof mailing.form>[0] = {}) =>
  only(await mailing.released(await mailing.form({ name: 'Studio', ...settings }), body));

const previewIn = ({ mail }: Arrived) => /<div style="display:none[^>]*>([^<]*)</.exec(mail.html ?? '')?.[1] ?? '';
const characters = (text = '') => Array.from(new Intl.Segmenter().segment(text)).length;
const field = (name: string, label: string, type = 'text') => ({ name, label, type, required: false });

describe('the subject of a notification', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ name: 'Ada Byron', message: QUESTION }, `Ada Byron · ${QUESTION}`],
    [{ first_name: 'Ada', last_name: 'Byron', comments: 'Hi' }, 'Ada Byron · Hi'],
    [{ email: 'ada@example.com', message: QUESTION }, `ada@example.com · ${QUESTION}`],
    [{ message: QUESTION }, QUESTION],
    [{ name: 'Ada Byron', rating: '5' }, 'Ada Byron · New submission'],
    [{ rating: '5' }, 'New submission'],
    [{ Name: 'Ada', 'Your message': 'two\r\n\tlines' }, 'Ada · two lines'],
    [{ topic: 'harps', text: QUESTION }, QUESTION],
    [
      { name: '山田 花子', note: 'ハープの修理についてお伺いしたいことがあります。' },
      '山田 花子 · ハープの修理についてお伺いしたいことがあります。',
    ],
    [{ name: 'محمد', message: 'مرحبا' }, 'محمد · مرحبا'],
    [{ name: ['Ada'], message: { a: 1 } }, 'New submission'],
    [{ name: '  ', message: '\n', rating: '5' }, 'New submission'],
    [{ name: 'Ada\u0000\u202e', message: 'a\u2028b' }, 'Ada · a b'],
  ])('of %j is %j', async (body, expected) => {
    expect((await mailOf(body)).mail.subject).toBe(expected);
  });

  test.each([
    [{ message: QUESTION }, `Studio · ${QUESTION}`],
    [{ name: 'Ada Byron' }, 'Ada Byron · Studio'],
    [{ rating: '5' }, 'New submission: Studio'],
  ])('names the form if the sender does not: %j', async (body, expected) => {
    const { mail } = await mailOf(body, { senderName: 'Harps & Co.' });
    expect([mail.from?.name, mail.subject]).toEqual(['Harps & Co.', expected]);
  });

  test('takes names and messages from labels and types of the form too', async () => {
    const fields = [field('f1', 'Name'), field('f2', 'Topic'), field('f3', 'Anything else?', 'textarea')];
    const { mail } = await mailOf({ f1: 'Ada', f2: 'A long topic of several words', f3: 'No' }, { fields });
    expect(mail.subject).toBe('Ada · No');
  });

  test.each(['x'.repeat(5_000), 'word '.repeat(1_000), 'й'.repeat(500), '💌 '.repeat(300), '字'.repeat(300)])(
    'has at most 78 characters',
    async (long) => {
      const { mail } = await mailOf({ name: long, email: 'ada@example.com', message: long });
      expect(characters(mail.subject)).toBeLessThanOrEqual(78);
      expect(mail.subject).toContain(' · ');
      expect(mail.subject).toEndWith('…');
    },
  );

  test('stays the same in a thread', async () => {
    const { mail } = await mailOf({ name: 'Ada', message: QUESTION }, { threadMails: true });
    expect(mail.subject).toBe('New submission: Studio');
  });
});

describe('nothing masked', () => {
  test.each([
    [{ name: `Ada ${CARD}`, message: 'Hello' }, 'Hello'],
    [{ email: '4242424242424242@example.com', message: 'Hello' }, 'Hello'],
    [{ name: 'Ada', message: `My card is ${CARD}, please charge it` }, 'Ada · New submission'],
    [{ name: 'Ada', message: `${'long words '.repeat(120)} ${CARD}` }, 'Ada · New submission'],
    [{ ssn: '123-45-6789', note: 'my number is 123-45-6789 as you asked' }, 'New submission'],
    [{ card: CARD, other: { deep: CARD } }, 'New submission'],
  ])('is in subject, sender or preview: %j', async (body, subject) => {
    const arrived = await mailOf(body);
    expect(arrived.mail.subject).toBe(subject);
    const shown = [arrived.mail.subject, arrived.mail.from?.name, previewIn(arrived)].join(' ');
    expect(shown.replace(/\D/g, '')).not.toMatch(/4242|6789/);
    expect(arrived.mail.text).toMatch(/\*{12}4242|\*{3}-\*{2}-6789/);
  });
});

describe('the sender', () => {
  test.each<[Record<string, unknown>, string | null, string]>([
    [{ name: 'Ada Byron', message: 'Hi' }, null, 'Ada Byron via Studio'],
    [{ message: 'Hi' }, null, 'Studio'],
    [{ name: 'Ada Byron' }, 'Harps & Co.', 'Harps & Co.'],
    [{ name: 'ceo@bank.example' }, null, 'Studio'],
    [{ name: 'Ada "The Countess" <x>, Bob; (y)' }, null, 'Ada The Countess x, Bob; (y) via Studio'],
    [{ name: '=?UTF-8?Q?=45vil?=' }, null, '=\u200b?UTF-8?Q?=45vil?= via Studio'],
    [{ name: 'x\r\nBcc: eve@evil.example' }, null, 'Studio'],
    [{ name: 'x\r\nBcc: eve' }, null, 'x Bcc: eve via Studio'],
    [{ name: 'Олена 💌' }, null, 'Олена 💌 via Studio'],
  ])('of %j with the name %p of the form is %j', async (body, senderName, expected) => {
    const arrived = await mailOf({ message: 'Hi', ...body }, { senderName });
    expect(arrived.mail.from).toEqual({ name: expected, address: SENDER });
    expect([arrived.envelope.from, arrived.envelope.to]).toEqual([SENDER, [OWNER]]);
    expect(arrived.mail.headers.filter(({ key }) => key === 'from' || key === 'bcc')).toHaveLength(1);
  });

  test('has at most 100 characters', async () => {
    const { mail } = await mailOf({ name: 'n'.repeat(500) }, { name: 'f'.repeat(200) });
    expect(Array.from(mail.from?.name ?? '').length).toBeLessThanOrEqual(100);
  });

  test('of an auto-reply is the name that visitors know, and Reply-To only what the form sets', async () => {
    const settings = { notify: [], autoReplyText: 'Thanks.', publicName: 'Harps' };
    const body = () => ({ email: `ada${crypto.randomUUID()}@home.example` });
    const { mail } = await mailOf(body(), settings);
    expect([mail.from?.name, mail.subject, mail.replyTo]).toEqual(['Harps', 'Harps', undefined]);
    const other = await mailOf(body(), { ...settings, senderName: 'Ada of Harps', replyTo: 'ada@harps.example' });
    expect(other.mail.from?.name).toBe('Ada of Harps');
    expect(other.mail.replyTo?.map(({ address }) => address)).toEqual(['ada@harps.example']);
  });
});

test('the preview has more of the message than the subject, or else the first values', async () => {
  const long =
    'Could you send me the price list, and tell me whether the harp in the window is for sale? I come on Friday.';
  expect(previewIn(await mailOf({ name: 'Ada', message: long }))).toBe(long);
  const fields = [field('coming', 'Will you come?', 'checkbox'), field('terms', 'I agree', 'consent')];
  expect(previewIn(await mailOf({ coming: 'on', terms: 'on', guests: '3', empty: '' }, { fields }))).toBe(
    'Will you come?: Yes · I agree: Yes · guests: 3',
  );
});
