import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { decideTime, openPoints, provenOrder, readTime, type TimeRules } from '../../../src/imports/times.ts';
import { formatTime } from '../../../src/lib/clock.ts';

const OPEN: TimeRules = { timeZone: null, dateOrder: null };

/** Returns the time in UTC, the fault, or the open points. */
function read(text: string, rules: Partial<TimeRules> = {}) {
  const all = { ...OPEN, ...rules };
  const written = readTime(text);
  if (!written) return null;
  const open = openPoints(written, all);
  if (open.length > 0) return open;
  const time = decideTime(written, all);
  return typeof time === 'string' ? time : formatTime(time.at);
}

describe('a time with a zone', () => {
  test.each([
    ['2018-11-03T07:28:29.707632Z', '2018-11-03T07:28:29.707632Z'],
    ['2024-10-05 02:41:38 UTC', '2024-10-05T02:41:38.000000Z'],
    ['2024-10-05 02:41:38 +0200', '2024-10-05T00:41:38.000000Z'],
    ['2024-10-05T02:41+05:30', '2024-10-04T21:11:00.000000Z'],
    ['2026/09/27 3:00:00 PM GMT+3', '2026-09-27T12:00:00.000000Z'],
    ['2026/09/27 12:05:00 AM GMT-3:30', '2026-09-27T03:35:00.000000Z'],
    ['Thu, 21 Nov 2024 15:04:05 +0100', '2024-11-21T14:04:05.000000Z'],
    ['Thu Nov 21 2024 15:04:05 GMT+0100 (Central European Standard Time)', '2024-11-21T14:04:05.000000Z'],
    ['Nov 21, 2024 at 3:04 p.m. UTC', '2024-11-21T15:04:00.000000Z'],
    ['1732201445', '2024-11-21T15:04:05.000000Z'],
    ['1732201445123', '2024-11-21T15:04:05.123000Z'],
  ])('%s', (text, time) => {
    expect(read(text)).toBe(time);
  });
});

describe('a time that leaves something open', () => {
  test.each([
    ['2024-08-11 23:25:40', ['time zone']],
    ['2020/03/25 4:23:52 PM MDT', ['time zone']],
    ['2024-08-11', ['time zone']],
    ['03-02-2021 21:30', ['date order', 'time zone']],
    ['03/02/21 21:30 UTC', ['date order']],
    ['21/02/2021 21:30 UTC', ['date order']],
  ] as const)('%s', (text, open) => {
    expect(read(text)).toEqual(open);
  });

  test('proves its order with a day above 12, but not with a year of two digits', () => {
    const proof = (text: string) => {
      const written = readTime(text);
      return written && provenOrder(written);
    };
    expect(['13/02/2021', '02/13/2021', '12/12/2021', '13/02/21', '2021-02-13'].map(proof)).toEqual([
      'dmy',
      'mdy',
      null,
      null,
      null,
    ]);
  });
});

test('a year of two digits is of this century', () => {
  expect(read('03/02/21 21:30 UTC', { dateOrder: 'dmy' })).toBe('2021-02-03T21:30:00.000000Z');
  expect(read('03/02/21 21:30 UTC', { dateOrder: 'mdy' })).toBe('2021-03-02T21:30:00.000000Z');
  expect(read('03/02/21 21:30 UTC', { dateOrder: 'ymd' })).toBe('2003-02-21T21:30:00.000000Z');
});

test.each([
  '',
  'yesterday',
  '2024-08-11 25:00',
  '2024-08-11 13:00 PM',
  '2024-08-11 0:30 AM',
  '2024-08-11 10:60',
  '2024-08-11T10:00:00 nowhere',
  '2024-08-11 10:00 +25:00',
  '45292.5',
  '12/2021',
  '1/2-2021',
  '123/4/2021',
])('%p is no time', (text) => {
  expect(read(text)).toBeNull();
});

test.each([
  ['2023-02-29 10:00 UTC', {}, 'is no date of the calendar'],
  ['31/04/2023 10:00 UTC', { dateOrder: 'dmy' }, 'is no date of the calendar'],
  ['13/02/2023 10:00 UTC', { dateOrder: 'mdy' }, 'is no date of the calendar'],
  ['13/02/2023 10:00 UTC', { dateOrder: 'ymd' }, 'has its year at the end'],
  ['2024-03-31 02:30', { timeZone: 'Europe/Berlin' }, 'does not exist in Europe/Berlin, where clocks were set forward'],
  ['2011-12-30 12:00', { timeZone: 'Pacific/Apia' }, 'does not exist in Pacific/Apia, where clocks were set forward'],
  ['2020/03/25 4:23:52 PM MDT', { timeZone: 'America/New_York' }, 'has a zone other than America/New_York'],
] as const)('%s with %j has a fault', (text, rules, fault) => {
  expect(read(text, rules)).toBe(fault);
});

test('a local time that occurs twice is the first one, unless the abbreviation of its zone tells', () => {
  const timeZone = 'America/New_York';
  const written = readTime('2024-11-03 01:30');
  expect(written && decideTime(written, { ...OPEN, timeZone })).toMatchObject({ isRepeated: true });
  expect(read('2024-11-03 01:30', { timeZone })).toBe('2024-11-03T05:30:00.000000Z');
  expect(read('2024-11-03 01:30 EDT', { timeZone })).toBe('2024-11-03T05:30:00.000000Z');
  expect(read('2024-11-03 01:30 EST', { timeZone })).toBe('2024-11-03T06:30:00.000000Z');
});

