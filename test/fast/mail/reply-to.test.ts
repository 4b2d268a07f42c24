import { afterAll, expect, test } from 'bun:test';
import type { PayloadValue } from '../../../src/domain/submission.ts';
import { header, only, SENDER, startMailing } from './mailing.ts';

const mailing = await startMailing();
afterAll(mailing.stop);
const form = await mailing.form();

async function replyTo(sent: Record<string, PayloadValue>) {
  const arrived = only(await mailing.released(form, { message: 'Hello', ...sent }));
  expect(arrived.mail.from).toEqual({ name: 'Forms', address: SENDER });
  expect(arrived.envelope.from).toBe(SENDER);
  expect(header(arrived, 'reply-to').length).toBe(arrived.mail.replyTo?.length ?? 0);
  return arrived.mail.replyTo?.map(({ address }) => address) ?? [];
}

/** What can be sent under a name that is to be an address; null where nothing is. */
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

const without = (undefinedToo: Record<string, PayloadValue | undefined>) =>
  Object.fromEntries(Object.entries(undefinedToo).filter(([, value]) => value !== undefined)) as Record<
    string,
    PayloadValue
  >;

/** Every kind of `email` with every kind of `_replyto`, each example of the one beside one of the other. */
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
    for (const pair of pairs) {
      const decisive = emailKind === 'nothing' ? otherKind : emailKind;
      const value = emailKind === 'nothing' ? pair._replyto : pair.email;
      const expected = decisive === 'a valid address' ? [String(value).trim()] : [];
      expect([pair, await replyTo(without(pair))]).toEqual([pair, expected]);
    }
  },
  30_000,
);

test.each([
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
])('a domain in other letters, %s, is written as mail servers know it', async (address, asWritten) => {
  expect(await replyTo({ email: address })).toEqual([asWritten]);
});

test('which of the two comes first makes no difference, nor does how the form is encoded', async () => {
  expect(await replyTo({ _replyto: 'bob@example.com', email: 'ada@example.com' })).toEqual(['ada@example.com']);
  const arrived = only(
    await mailing.sent(form, new URLSearchParams({ _replyto: 'bob@example.com', email: 'ada@example.com' })),
  );
  expect(arrived.mail.replyTo?.map(({ address }) => address)).toEqual(['ada@example.com']);
});

test('the mail says where an answer goes, or that it goes nowhere', async () => {
  const textWith = async (email: string) => only(await mailing.sent(form, { email })).mail.text;
  expect(await textWith('ada@example.com')).toContain('An answer to this mail goes to ada@example.com.');
  expect(await textWith('ada')).toContain('no e-mail address to answer to');
});
