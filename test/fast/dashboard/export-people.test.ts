import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import readSheets from 'read-excel-file/node';
import { EXPORT_FORM_TEXTS } from '../../../src/dashboard/exports/texts.ts';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import type { FormField } from '../../../src/domain/fields/field-type.ts';
import { Semaphore } from '../../../src/lib/semaphore.ts';
import { runExport } from '../../../src/services/exports/export.ts';
import { xlsxExport } from '../../../src/services/exports/export-xlsx.ts';
import { disarm, disarmForPeople } from '../../../src/services/exports/formulas.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { keepMany } from './list-page.ts';
import { signIn } from './signed-in.ts';

const EN = CATALOG.textsIn('en');

const now = Date.parse('2026-03-01T23:30:45Z') * 1000;
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ clock: () => now });
});
afterAll(() => instance.stop());

const field = (name: string, label: string, type: string, more: Partial<FormField> = {}): FormField => {
  return { name, label, type, required: false, ...more };
};

const FIELDS = [
  field('name', 'Your name', 'text'),
  field('phone', 'Phone', 'phone'),
  field('news', 'Newsletter', 'checkbox'),
  field('terms', 'Terms', 'consent'),
  field('stars', 'Rating', 'rating'),
  field('guests', 'Guests', 'number'),
  field('day', 'Day', 'date'),
  field('colors', 'Colors', 'checkboxes', { options: ['red', 'green'] }),
  field('name2', 'Your name', 'text'),
];

const PAYLOAD = {
  name: 'Ada',
  phone: '+46 70 123 45 67',
  news: 'on',
  terms: 'no',
  stars: '4',
  guests: '-2.5',
  day: '2026-11-22',
  colors: ['red', 'green'],
  name2: '=HYPERLINK("http://example.com")',
  other: true,
};

/** An owner with the exports of a form. */
async function desk(fields: readonly FormField[] = FIELDS, settings: Parameters<typeof signIn>[2] = {}) {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, { fields });
  const me = await signIn(instance, owner, { timeZone: 'Asia/Tokyo', ...settings });
  const get = (file: string) => me.get(`/dashboard/forms/${form.id}/export${file}`);
  const csv = async (query = '?for=people'): Promise<string[][]> =>
    parse(Buffer.from(await (await get(`.csv${query}`)).arrayBuffer()), { bom: true });
  const bytes = async (query = '') => Buffer.from(await (await get(`.xlsx${query}`)).arrayBuffer());
  const rows = async (query = '') => (await readSheets(await bytes(query)))[0]?.data ?? [];
  return { owner, form, me, get, csv, bytes, rows };
}

const TITLES = [
  'Your name',
  'Phone',
  'Newsletter',
  'Terms',
  'Rating',
  'Guests',
  'Day',
  'Colors',
  'Your name (2)',
  'other',
];

const EXTRA = 'extra=spam&extra=damaged&extra=id&extra=maybeSpam';

describe('CSV for spreadsheets', () => {
  test('has labels, local times, Yes and No, and only formulas disarmed', async () => {
    const { form, csv } = await desk();
    await instance.post(form.id, PAYLOAD);
    const [titles, row] = await csv();
    expect(titles).toEqual(['Received', ...TITLES]);
    expect(row).toEqual([
      '2026-03-02 08:30',
      'Ada',
      '+46 70 123 45 67',
      'Yes',
      'No',
      '4 of 5',
      '-2.5',
      '2026-11-22',
      'red; green',
      '\'=HYPERLINK("http://example.com")',
      'Yes',
    ]);
  });

  test('is in the language of the viewer', async () => {
    const { form, csv } = await desk(FIELDS, { language: 'de' });
    await instance.post(form.id, PAYLOAD);
    const [titles = [], row = []] = await csv(`?for=people&${EXTRA}`);
    expect([titles[0], ...titles.slice(-4)]).toEqual(['Eingegangen', 'Spam', 'Beschädigt', 'ID', 'Spam-Verdacht']);
    expect(row.slice(3, 6)).toEqual(['Ja', 'Nein', '4 von 5']);
    expect(row.slice(-4)).toEqual(['Nein', 'Nein', expect.stringMatching(/^sub_/), 'Nein']);
  });

  test('leaves the CSV for programs as it was', async () => {
    const { form, csv } = await desk();
    await instance.post(form.id, PAYLOAD);
    const [titles = [], row = []] = await csv('');
    expect(titles).toEqual(['id', 'created_at', 'is_spam', 'is_damaged', 'maybe_spam', ...Object.keys(PAYLOAD)]);
    expect(row.slice(2, 8)).toEqual(['false', 'false', 'false', 'Ada', "'+46 70 123 45 67", 'on']);
    expect(row[1]).toMatch(/^2026-03-01T23:30:45\.\d{6}Z$/);
  });
});