test.each([
  ['2025/04/29 9:05:12 am CET', 'Europe/Berlin', '2025-04-29T07:05:12.000000Z'],
  ['2025/04/29 9:05:12 am CET', 'CET', '2025-04-29T07:05:12.000000Z'],
  ['2025/01/29 9:05:12 am CEST', 'Europe/Berlin', '2025-01-29T08:05:12.000000Z'],
  ['2024-07-10 12:00:00 EST', 'America/New_York', '2024-07-10T16:00:00.000000Z'],
  ['2024-03-15 12:00:00 EST', 'America/New_York', '2024-03-15T16:00:00.000000Z'],
  ['2024-10-30 12:00:00 EST', 'America/New_York', '2024-10-30T16:00:00.000000Z'],
])('%s is a local time of %s, whatever the season of its abbreviation', (text, timeZone, time) => {
  expect(read(text, { timeZone })).toBe(time);
  const written = readTime(text);
  expect(written && decideTime(written, { ...OPEN, timeZone })).toMatchObject({ isOffSeason: true });
});

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Europe/Dublin', 'America/New_York', 'America/St_Johns', 'America/Sao_Paulo'],
  ...['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Chatham', 'Africa/Casablanca'],
];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'];
const MONTH_NAMES = [...MONTHS, 'November', 'December'];

/** Writes a local time in each format, with the rules that a file of this format requires. */
function writings(time: Temporal.ZonedDateTime): Array<readonly [text: string, rules: Partial<TimeRules>]> {
  const { year, month, day, hour, timeZoneId: timeZone, offset } = time;
  const two = (number: number) => String(number).padStart(2, '0');
  const minutes = `${two(time.minute)}:${two(time.second)}`;
  const clock = `${two(hour)}:${minutes}`;
  const half = `${hour % 12 || 12}:${minutes} ${hour < 12 ? 'AM' : 'PM'}`;
  const name = MONTH_NAMES[month - 1] ?? '';
  const short = two(year % 100);
  return [
    [`${year}-${two(month)}-${two(day)}T${clock}${offset}`, {}],
    [`${year}/${two(month)}/${two(day)} ${half} GMT${offset.replace(/([+-])0?/, '$1')}`, {}],
    [`${two(day)} ${name.slice(0, 3)} ${year} ${clock} ${offset.replace(':', '')}`, {}],
    [`${year}-${two(month)}-${two(day)} ${clock}`, { timeZone }],
    [`${name} ${day}, ${year} ${half}`, { timeZone }],
    [`${month}/${day}/${year} ${clock}`, { timeZone, dateOrder: 'mdy' }],
    [`${two(day)}.${two(month)}.${year}, ${clock}`, { timeZone, dateOrder: 'dmy' }],
    [`${two(day)}-${two(month)}-${year} ${half}`, { timeZone, dateOrder: 'dmy' }],
    [`${month}/${day}/${short} ${half}`, { timeZone, dateOrder: 'mdy' }],
    [`${day}.${month}.${short} ${clock}`, { timeZone, dateOrder: 'dmy' }],
    [`${short}-${two(month)}-${two(day)} ${clock}`, { timeZone, dateOrder: 'ymd' }],
  ];
}

test('random times written in any format and zone are read back, and never as another time', () => {
  const seconds = fc.integer({ min: Date.UTC(2000, 0, 2) / 1000, max: Date.UTC(2027, 0) / 1000 });
  fc.assert(
    fc.property(seconds, fc.constantFrom(...ZONES), (second, zone) => {
      const time = Temporal.Instant.fromEpochMilliseconds(second * 1000).toZonedDateTimeISO(zone);
      // Of two equal local times, only the first can be read back without an offset.
      const first = time.toPlainDateTime().toZonedDateTime(zone, { disambiguation: 'earlier' });
      for (const [text, rules] of writings(time)) {
        const expected = rules.timeZone === undefined ? time : first;
        const read = readTime(text);
        if (!read) throw new Error(`${text} is not read`);
        expect([text, openPoints(read, { ...OPEN, ...rules })]).toEqual([text, []]);
        expect([text, decideTime(read, { ...OPEN, ...rules })]).toEqual([
          text,
          { at: expected.epochMilliseconds * 1000, isRepeated: expect.any(Boolean), isOffSeason: false },
        ]);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('every local time near a change of the clocks is the one that Temporal finds', () => {
  for (const timeZone of ZONES.slice(1)) {
    let at = Temporal.Instant.from('2000-01-01T00:00Z').toZonedDateTimeISO(timeZone);
    for (
      let next = at.getTimeZoneTransition('next');
      next && next.year < 2027;
      next = at.getTimeZoneTransition('next')
    ) {
      for (let minutes = -180; minutes <= 180; minutes += 15) {
        const local = next.add({ minutes }).toPlainDateTime();
        const text = local.toString({ smallestUnit: 'second' }).replace('T', ' ');
        const earlier = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
        expect([text, read(text, { timeZone })]).toEqual([text, formatTime(earlier.epochMilliseconds * 1000)]);
      }
      at = next;
    }
  }
});
