import { describe, expect, test } from 'bun:test';
import { formatTime, monotonicClock, parseTime, SECOND, systemClock } from '../../../src/lib/clock.ts';

const EIGHT = Date.UTC(2026, 10, 21, 8) * 1000;

describe('formatTime', () => {
  test('writes RFC 3339 in UTC with microseconds', () => {
    expect(formatTime(EIGHT)).toBe('2026-11-21T08:00:00.000000Z');
    expect(formatTime(EIGHT + 123)).toBe('2026-11-21T08:00:00.000123Z');
    expect(formatTime(EIGHT + 999_999)).toBe('2026-11-21T08:00:00.999999Z');
    expect(formatTime(0)).toBe('1970-01-01T00:00:00.000000Z');
    expect(formatTime(-1)).toBe('1969-12-31T23:59:59.999999Z');
  });

  test('round-trips every microsecond until the year 2255', () => {
    for (const at of [0, 1, 999, 1_000, EIGHT + 7, -1, Number.MAX_SAFE_INTEGER - 1]) {
      expect(parseTime(formatTime(at))).toBe(at);
    }
  });

  test('produces text that sorts like the timestamps', () => {
    const times = [0, 1, 999, 1_000, SECOND, EIGHT, EIGHT + 1, EIGHT + SECOND];
    expect(times.map(formatTime).toSorted()).toEqual(times.map(formatTime));
  });
});

describe('parseTime', () => {
  test.each([
    ['2026-11-21T08:00:00Z', 0],
    ['2026-11-21t08:00:00z', 0],
    ['2026-11-21 08:00:00Z', 0],
    ['2026-11-21T08:00:00.1Z', 100_000],
    ['2026-11-21T08:00:00.123456Z', 123_456],
    ['2026-11-21T08:00:00.1234560Z', 123_456],
    ['2026-11-21T08:00:00.123456001Z', 123_457],
    ['2026-11-21T08:00:00.999999999Z', SECOND],
    ['2026-11-21T09:30:00+01:30', 0],
    ['2026-11-21T09:30:00 01:30', 0],
    ['2026-11-21T00:00:00-08:00', 0],
    ['2026-11-22T07:59:00+23:59', 0],
    ['2026-11-21T08:00:00-00:00', 0],
    ['2026-11-21T07:59:60Z', 0],
  ])('parses %s', (text, offset) => {
    expect(parseTime(text)).toBe(EIGHT + offset);
  });

  test('reads a leap second as the second after it', () => {
    expect(parseTime('2016-12-31T23:59:60Z')).toBe(parseTime('2017-01-01T00:00:00Z'));
    expect(parseTime('2017-01-01T01:59:60.5+02:00')).toBe(parseTime('2017-01-01T00:00:00.5Z') ?? 0);
  });

  test('accepts February 29 only in leap years', () => {
    for (const year of ['2028', '2000', '2400']) expect(parseTime(`${year}-02-29T00:00:00Z`)).not.toBeNull();
    for (const year of ['2026', '1900', '2100']) expect(parseTime(`${year}-02-29T00:00:00Z`)).toBeNull();
  });

  test('accepts the years 1 to 99', () => {
    expect(parseTime('0001-01-01T00:00:00Z')).toBe(Date.parse('0001-01-01T00:00:00Z') * 1000);
    expect(parseTime('0099-12-31T00:00:00Z')).toBe(Date.parse('0099-12-31T00:00:00Z') * 1000);
  });

  test.each([
    '',
    'now',
    '2026-11-21',
    '2026-11-21T08:00:00',
    '2026-11-21T08:00Z',
    '2026-11-21T08:00:00.Z',
    '2026-11-21T08:00:00+0100',
    '2026-11-21T08:00:00+24:00',
    '2026-11-21T08:00:00+01:60',
    '2026-11-31T08:00:00Z',
    '2026-13-01T08:00:00Z',
    '2026-00-01T08:00:00Z',
    '2026-01-00T08:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T08:60:00Z',
    '2026-11-21T08:00:61Z',
    '+2026-11-21T08:00:00Z',
    '2026-11-21T08:00:00Z\n',
    ' 2026-11-21T08:00:00Z',
    '1795248000',
    '２０２６-11-21T08:00:00Z',
  ])('rejects %p', (text) => {
    expect(parseTime(text)).toBeNull();
  });
});

test('both clocks return whole microseconds, and the monotonic clock never goes backward', () => {
  expect(Number.isSafeInteger(systemClock())).toBe(true);
  const read = Array.from({ length: 1_000 }, monotonicClock);
  expect(read.every(Number.isSafeInteger)).toBe(true);
  expect(read.toSorted((a, b) => a - b)).toEqual(read);
});