describe('XLSX', () => {
  test('has typed cells that another reader reads', async () => {
    const { form, get, rows } = await desk();
    await instance.post(form.id, PAYLOAD);
    const answer = await get('.xlsx');
    expect(answer.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    );
    expect(answer.headers.get('content-disposition')).toContain('2026-03-02.xlsx');
    const [titles, row] = await rows();
    expect(titles).toEqual(['Received', ...TITLES]);
    expect(row as unknown[]).toEqual([
      new Date('2026-03-02T08:30:00Z'),
      'Ada',
      '+46 70 123 45 67',
      'Yes',
      'No',
      4,
      -2.5,
      new Date('2026-11-22T00:00:00Z'),
      'red; green',
      '=HYPERLINK("http://example.com")',
      'Yes',
    ]);
  });

  test('shows ratings with the best one, and dates as the system of the reader writes them', async () => {
    const { form, bytes } = await desk(FIELDS, { language: 'de' });
    await instance.post(form.id, PAYLOAD);
    const parts = unzipSync(await bytes());
    const [styles, sheet] = ['xl/styles.xml', 'xl/worksheets/sheet1.xml'].map((path) =>
      Buffer.from(parts[path] ?? []).toString(),
    );
    const formats = Array.from(styles?.matchAll(/<xf numFmtId="(\d+)"[^>]*xfId/g) ?? [], ([, id]) => id);
    const codeOf = (column: string) => {
      const [, style = ''] = new RegExp(`<c r="${column}2" s="(\\d+)">`).exec(sheet ?? '') ?? [];
      const format = formats[Number(style)];
      return new RegExp(`numFmtId="${format}" formatCode="([^"]*)"`).exec(styles ?? '')?.[1] ?? format;
    };
    expect(['A', 'F', 'H'].map(codeOf)).toEqual(['22', '0&quot; von 5&quot;', '14']);
  });

  test('keeps texts that would lose digits as numbers, and impossible dates', async () => {
    const fields = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => field(name, '', name < 'd' ? 'number' : 'date'));
    const { form, rows } = await desk(fields);
    const sent = { a: '007', b: '1234567890123456', c: 'Infinity', d: '1899-12-31', e: '2026-02-30', f: 'soon' };
    await instance.post(form.id, { ...sent, g: 12345678901234 });
    const [, row = []] = await rows();
    expect(row.slice(1, 8)).toEqual([...Object.values(sent), 12345678901234]);
  });

  test('round-trips hostile texts, none of them as a formula', async () => {
    const { form, bytes } = await desk([]);
    const texts = [
      ...CORPUS,
      ...['<b>&amp;</b>', ']]>', '"\'', ' x ', '\t', 'a\nb', '😀', 'שלום', '_x0041_', '\u0000\u0008', '\ud800'],
    ];
    await instance.post(form.id, Object.fromEntries(texts.map((text, index) => [`f${index}`, text])));
    const file = await bytes();
    const [, row = []] = (await readSheets(file, { trim: false }))[0]?.data ?? [];
    const legal = (text: string) =>
      text
        .toWellFormed()
        .replace(/\r\n?/g, '\n')
        .replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
    expect(row.slice(1, 1 + texts.length)).toEqual(texts.map(legal));
    const sheet = Buffer.from(unzipSync(file)['xl/worksheets/sheet1.xml'] ?? []).toString();
    expect(sheet).not.toMatch(/<f[ >]/);
    expect(sheet).toContain('_x005F_x0041_');
  });

  test('shortens a text that no cell can hold', async () => {
    const { form, rows } = await desk([]);
    await instance.post(form.id, { text: 'x'.repeat(40_000), next: 'whole' });
    const [, [, text, next] = []] = await rows();
    expect(String(text)).toHaveLength(32_767);
    expect(String(text)).toEndWith(EXPORT_FORM_TEXTS.en.table.shortened);
    expect(next).toBe('whole');
  });

  test('continues a full sheet on another one', async () => {
    const { form } = await desk([]);
    await keepMany(instance.context, form.id, 5, (n) => ({ n }));
    const words = { ...EN.values, ...EXPORT_FORM_TEXTS.en.table };
    const make = xlsxExport({ form, choice: null, extras: [], timeZone: 'UTC', words }, 3);
    const span = { formId: form.id, state: 'all', from: 0, until: Number.MAX_SAFE_INTEGER } as const;
    const progress = { step: 'looking', submissions: 0, atMost: 0 } as const;
    const deps = { ...instance.context, semaphore: new Semaphore(1) };
    const chunks = (await Array.fromAsync(runExport(deps, make, span, { ...progress }))) as Uint8Array[];
    const sheets = await readSheets(Buffer.concat(chunks));
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['Submissions', 'Submissions 2', 'Submissions 3']);
    expect(sheets.map(({ data }) => data.map((row) => row[1]))).toEqual([
      ['n', 0, 1],
      ['n', 2, 3],
      ['n', 4],
    ]);
  });

  test('of a form without submissions has the header alone', async () => {
    const { rows } = await desk([]);
    expect(await rows(`?${EXTRA}`)).toEqual([['Received', 'Spam', 'Damaged', 'ID', 'Suspected spam']]);
  });
});

