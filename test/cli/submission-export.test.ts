import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import readSheets from 'read-excel-file/node';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { createTeamWithForm, expectRefused, instances, json, run, type TeamWithForm } from './command-line.ts';

const fresh = instances();
const dataDir = fresh();
let server: ServerProcess;
let house: TeamWithForm;

const FIELDS = [
  { name: 'name', label: 'Your name' },
  { name: 'phone', label: 'Phone', type: 'phone' },
  { name: 'stars', label: 'Rating', type: 'rating' },
  { name: 'terms', label: 'Terms', type: 'consent' },
];

beforeAll(async () => {
  server = await spawnServer(dataDir);
  house = await createTeamWithForm(dataDir);
  await json(dataDir, ['form', 'update', house.form.id, '--fields', JSON.stringify(FIELDS)]);
  const answer = await fetch(`${server.url}/v1/forms/${house.form.id}/submissions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: '=1+1',
      phone: '+46 70 123 45 67',
      stars: '4',
      terms: 'yes',
      card: '4242424242424242',
    }),
  });
  expect(answer.status).toBe(200);
});
afterAll(async () => {
  expect(await server.end()).toBe(0);
});

const exported = async (...options: string[]) => {
  const { code, stdout, stderr } = await run(dataDir, ['submission', 'export', '--form', house.form.id, ...options]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

test('prints CSV for programs by default, and for people on request', async () => {
  const rows: string[][] = parse(await exported(), { bom: true });
  expect(rows[0]).toEqual([
    'id',
    'created_at',
    'is_spam',
    'is_damaged',
    'maybe_spam',
    'name',
    'phone',
    'stars',
    'terms',
    'card',
  ]);
  const people: string[][] = parse(
    await exported('--for-people', '--details', '--time-zone', 'Asia/Tokyo', '--columns', 'phone,terms'),
    { bom: true },
  );
  expect(people).toEqual([
    ['Received', 'Phone', 'Terms', 'Spam', 'Damaged', 'ID', 'Suspected spam', 'Address confirmed', 'Consent text'],
    [
      expect.stringMatching(/^[\d-]{10} \d\d:\d\d$/),
      '+46 70 123 45 67',
      'Yes',
      'No',
      'No',
      rows[1]?.[0] ?? '',
      'No',
      'No',
      'No',
    ],
  ]);
  const [line] = (await exported('--format', 'jsonl')).split('\n');
  expect(JSON.parse(line ?? '')).toMatchObject({ data: { card: '************4242' } });
});

test('writes XLSX to a new file, readable by its owner alone, and records it', async () => {
  const output = join(dataDir, 'export.xlsx');
  const options = ['submission', 'export', '--form', house.form.id, '--format', 'xlsx', '--output', output];
  expect(await json<object>(dataDir, options)).toEqual({ file: output, submissions: 1 });
  expect(statSync(output).mode & 0o777).toBe(0o600);
  const [sheet] = await readSheets(output);
  expect(sheet?.data[1]?.slice(1, 6)).toEqual(['=1+1', '+46 70 123 45 67', 4, 'Yes', '************4242']);
  await expectRefused(dataDir, [[options, /Could not create .*export\.xlsx: EEXIST.*Pass another --output/]]);
  const audit = await json<Array<{ action: string; details: object }>>(dataDir, ['audit', 'export']);
  expect(audit.findLast(({ action }) => action === 'export.xlsx')?.details).toMatchObject({ count: 1 });
});

test('refuses wrong options and writes nothing', async () => {
  const output = join(dataDir, 'none.csv');
  for (const [options, message] of [
    [['--form', 'frm_1'], /no form "frm_1"/],
    [['--form', house.form.id, '--format', 'pdf'], /Allowed choices are csv, xlsx, jsonl, zip/],
    [['--form', house.form.id, '--time-zone', 'Mars'], /Unknown time zone "Mars"/],
  ] as const) {
    const { code, stderr } = await run(dataDir, ['submission', 'export', ...options, '--output', output]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(message);
  }
  expect(existsSync(output)).toBe(false);
});

test('limits the time: from --since on, and before --until', async () => {
  const [first] = JSON.parse(`[${(await exported('--format', 'jsonl')).split('\n')[0]}]`) as [{ created_at: string }];
  const at = first.created_at;
  const count = async (...options: string[]) =>
    (await exported('--format', 'jsonl', ...options)).split('\n').filter(Boolean).length;
  const all = await count();
  expect(await count('--since', at)).toBe(all);
  expect(await count('--until', at)).toBe(0);
  expect(await count('--since', '2999-01-01T00:00:00Z')).toBe(0);
  expect(await count('--since', '2000-01-01T00:00:00+02:00', '--until', '2999-01-01T00:00:00Z')).toBe(all);
  const wrong = await run(dataDir, ['submission', 'export', '--form', house.form.id, '--since', 'yesterday']);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('RFC 3339') });
});
