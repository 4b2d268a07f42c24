import { expect, test } from 'bun:test';
import { startOfDate } from '../../../src/domain/users/time-zone.ts';

const beginning = (date: string, timeZone: string, daysLater?: number) => {
  const at = startOfDate(date, timeZone, daysLater);
  return at === null ? null : new Date(at / 1000).toISOString();
};

test.each([
  ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
  ['2026-11-21', 'Pacific/Pago_Pago', '2026-11-21T11:00:00.000Z'],
  ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z'],
  ['2024-02-29', 'Europe/Berlin', '2024-02-28T23:00:00.000Z'],
])('%s in %s starts at %s', (date, timeZone, expected) => {
  expect(beginning(date, timeZone)).toBe(expected);
});

test('the day after a day of 23 or 25 hours starts when that day ends', () => {
  expect(beginning('2026-03-29', 'Europe/Berlin', 1)).toBe('2026-03-29T22:00:00.000Z');
  expect(beginning('2018-11-04', 'America/New_York', 1)).toBe('2018-11-05T05:00:00.000Z');
});

test('a day without a midnight hour starts at 01:00', () => {
  expect(beginning('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z');
});

test('a date that a zone skipped starts with the next day', () => {
  expect(beginning('2011-12-30', 'Pacific/Apia')).toBe(beginning('2011-12-31', 'Pacific/Apia') ?? '');
});

test.each(['', 'today', '2026-02-30', '2026-13-01', '2026-2-3', '21.11.2026', '2026-11-21T00:00Z', '-2026-11-21'])(
  'rejects the date %j',
  (date) => {
    expect(startOfDate(date, 'UTC')).toBeNull();
  },
);
