import { expect } from 'bun:test';
import { type Arrived, OWNER, SENDER } from './mailing.ts';

const STANDARD_HEADERS =
  /^(?:from|to|reply-to|subject|message-id|date|mime-version|content-type|content-transfer-encoding)$/;
const AUTOMATIC_HEADERS = /^(?:auto-submitted|x-auto-response-suppress)$/;

/** Asserts that a mail has one recipient and only the usual headers, each once. */
export function expectClean(arrived: Arrived, to = OWNER): void {
  expect(arrived.envelope.from).toBe(SENDER);
  expect(arrived.envelope.to).toEqual([to]);
  expect(arrived.mail.from?.address).toBe(SENDER);
  expect(arrived.mail.to?.map(({ address }) => address)).toEqual([to]);
  const names = arrived.mail.headers.map(({ key }) => key);
  expect(names.filter((name) => !STANDARD_HEADERS.test(name) && !AUTOMATIC_HEADERS.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  const [head = ''] = arrived.envelope.raw.toString('latin1').split('\r\n\r\n', 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
  expect(head.replaceAll('\r\n', '')).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f-\xff]/);
  expect(
    Math.max(
      ...arrived.envelope.raw
        .toString('latin1')
        .split('\r\n')
        .map(({ length }) => length),
    ),
  ).toBeLessThan(999);
  expect(arrived.mail.subject?.trim()).not.toBe('');
  expect(arrived.mail.subject).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
}