test('columns can be chosen for each kind of table', async () => {
  const { form, me, csv, rows } = await desk();
  await instance.post(form.id, PAYLOAD);
  const two = 'columns=chosen&column=phone&column=name';
  expect((await csv(`?for=people&${two}`))[0]).toEqual(['Received', 'Your name', 'Phone']);
  expect((await csv(`?${two}`))[0]?.slice(5)).toEqual(['name', 'phone']);
  expect((await rows(`?${two}&others=yes`))[0]).toEqual(['Received', 'Your name', 'Phone', 'other']);
  expect((await rows(`?columns=chosen&${EXTRA}`))[1]).toHaveLength(5);
  const page = await me.page(`/dashboard/forms/${form.id}/export?${two}`);
  expect(page.match(/name="column" value="\w+" checked/g)).toHaveLength(2);
  expect(page).toContain('name="others" value="yes"/>');
});

test('card numbers are masked', async () => {
  const { form, csv, rows } = await desk([]);
  await instance.post(form.id, { card: '4242 4242 4242 4242' });
  expect((await csv())[1]?.[1]).toBe('************4242');
  expect((await rows())[1]?.[1]).toBe('************4242');
});

/** Formulas after OWASP's "CSV Injection" and its variants, and what a semicolon or line break puts at a cell's start. */
const CORPUS = [
  ...['=1+1', '+1+1', '-1+1', '@SUM(1)', '\t=1+1', '\r=1+1', '＝1+1', '＋1+1', '－1-1', '＠SUM(1)'],
  ...["=cmd|' /C calc'!A0", "+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", '@cmd', '=HYPERLINK("http://x")'],
  ...[' =1+1', '\u00a0=1', '\u200b=1', '\ufeff=1', 'x;=1', 'x; =1', 'x\n=1', 'x\r\n@a', 'x;-1+cmd|x', '+A1', '-A1:B2'],
  ...['+49-30-123', '-', '+', '--1', '- one\n- two', '-5%', '+1 (cmd|x)', "+1 'x'!A1", '-1,5+A1', '+1e5e'],
];

describe('the rule of CSV for spreadsheets', () => {
  test.each(CORPUS.map((text) => [text]))('disarms %j', (text) => {
    const written = disarmForPeople(text);
    expect(written.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
    expect(written).not.toBe(text);
    expect(written).not.toMatch(/^[\s\p{C}\p{DI}]*[=@＝＠]/u);
  });

  test.each([
    ...[
      '+46 70 123 45 67',
      '-5',
      '+5',
      '-1,5',
      '-1.5e-3',
      '+1,234.50',
      '+49 (0)30 1234',
      '+(49) 30',
      '-0',
      '+1 415-555-0100',
    ],
    ...['+49 30/123456', 'a;-1;+2', '+46 70; +49 30', 'fine ;-)', '1 = 1', 'a; b = c', 'ada@example.com', 'x\n- y', ''],
  ])('leaves %j as it is', (text) => {
    expect(disarmForPeople(text)).toBe(text);
  });

  test('takes linear time for long texts of any kind', () => {
    const n = 200_000;
    for (const part of [' ', '\u200b', '\u200b-', '-\u200b', '+1', '+ 1.,', '\t', '(', '+1 ']) {
      const text = `${part.repeat(n)}x`;
      expect(disarm(text).length).toBeGreaterThanOrEqual(text.length);
      expect(disarmForPeople(text).length).toBeGreaterThanOrEqual(text.length);
    }
  });
});
