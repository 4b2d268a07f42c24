import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { FormField } from '../../src/domain/fields/field-type.ts';
import { namedBlock } from '../support/documents.ts';
import type { Owner } from '../support/instance.ts';
import { astroPage } from './components.ts';
import { keysOf, openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance } = stage;

/** Returns an example of the documentation for this instance and form. */
function example(name: string, formId: string): string {
  return namedBlock(name).replaceAll('http://127.0.0.1:3000', instance.url).replaceAll('FORM_ID', formId);
}

const payloads = async (owner: Owner) => (await instance.stored(owner)).map(({ data }) => data);

const status = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();

async function fillIn(page: Page, fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
}

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click();

const MESSAGE = { email: 'ada@example.com', message: 'Hello' };
const THANKS = 'Thank you';

test('the example of the README submits, and has the honeypot of the manual', async () => {
  const owner = await instance.makeOwner();
  const text = example('quick', owner.form.id);
  expect(text).toContain(example('honeypot', ''));
  const page = await stage.open(text);
  await fillIn(page, { Email: MESSAGE.email, Message: MESSAGE.message });
  await send(page);
  await status(page, THANKS);
  expect(await payloads(owner)).toEqual([MESSAGE]);
});

describe('the example of plain HTML', () => {
  const CONTACT = { Name: 'Ada', Email: MESSAGE.email, Message: MESSAGE.message };
  const PAYLOAD = { name: 'Ada', ...MESSAGE };

  test('submits with the script under the documented policy', async () => {
    const owner = await instance.makeOwner();
    const csp = example('csp', '').replace('Content-Security-Policy:', '').trim();
    const page = await stage.open(example('plain', owner.form.shortId), { csp: `default-src 'none'; ${csp}` });
    await fillIn(page, CONTACT);
    await send(page);
    await status(page, THANKS);
    expect(await payloads(owner)).toEqual([PAYLOAD]);
  });

  test('submits without the script under the same policy', async () => {
    const owner = await instance.makeOwner();
    const csp = example('csp', '').replace('Content-Security-Policy:', '').trim();
    const page = await stage.open(example('plain', owner.form.id), { csp, javaScriptEnabled: false });
    await fillIn(page, CONTACT);
    await send(page);
    await page.getByRole('heading', { name: THANKS }).waitFor();
    expect(await payloads(owner)).toEqual([PAYLOAD]);
  });

  test('drops posts with a filled honeypot, which is hidden from visitors', async () => {
    const owner = await instance.makeOwner();
    const page = await stage.open(example('plain', owner.form.id));
    expect(await page.getByRole('textbox').count()).toBe(3);
    await fillIn(page, CONTACT);
    await page.locator('[name=_gotcha]').evaluate((input) => input.setAttribute('value', 'spam'));
    await send(page);
    await status(page, THANKS);
    expect(await payloads(owner)).toEqual([]);
  });
});

test('the challenge example solves the challenge and submits without a click', async () => {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, {}, { kind: 'altcha', secret: null, verifyUrl: null });
  const page = await stage.open(example('altcha', form.id));
  await page.locator('altcha-widget [data-state]').first().waitFor();
  await page.getByLabel('Message').fill('Hello');
  await send(page);
  await status(page, THANKS);
  expect((await instance.stored(owner, form)).map(({ data }) => data)).toEqual([{ message: 'Hello' }]);
});

test('the upload example submits its files', async () => {
  const owner = await instance.makeOwner();
  const page = await stage.open(example('upload', owner.form.id));
  await page.getByLabel('Email').fill(MESSAGE.email);
  const files = ['a.txt', 'b.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }));
  await page.getByLabel('Documents').setInputFiles(files);
  await send(page);
  await status(page, THANKS);
  const answer = await instance.api('GET', `/v1/forms/${owner.form.id}/submissions`, { key: owner.readKey });
  const { data } = (await answer.json()) as { data: { items: unknown[] } };
  expect(data.items).toMatchObject([
    {
      data: { email: MESSAGE.email },
      file_metadata: { files: files.map(({ name }) => ({ field: 'documents', name, size: name.length })) },
    },
  ]);
});

test('the Astro example submits, shows the success message and resets the form', async () => {
  const owner = await instance.makeOwner();
  const page = await stage.open(await astroPage(example('astro', owner.form.id)));
  await fillIn(page, { Email: MESSAGE.email, Message: MESSAGE.message });
  await send(page);
  await status(page, THANKS);
  expect(await page.getByLabel('Email').inputValue()).toBe('');
  expect(await payloads(owner)).toEqual([MESSAGE]);
});

describe('the example of a script of its own', () => {
  const pageOf = (formId: string) => example('fetch', formId);
  const FIELDS = { Email: MESSAGE.email, Message: MESSAGE.message };

  test('submits, shows the success message and resets the form', async () => {
    const owner = await instance.makeOwner();
    const page = await stage.open(pageOf(owner.form.id));
    await fillIn(page, FIELDS);
    await send(page);
    await status(page, THANKS);
    expect(await page.getByLabel('Email').inputValue()).toBe('');
    expect(await payloads(owner)).toEqual([MESSAGE]);
  });

  test('submits once for repeated presses', async () => {
    const owner = await instance.makeOwner();
    const page = await stage.open(pageOf(owner.form.id));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/submissions', async (route) => {
      await released;
      await route.continue();
    });
    const keys = keysOf(page);
    await fillIn(page, FIELDS);
    await send(page);
    await status(page, 'Sending…');
    await page.getByLabel('Email').press('Enter');
    release();
    await status(page, THANKS);
    expect(keys.length).toBe(1);
    expect(await payloads(owner)).toEqual([MESSAGE]);
  });

  test('reports a lost connection, and a retry of the same content has the same key', async () => {
    const owner = await instance.makeOwner();
    const page = await stage.open(pageOf(owner.form.id));
    await page.route('**/submissions', (route) => route.abort('connectionreset'), { times: 2 });
    const keys = keysOf(page);
    await fillIn(page, FIELDS);
    await send(page);
    await status(page, 'This could not be sent.');
    await Promise.all([page.waitForEvent('requestfailed'), send(page)]);
    await status(page, 'This could not be sent.');
    await page.getByLabel('Message').fill('Changed');
    await send(page);
    await status(page, THANKS);
    expect([keys.length, keys[0] === keys[1], keys[1] === keys[2]]).toEqual([3, true, false]);
    expect(await payloads(owner)).toEqual([{ ...MESSAGE, message: 'Changed' }]);
  });

  test('shows the error of a field and submits the corrected form', async () => {
    const owner = await instance.makeOwner();
    const fields: FormField[] = [{ name: 'message', label: '', type: 'text', required: true, max_length: 5 }];
    const form = await instance.makeForm(owner, { fields, enforcesRules: true });
    const page = await stage.open(pageOf(form.id));
    await fillIn(page, { ...FIELDS, Message: 'Too long' });
    await send(page);
    await page.getByText('This is too long.').waitFor();
    await page.getByLabel('Message').fill('Hello');
    await send(page);
    await status(page, THANKS);
    expect((await instance.stored(owner, form)).map(({ data }) => data)).toEqual([MESSAGE]);
  });
});
