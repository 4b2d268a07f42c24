import { afterAll, expect, test } from 'bun:test';
import { NOTIFICATIONS_PER_HOUR } from '../../../src/domain/mail/mail.ts';
import type { PayloadValue } from '../../../src/domain/submissions/submission.ts';
import { markSubmission } from '../../../src/services/submissions/mark-submission.ts';
import { type Arrived, header, only, parsed, SENDER, startMailing } from './mailing.ts';

const mailing = await startMailing();
afterAll(mailing.stop);

async function replyToOf(sent: Record<string, PayloadValue>) {
  return replyAddresses(only(await mailing.released(await mailing.form(), { message: 'Hello', ...sent })));
}

/** Posts all at once and returns the Reply-To addresses of each, in order. */
async function replyTosOf(all: ReadonlyArray<Record<string, PayloadValue>>): Promise<Array<Array<string | undefined>>> {
  const { instance, smtp, drained } = mailing;
  const before = smtp.mails.length;
  const nameOf = (index: number) => `Message no. ${index}!`;
  const count = Math.ceil(all.length / NOTIFICATIONS_PER_HOUR);
  const forms = await Promise.all(Array.from({ length: count }, () => mailing.form()));
  const answers = await Promise.all(
    all.map((sent, index) => instance.post(forms[index % count]?.id ?? '', { message: nameOf(index), ...sent })),
  );
  expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200));
  const { store } = instance.context;
  for (const form of forms) {
    const flagged = (await store.submissions.listRecent(form.id, { onlySpam: true, limit: 1_000 })) ?? [];
    for (const { id } of flagged) await markSubmission(instance.context, id, false);
  }
  await drained();
  const arrived = await Promise.all(smtp.mails.slice(before).map(parsed));
  expect(arrived).toHaveLength(all.length);
  return all.map((_, index) => replyAddresses(only(arrived.filter(({ mail }) => mail.text?.includes(nameOf(index))))));
}

/** Returns the addresses in Reply-To after checking the other headers. */
function replyAddresses(arrived: Arrived): Array<string | undefined> {
  expect(arrived.mail.from).toEqual({ name: 'Contact', address: SENDER });
  expect(arrived.envelope.from).toBe(SENDER);
  expect(header(arrived, 'reply-to').length).toBe(arrived.mail.replyTo?.length ?? 0);
  return arrived.mail.replyTo?.map(({ address }) => address) ?? [];
}

/** The kinds of value of an address field. */
type Kind = 'a valid address' | 'something else' | 'nothing';
const KINDS: Readonly<Record<Kind, ReadonlyArray<PayloadValue | undefined>>> = {
  'a valid address': ['ada@example.com', " ada.o'hara+x@mail.example.com ", 'ada@localhost'],
  'something else': [
    'ada',
    'ada@',
    '@example.com',
    'ada@example.com, bob@example.com',
    'ada@example.com bob@example.com',
    'ada@example.com;bob@example.com',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    '"ada lovelace"@example.com',
    'ada@[127.0.0.1]',
    'ada@exa mple.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com\nbob@example.com',
    'ada\u0000@example.com',
    'ada\u2028@example.com',
    'jörg@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a.'.repeat(130)}com`,
    ['ada@example.com'],
    ['ada@example.com', 'bob@example.com'],
    { address: 'ada@example.com' },
    7,
    true,
    false,
  ],
  nothing: [undefined, '', '  ', '\n', null],
};

const withoutUndefined = (values: Record<string, PayloadValue | undefined>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<string, PayloadValue>;

/** Every kind of `email` with every kind of `_replyto`, in pairs of examples. */
const COMBINATIONS = Object.entries(KINDS).flatMap(([emailKind, emails]) =>
  Object.entries(KINDS).map(([otherKind, others]) => ({
    emailKind,
    otherKind,
    pairs: Array.from({ length: Math.max(emails.length, others.length) }, (_, at) => ({
      email: emails[at % emails.length],
      _replyto: others[at % others.length],
    })),
  })),
);

test.each(COMBINATIONS)(
  'with $emailKind as email and $otherKind as _replyto',
  async ({ emailKind, otherKind, pairs }) => {
    const decisive = emailKind === 'nothing' ? otherKind : emailKind;
    const expected = pairs.map(({ email, _replyto }) => {
      const value = emailKind === 'nothing' ? _replyto : email;
      return decisive === 'a valid address' ? [String(value).trim()] : [];
    });
    const replies = await replyTosOf(pairs.map(withoutUndefined));
    expect(pairs.map((pair, index) => [pair, replies[index]])).toEqual(
      pairs.map((pair, index) => [pair, expected[index]]),
    );
  },
);

test.each([
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
])('the internationalized domain in %s is written in Punycode', async (address, asWritten) => {
  expect(await replyToOf({ email: address })).toEqual([asWritten]);
});

test('email precedes _replyto in any order and encoding', async () => {
  expect(await replyToOf({ _replyto: 'bob@example.com', email: 'ada@example.com' })).toEqual(['ada@example.com']);
  const arrived = only(
    await mailing.sent(
      await mailing.form(),
      new URLSearchParams({ _replyto: 'bob@example.com', email: 'ada@example.com' }),
    ),
  );
  expect(arrived.mail.replyTo?.map(({ address }) => address)).toEqual(['ada@example.com']);
});

test('the mail says where replies go, or that there is no address', async () => {
  const textWith = async (email: string) => only(await mailing.sent(await mailing.form(), { email })).mail.text;
  expect(await textWith('ada@example.com')).toContain('Replies to this email go to ada@example.com.');
  expect(await textWith('ada')).toContain('no email address to reply to');
});
