import { afterEach, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import type { Payload } from '../../../../src/domain/submissions/submission.ts';
import { HOUR, MINUTE } from '../../../../src/lib/clock.ts';
import type { Tokens } from '../../../../src/outbox/targets/kind.ts';
import {
  appendRows,
  parseSheets,
  SHEETS_BATCH,
  type SheetsSettings,
  sheets,
} from '../../../../src/outbox/targets/sheets.ts';
import type { TargetEvent } from '../../../../src/outbox/targets/target.ts';
import { CREDENTIALS, startGoogle } from '../../../support/google.ts';
import { eventOf, URL_IN_DASHBOARD, withData } from './events.ts';

const ID = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms';
const SETTINGS = parseSheets({ sheet: ID, credentials: CREDENTIALS });
const FIRST = ['submission_id', 'created_at', 'is_spam', 'link', 'files', 'maybe_spam'];
const VALUES = ['sub_1', '2026-11-22T08:30:00.000000Z', false, URL_IN_DASHBOARD, 'photo.jpg (12.5 KiB)', false];

type SkipSend = [settings: SheetsSettings, events: readonly TargetEvent[]];

const stops: Array<() => void> = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function start() {
  const { state, send, stop } = startGoogle(ID);
  stops.push(stop);
  const time = { now: Date.UTC(2026, 10, 22) * 1_000 };
  const tokens: Tokens = new Map();
  const append = (...[settings, events]: SkipSend) => appendRows(send, settings, events, { tokens, now: time.now });
  return { state, time, client: { append } };
}

test('an empty sheet gets titles and a row for each submission, in one batch', async () => {
  const { state, client } = start();
  const second = withData([['message', 'Again']]);
  expect((await client.append(SETTINGS, [eventOf(), second])).status).toBe(200);
  expect(state.rows).toEqual([
    [...FIRST, 'email', 'message'],
    [...VALUES, 'ada@example.com', 'Hello\nworld'],
    // biome-ignore lint/suspicious/noSparseArray: an empty cell
    [...VALUES, , 'Again'] as string[],
  ]);
  expect(state.requests).toEqual(['GET ', "PUT /values/'Ada''s'!A1", "POST /values/'Ada''s'!A1:append"]);
});

test('later submissions follow the titles, wherever their owner moved them, and add new ones at the end', async () => {
  const { state, client } = start();
  state.rows.push(['notes', 'message', 'submission_id', 'email']);
  await client.append(SETTINGS, [
    withData([
      ['message', 'Hi'],
      ['phone', '123'],
    ]),
  ]);
  expect(state.rows[0]).toEqual(['notes', 'message', 'submission_id', 'email', ...FIRST.slice(1), 'phone']);
  expect(state.rows[1]?.slice(1)).toEqual(['Hi', 'sub_1', ...Array(1), ...VALUES.slice(1), '123']);
  state.requests.length = 0;
  await client.append(SETTINGS, [withData([['phone', '456']])]);
  expect(state.requests).toHaveLength(2);
});

test('an empty first title is filled, because Google would append beside its column', async () => {
  const { state, client } = start();
  state.rows.push([null, 'email']);
  expect((await client.append(SETTINGS, [eventOf()])).status).toBe(200);
  expect(state.rows[0]?.slice(0, 3)).toEqual(['–', 'email', 'submission_id']);
});

test('formulas stay text, numbers stay numbers, and names of fields do not take the place of other columns', async () => {
  const { state, client } = start();
  const data: Payload = [
    ['=HYPERLINK("https://evil.test")', '=IMPORTXML("https://evil.test")'],
    ['submission_id', 'fake'],
    ['amount', 12.5],
    ['list', ['a', 'b']],
    ['', 'x'],
    ['same\u202e', '1'],
    ['same', '2'],
  ];
  await client.append(SETTINGS, [eventOf({ form: { fields: [] }, submission: { data } })]);
  expect(state.rows).toEqual([
    [
      ...FIRST,
      '=HYPERLINK("https://evil.test")',
      'submission_id (field)',
      'amount',
      'list',
      '–',
      'same',
      'other_fields',
    ],
    [...VALUES, '=IMPORTXML("https://evil.test")', 'fake', 12.5, 'a\nb', 'x', '1', 'same: 2'],
  ]);
});

test('a thousand invented fields share a column, and the grid grows as needed', async () => {
  const { state, client } = start();
  const fields = (prefix: string): Payload =>
    Array.from({ length: 1_000 }, (_, index) => [`${prefix}${index}`, 'x'.repeat(200)]);
  for (const prefix of ['a', 'b', 'c']) {
    expect((await client.append(SETTINGS, [withData(fields(prefix))])).status).toBe(200);
  }
  expect([state.rows[0]?.length, state.width, state.rows[0]?.at(-1)]).toEqual([201, 201, 'other_fields']);
  expect(state.rows[3]?.[200]).toMatch(/^b?c0: x{200}\n.*…$/s);
});

test('large submissions fit into a request', async () => {
  const { state, client } = start();
  const data = Array.from({ length: 10 }, (_, index) => [`field${index}`, '"名'.repeat(60_000)] as const);
  const events = Array.from({ length: SHEETS_BATCH }, () => withData(data));
  expect((await client.append(SETTINGS, events)).status).toBe(200);
  expect(state.rows).toHaveLength(SHEETS_BATCH + 1);
  expect(String(state.rows[1]?.[7])).toMatch(/…$/);
  expect(String(state.rows[1]?.at(-1))).toBe('…');
});

test('any submission is appended below its titles', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  const payload = fc.uniqueArray(fc.tuple(text, text), { maxLength: 20, selector: ([name]) => name });
  await fc.assert(
    fc.asyncProperty(payload, async (data) => {
      const { state, client } = start();
      expect((await client.append(SETTINGS, [withData(data)])).status).toBe(200);
      expect(state.rows[1]?.slice(0, 6)).toEqual(VALUES);
      expect(new Set(state.rows[0]).size).toBe(state.rows[0]?.length ?? 0);
    }),
    { numRuns: 30 },
  );
});

