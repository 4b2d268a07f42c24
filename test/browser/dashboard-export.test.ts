import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import readSheets from 'read-excel-file/node';
import { EXPORT_FORM_TEXTS } from '../../src/dashboard/exports/texts.ts';
import { newId } from '../../src/lib/ids.ts';
import { payloadAad } from '../../src/vault/vault.ts';
import { keepMany } from '../fast/dashboard/list-page.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import { openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance } = stage;
const { formats, progress } = EXPORT_FORM_TEXTS.en;

/** The export of a new owner's form with submissions, in a browser that they are signed in to. */
async function exportPage(submissions: number, options: Readonly<{ javaScriptEnabled?: boolean }> = {}) {
  const owner = await instance.makeOwner();
  await keepMany(instance.context, owner.form.id, submissions, (n) => ({
    message: `number ${n}`,
    text: 'x'.repeat(2_000),
  }));
  const me = await signIn(instance, owner);
  const page = await stage.open('', options);
  const [name = '', value = ''] = me.cookie.split('=');
  await page.context().addCookies([{ name, value, url: instance.url }]);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${instance.url}/dashboard/forms/${owner.form.id}/export`);
  await page.getByText(EXPORT_FORM_TEXTS.en.otherFormats).click();
  return { owner, page, complaints };
}

/** Presses the button, and gives what the browser saved. */
async function saved(page: Page, button: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: await Bun.file(await download.path()).bytes() };
}

describe.each([
  ['with script', true],
  ['without script', false],
])('%s', (_, javaScriptEnabled) => {
  test('each format is saved as a file', async () => {
    const { owner, page, complaints } = await exportPage(20, { javaScriptEnabled });
    const body = new FormData();
    body.append('cv', new File(['my life'], 'cv.txt'));
    await instance.post(owner.form.id, body);
    const csv = await saved(page, formats.csv.download);
    expect(csv.name).toMatch(/^Contact \d{4}-\d\d-\d\d\.csv$/);
    expect(parse(Buffer.from(csv.bytes), { bom: true })).toHaveLength(22);
    const people = await saved(page, formats.people.download);
    expect(parse(Buffer.from(people.bytes), { bom: true })[0]?.[0]).toBe(EXPORT_FORM_TEXTS.en.table.received);
    const workbook = await saved(page, formats.xlsx.download);
    expect(workbook.name).toMatch(/^Contact \d{4}-\d\d-\d\d\.xlsx$/);
    expect((await readSheets(Buffer.from(workbook.bytes)))[0]?.data).toHaveLength(22);
    const lines = await saved(page, formats.jsonl.download);
    expect(lines.name).toEndWith('.jsonl');
    expect(new TextDecoder().decode(lines.bytes).trim().split('\n')).toHaveLength(21);
    const zip = await saved(page, formats.zip.download);
    expect(Object.values(unzipSync(zip.bytes)).map((bytes) => new TextDecoder().decode(bytes))).toEqual(['my life']);
    expect(complaints).toEqual([]);
  });

  test('contains only the selection, and shows an error for invalid input', async () => {
    const { owner, page } = await exportPage(3, { javaScriptEnabled });
    const [first] = await instance.stored(owner);
    await instance.context.store.submissions.mark(first?.id ?? '', true, null, []);
    await page.getByLabel(EXPORT_FORM_TEXTS.en.state, { exact: true }).selectOption('spam');
    const spam = await saved(page, formats.csv.download);
    expect(parse(Buffer.from(spam.bytes), { bom: true }).map(([id]) => id)).toEqual(['id', first?.id]);
    await page.getByLabel(EXPORT_FORM_TEXTS.en.from, { exact: true }).fill('2026-05-02');
    await page.getByLabel(EXPORT_FORM_TEXTS.en.to, { exact: true }).fill('2026-05-01');
    await page.getByRole('button', { name: formats.csv.download }).click();
    await page.getByRole('alert').filter({ hasText: EXPORT_FORM_TEXTS.en.reversed }).waitFor();
    expect(await page.getByLabel(EXPORT_FORM_TEXTS.en.state, { exact: true }).inputValue()).toBe('spam');
    expect(await page.getByLabel(EXPORT_FORM_TEXTS.en.from, { exact: true }).inputValue()).toBe('2026-05-02');
  });
});

test('the page shows the progress of the export and its end', async () => {
  const { page } = await exportPage(2_000);
  expect(await page.getByRole('progressbar').count()).toBe(0);
  const file = await saved(page, formats.csv.download);
  await page
    .getByRole('status')
    .filter({ hasText: progress.done('2,000') })
    .waitFor({ state: 'attached' });
  expect(await page.getByRole('progressbar').getAttribute('value')).toBe('1');
  expect(parse(Buffer.from(file.bytes), { bom: true })).toHaveLength(2_001);
});

test('a failed export is a failed download, and the page shows it', async () => {
  const { owner, page } = await exportPage(200);
  const { store, vault } = instance.context;
  // A record that opens and holds no payload: a fault that nobody thought of.
  const id = newId('sub');
  const payload = vault.seal('no payload', payloadAad(id, owner.form.id));
  const nothing = {
    files: null,
    blobs: [],
    spamReasons: null,
    idempotency: null,
    challenge: null,
    mails: [],
    deliveries: [],
  };
  await store.queue.accept({ id, formId: owner.form.id, isSpam: false, payload, ...nothing });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: formats.jsonl.download }).click(),
  ]);
  expect(await download.failure()).not.toBeNull();
  await page.getByRole('status').filter({ hasText: 'failed after' }).waitFor({ state: 'attached' });
});
