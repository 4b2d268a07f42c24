import { describe, expect, test } from 'bun:test';
import { formatLocalTime, parseTimeZone, startOfDay, startOfHour } from '../../../src/domain/users/time-zone.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';

const at = (text: string) => Date.parse(text) * 1000;

describe('startOfDay returns local midnight', () => {
  test.each([
    ['UTC', '2026-11-21T23:59:59Z', '2026-11-21T00:00:00Z'],
    ['UTC', '2026-11-22T00:00:00Z', '2026-11-22T00:00:00Z'],
    ['Europe/Berlin', '2026-11-21T22:59:59Z', '2026-11-20T23:00:00Z'],
    ['Europe/Berlin', '2026-11-21T23:00:00Z', '2026-11-21T23:00:00Z'],
    ['America/Los_Angeles', '2026-07-01T06:59:59Z', '2026-06-30T07:00:00Z'],
    ['Asia/Kathmandu', '2026-07-01T18:15:00Z', '2026-07-01T18:15:00Z'],
    ['Asia/Kolkata', '2026-07-01T18:29:59Z', '2026-06-30T18:30:00Z'],
    ['Pacific/Chatham', '2026-07-01T11:15:00Z', '2026-07-01T11:15:00Z'],
    ['Pacific/Kiritimati', '2026-07-01T10:00:00Z', '2026-07-01T10:00:00Z'],
    ['Pacific/Niue', '2026-07-01T10:59:59Z', '2026-06-30T11:00:00Z'],
  ])('in %s at %s', (zone, moment, begins) => {
    expect(startOfDay(at(moment), zone)).toBe(at(begins));
  });
});

describe('startOfDay handles days', () => {
  test.each([
    ['of 23 hours', 'Europe/Berlin', '2026-03-29T12:00:00Z', 23],
    ['of 25 hours', 'Europe/Berlin', '2026-10-25T12:00:00Z', 25],
    ['of 23 hours without the first hour', 'Africa/Cairo', '2026-04-24T12:00:00Z', 23],
    ['of 25 hours with the first hour repeated', 'America/Havana', '2026-11-01T16:00:00Z', 25],
    ['of 25 hours with the last hour repeated', 'America/Santiago', '2026-04-04T16:00:00Z', 25],
    ['of 24 and a half hours', 'Australia/Lord_Howe', '2026-04-05T01:00:00Z', 24.5],
    ['of 22 hours', 'Antarctica/Troll', '2026-03-29T12:00:00Z', 22],
  ])('%s in %s', (_, zone, moment, hours) => {
    const begins = startOfDay(at(moment), zone);
    const ends = begins + hours * HOUR;
    expect(startOfDay(begins - 1, zone)).toBeLessThan(begins);
    for (let inside = begins; inside < ends; inside += 29 * MINUTE) expect(startOfDay(inside, zone)).toBe(begins);
    expect(startOfDay(ends - 1, zone)).toBe(begins);
    expect(startOfDay(ends, zone)).toBe(ends);
  });
});

describe('startOfHour returns the start of the local hour', () => {
  test.each([
    ['UTC', '2026-11-21T23:59:59.999Z', '2026-11-21T23:00:00Z'],
    ['Asia/Kolkata', '2026-11-21T12:29:59Z', '2026-11-21T11:30:00Z'],
    ['Asia/Kathmandu', '2026-11-21T12:15:00Z', '2026-11-21T12:15:00Z'],
    ['Australia/Adelaide', '2026-11-21T12:31:00Z', '2026-11-21T12:30:00Z'],
  ])('in %s at %s', (zone, moment, begins) => {
    expect(startOfHour(at(moment), zone)).toBe(at(begins));
  });

  test.each(['Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns'])(
    'without going backward or skipping more than an hour at clock changes in %s',
    (zone) => {
      let last = 0;
      for (let moment = at('2026-01-01T00:00:00Z'); moment < at('2026-12-31T00:00:00Z'); moment += 30 * MINUTE) {
        const begins = startOfHour(moment, zone);
        if (last > 0) expect([0, 30, 60].map((minutes) => last + minutes * MINUTE)).toContain(begins);
        expect(begins).toBeLessThanOrEqual(moment);
        last = begins;
      }
    },
  );
});

test('formats a local time to the minute', () => {
  expect(formatLocalTime(at('2026-11-21T23:04:59Z') + SECOND / 2, 'Asia/Kathmandu')).toBe('2026-11-22 04:49');
});

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  [' UTC ', 'UTC'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
])('accepts the time zone %j', (text, name) => {
  expect(parseTimeZone(text)).toBe(name);
});

test.each(['', 'Berlin', 'Mars/Phobos', 'UTC+1', 'Europe/Berlin\n;'])('rejects the time zone %j', (text) => {
  expect(() => parseTimeZone(text)).toThrow(/Unknown time zone .* such as Europe\/Berlin/);
});