test('other events write nothing, but a test of access fails as it should', async () => {
  const { state, client } = start();
  const deleted = eventOf({ type: 'submission.deleted', submission: { data: null } });
  const sample = eventOf({ type: 'webhook.test', submission: null });
  expect((await client.append(SETTINGS, [deleted, sample])).status).toBe(200);
  expect(state.rows).toEqual([]);
  const answer = await client.append({ ...SETTINGS, sheet: `${ID}-private` }, [sample]);
  expect(sheets.interpret?.(answer)).toEqual({ reason: expect.stringContaining('share the sheet') });
});

test('a token is reused until it expires or is refused', async () => {
  const { state, time, client } = start();
  await client.append(SETTINGS, [eventOf()]);
  time.now += 50 * MINUTE;
  await client.append(SETTINGS, [eventOf()]);
  expect(state.tokens).toBe(1);
  time.now += HOUR;
  await client.append(SETTINGS, [eventOf()]);
  expect(state.tokens).toBe(2);
  state.token = 'revoked';
  expect((await client.append(SETTINGS, [eventOf()])).status).toBe(401);
  expect((await client.append(SETTINGS, [eventOf()])).status).toBe(200);
  expect(state.tokens).toBe(3);
});

test('refusals are read', async () => {
  const { state, client } = start();
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const read = async (settings: typeof SETTINGS) => sheets.interpret?.(await client.append(settings, [eventOf()]));
  expect(await read({ ...SETTINGS, privateKey })).toEqual({ reason: expect.stringContaining('refused the key') });
  expect(await read({ ...SETTINGS, sheet: 'unknown' })).toEqual({
    reason: expect.stringContaining('no such spreadsheet'),
  });
  state.busy = true;
  expect(await read(SETTINGS)).toEqual({ retryAfterSeconds: 60 });
});

test('settings are an address or id, and the key of a service account', () => {
  const sheet = `https://docs.google.com/spreadsheets/d/${ID}/edit#gid=0`;
  expect(parseSheets({ sheet, credentials: CREDENTIALS })).toEqual(SETTINGS);
  const wrong = { ...JSON.parse(CREDENTIALS), private_key: 'x' };
  for (const [options, text] of [
    [{ credentials: CREDENTIALS }, 'needs the address'],
    [{ sheet: 'https://evil.test/spreadsheets/d/x', credentials: CREDENTIALS }, 'needs the address'],
    [{ sheet: ID }, 'not the key of a Google service account'],
    [{ sheet: ID, credentials: JSON.stringify(wrong) }, 'not the key of a Google service account'],
  ] as const) {
    expect(() => parseSheets(options)).toThrow(text);
  }
});
