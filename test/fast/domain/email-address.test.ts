import { expect, test } from 'bun:test';
import { parseAddress } from '../../../src/domain/mail/email-address.ts';

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@example.com, bob@example.com', null],
  ['ada@example.com\r\nBcc: bob@example.com', null],
  [`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}`, null],
])('parses %j as %j', (text, address) => {
  expect(parseAddress(text)).toBe(address);
});

// Parsing the first one's domain would take minutes.
test.each([
  ['marks', `a@a${'\u0301\u0316'.repeat(500_000)}`],
  ['labels', `a@${'é.'.repeat(100_000)}de`],
])('rejects a long address of many %s before parsing its domain', (_, text) => {
  expect(parseAddress(text)).toBeNull();
});
