import { expect, test } from 'bun:test';
import { ClientBytes } from '../../../src/lib/client-bytes.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';

test('holds one minute of bytes and empties at the rate', () => {
  const rate = new ClientBytes([{ bytes: 600, span: MINUTE }]);
  expect([rate.take('192.0.2.1', 400, 0), rate.take('192.0.2.1', 200, 0)]).toEqual([0, 0]);
  expect(rate.take('192.0.2.1', 100, 0)).toBe(10);
  expect(rate.take('192.0.2.1', 100, 9 * SECOND)).toBe(1);
  expect(rate.take('192.0.2.1', 100, 10 * SECOND)).toBe(0);
  expect(rate.take('192.0.2.2', 600, 10 * SECOND)).toBe(0);
  expect(rate.take('192.0.2.1', 600, 5 * MINUTE)).toBe(0);
});

test('accepts a body larger than the limit when the bucket is empty, and then makes the client wait', () => {
  const rate = new ClientBytes([{ bytes: 600, span: MINUTE }]);
  expect(rate.take('192.0.2.1', 1200, 0)).toBe(0);
  expect(rate.take('192.0.2.1', 1, 0)).toBe(61);
  expect(rate.take('192.0.2.1', 1, 61 * SECOND)).toBe(0);
});

test('takes back bytes that did not arrive', () => {
  const rate = new ClientBytes([{ bytes: 600, span: MINUTE }]);
  rate.take('192.0.2.1', 600, 0);
  rate.refund('192.0.2.1', 590, 0);
  expect([rate.take('192.0.2.1', 590, 0), rate.take('192.0.2.1', 1, 0)]).toEqual([0, 1]);
  rate.refund('192.0.2.3', 100, 0);
  expect([rate.take('192.0.2.3', 600, 0), rate.take('192.0.2.3', 1, 0)]).toEqual([0, 1]);
});

test('allows a /48 eight times the rate of a /64', () => {
  const rate = new ClientBytes([{ bytes: 100, span: MINUTE }]);
  for (let client = 0; client < 8; client++) {
    expect(rate.take(`2001:db8:7:${client}::1`, 100, 0)).toBe(0);
    expect(rate.take(`2001:db8:7:${client}::2`, 1, 0)).toBe(1);
  }
  expect(rate.take('2001:db8:7:8::1', 1, 0)).toBe(1);
  expect(rate.take('2001:db8:8::1', 1, 0)).toBe(0);
});

test('counts by several limits at once, each of which can make the client wait', () => {
  const rate = new ClientBytes([
    { bytes: 600, span: MINUTE },
    { bytes: 1_200, span: HOUR },
  ]);
  expect([rate.take('192.0.2.1', 600, 0), rate.take('192.0.2.1', 1, 0)]).toEqual([0, 1]);
  expect(rate.take('192.0.2.1', 600, MINUTE)).toBe(0);
  expect(rate.take('192.0.2.1', 600, 2 * MINUTE)).toBe(28 * 60);
  rate.refund('192.0.2.1', 600, 2 * MINUTE);
  expect(rate.take('192.0.2.1', 600, 2 * MINUTE)).toBe(0);
  expect(rate.take('192.0.2.1', 1_200, 2 * HOUR)).toBe(0);
});

test('0 means no limit', () => {
  expect(new ClientBytes([{ bytes: 0, span: MINUTE }]).take('192.0.2.1', 1e12, 0)).toBe(0);
});
