import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { FormField } from '../../src/domain/fields/field-type.ts';
import type { Form } from '../../src/domain/forms/form.ts';
import { namedBlock } from '../support/documents.ts';
import type { Owner } from '../support/instance.ts';
import { until } from '../support/until.ts';
import { componentPage, type Framework } from './component-bundle.ts';
import { keysOf, openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance } = stage;

const EXAMPLES = { React: 'react', 'React 18': 'react', Vue: 'vue', Svelte: 'svelte' };
const FRAMEWORKS = Object.keys(EXAMPLES) as Framework[];
const PAYLOAD = { email: 'ada@example.com', message: 'Hello' };
const THANKS = 'Thank you';
const SHORT: FormField = { name: 'message', label: '', type: 'text', required: true, max_length: 5 };

const status = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click();
const payloads = async (owner: Owner, form?: Form) => (await instance.stored(owner, form)).map(({ data }) => data);

async function fillIn(page: Page, { email, message } = PAYLOAD) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Message').fill(message);
}

/** Opens the example of the manual, changed by `edit`, and collects what the browser's console says. */
async function open(framework: Framework, form: Form, edit = (code: string) => code, options = {}) {
  const code = namedBlock(EXAMPLES[framework as keyof typeof EXAMPLES])
    .replaceAll('http://127.0.0.1:3000', instance.url)
    .replaceAll('FORM_ID', form.id);
  const page = await stage.open('', options);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The browser itself reports refused posts and the missing icon.
    if (/error|warning/.test(message.type()) && !message.text().startsWith('Failed to load')) {
      complaints.push(message.text());
    }
  });
  await page.goto((await stage.open(await componentPage(framework, edit(code)), options)).url());
  return { page, complaints };
}

/** Responds to the next post only after a call of the returned function. */
async function hold(page: Page) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/submissions', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate("axe.run('main').then(({ violations }) => violations.map(({ id }) => id))");
}

describe.each(FRAMEWORKS)('the form of %s', (framework) => {
  test('posts without script, as rendered on the server', async () => {
    const owner = await instance.makeOwner();
    const { page } = await open(framework, owner.form, undefined, { javaScriptEnabled: false });
    await fillIn(page);
    await send(page);
    await page.getByRole('heading', { name: THANKS }).waitFor();
    expect(await payloads(owner)).toEqual([PAYLOAD]);
  });

  test('posts after hydration, shows the message and resets the form', async () => {
    const owner = await instance.makeOwner();
    const { page, complaints } = await open(framework, owner.form);
    expect(await findingsOf(page)).toEqual([]);
    await fillIn(page);
    await send(page);
    await status(page, THANKS);
    expect(await page.getByLabel('Email').inputValue()).toBe('');
    expect(await findingsOf(page)).toEqual([]);
    expect(await payloads(owner)).toEqual([PAYLOAD]);
    expect(complaints).toEqual([]);
    await fillIn(page);
    await send(page);
    await until(async () => (await payloads(owner)).length === 2, 'a second submission');
  });

  test('posts once for repeated presses, and announces the progress', async () => {
    const owner = await instance.makeOwner();
    const { page } = await open(framework, owner.form);
    const release = await hold(page);
    const keys = keysOf(page);
    await fillIn(page);
    await send(page);
    await status(page, 'Sending…');
    expect(await page.locator('form').getAttribute('aria-busy')).toBe('true');
    await page.getByLabel('Email').press('Enter');
    release();
    await status(page, THANKS);
    expect(await page.locator('form').getAttribute('aria-busy')).toBe('false');
    expect(keys.length).toBe(1);
    expect(await payloads(owner)).toEqual([PAYLOAD]);
  });

  test('shows the error of a field, focuses it, and removes the error on an edit', async () => {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, { fields: [SHORT], enforcesRules: true });
    const { page, complaints } = await open(framework, form);
    await fillIn(page, { ...PAYLOAD, message: 'Too long' });
    await send(page);
    const message = page.getByRole('textbox', { name: 'Message', description: 'This is too long.' });
    await message.and(page.locator(':focus[aria-invalid=true]')).waitFor();
    await status(page, /^Some entries are missing or need to be corrected\.$/);
    expect(await page.getByRole('status').getAttribute('aria-live')).toBe('assertive');
    expect(await page.locator('[aria-invalid]').count()).toBe(1);
    expect(await findingsOf(page)).toEqual([]);
    await message.fill('Hello');
    await page.getByText('This is too long.').waitFor({ state: 'detached' });
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
    await send(page);
    await status(page, THANKS);
    expect(await payloads(owner, form)).toEqual([PAYLOAD]);
    expect(complaints).toEqual([]);
  });

  test('shows the error of a field without a message element in the status', async () => {
    const owner = await instance.makeOwner();
    const fields = [{ name: 'phone', label: '', type: 'text', required: true }];
    const form = await instance.makeForm(owner, { fields, enforcesRules: true });
    const { page } = await open(framework, form);
    await fillIn(page);
    await send(page);
    await status(page, 'phone: This field is required.');
  });

  test('retries a lost connection with the same key', async () => {
    const owner = await instance.makeOwner();
    const { page } = await open(framework, owner.form);
    await page.route('**/submissions', (route) => route.abort('connectionreset'), { times: 1 });
    const keys = keysOf(page);
    await fillIn(page);
    await send(page);
    await status(page, THANKS);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await payloads(owner)).toEqual([PAYLOAD]);
  });

  test('completes a post after it is unmounted, and stays on the page', async () => {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, { redirectUrl: `${instance.url}/docs` });
    const { page, complaints } = await open(framework, form);
    const { pathname } = new URL(page.url());
    const release = await hold(page);
    await fillIn(page);
    await send(page);
    await status(page, 'Sending…');
    await page.evaluate('unmount()');
    const answered = page.waitForResponse('**/submissions');
    release();
    await (await answered).finished();
    expect(await payloads(owner, form)).toEqual([PAYLOAD]);
    // The next task of the page runs after the answer is handled.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    expect(new URL(page.url()).pathname).toBe(pathname);
    expect(complaints).toEqual([]);
  });

  test('opens the redirect URL, unless told not to', async () => {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, { redirectUrl: `${instance.url}/docs` });
    const { page } = await open(framework, form);
    await fillIn(page);
    await Promise.all([page.waitForURL(`${instance.url}/docs`), send(page)]);
    const edit = (code: string) => code.replace(/(\/submissions'),?(\s*\))/, '$1, { redirect: false }$2');
    const staying = await open(framework, form, edit);
    await fillIn(staying.page);
    await send(staying.page);
    await status(staying.page, THANKS);
    expect((await payloads(owner, form)).length).toBe(2);
  });

  test('sends the token of a challenge that is solved on submit', async () => {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, {}, { kind: 'altcha', secret: null, verifyUrl: null });
    const address = `${instance.url}/v1/forms/${form.id}/challenge`;
    const widget = `<altcha-widget auto="onsubmit" challenge="${address}"></altcha-widget>`;
    const { page } = await open(framework, form, (code) => code.replace('<button>', `${widget}<button>`));
    await page.addScriptTag({ url: `${instance.url}/altcha.js`, type: 'module' });
    await page.locator('altcha-widget [data-state]').first().waitFor();
    const keys = keysOf(page);
    await fillIn(page);
    await send(page);
    await status(page, THANKS);
    expect(keys.length).toBe(1);
    expect(await payloads(owner, form)).toEqual([PAYLOAD]);
  });

  test('opens the page with the spam check, with the entries, for what may be spam', async () => {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, { maybeSpamAction: 'challenge' });
    const forged = '<input type="hidden" name="_stamp" value="1.abc" /><button>';
    const { page } = await open(framework, form, (code) => code.replace('<button>', forged));
    await fillIn(page);
    await send(page);
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    expect(await payloads(owner, form)).toEqual([]);
    await send(page);
    await page.getByRole('heading', { name: THANKS }).waitFor();
    expect(await instance.stored(owner, form)).toMatchObject([{ maybe_spam: true, data: PAYLOAD }]);
  });

  test('works with fields that hide properties of the form', async () => {
    const owner = await instance.makeOwner();
    const { page, complaints } = await open(framework, owner.form, (code) =>
      code.replace('<button>', '<input type="hidden" name="reset" /><input type="hidden" name="action" /><button>'),
    );
    await fillIn(page);
    await send(page);
    await status(page, THANKS);
    expect(await payloads(owner)).toEqual([{ ...PAYLOAD, reset: '', action: '' }]);
    expect(complaints).toEqual([]);
  });
});

describe('the hook of React', () => {
  const COMPONENT = `import { useFormstead } from '@formstead/client/react';
    export function ContactForm() {
      const { state, formProps, statusProps, submit, reset } = useFormstead('ACTION', { language: 'de' });
      (globalThis.states ??= []).push(state);
      return (
        <form {...formProps}>
          <input type="file" name="file" />
          <button name="kind" value="file">Send</button>
          <button type="button" onClick={() => submit({ list: ['a', { b: 1 }] })}>Submit values</button>
          <button type="button" onClick={reset}>Reset</button>
          <p {...statusProps} />
        </form>
      );
    }`;
  const opened = async (form: Form) => {
    const page = await stage.open(await componentPage('React', COMPONENT.replace('ACTION', stage.action(form))));
    return { page, press: (name: string) => page.getByRole('button', { name, exact: true }).click() };
  };

  test('reports the progress of an upload, and sends the pressed button', async () => {
    const owner = await instance.makeOwner();
    const { page, press } = await opened(owner.form);
    const buffer = Buffer.alloc(3_000_000, 'x');
    await page.locator('[name=file]').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer });
    await press('Send');
    await status(page, 'Vielen Dank');
    const progress = await page.evaluate<number[]>('states.map(({ progress }) => progress).filter((value) => value)');
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(await payloads(owner)).toEqual([{ kind: 'file' }]);
  });

  test('submits values as JSON, and returns to its first state', async () => {
    const owner = await instance.makeOwner();
    const { page, press } = await opened(owner.form);
    await press('Submit values');
    await status(page, 'Vielen Dank');
    await press('Reset');
    await page.waitForFunction("states.at(-1).status === 'idle'");
    expect(await page.getByRole('status').textContent()).toBe('');
    expect(await payloads(owner)).toEqual([{ list: ['a', { b: 1 }] }]);
  });
});
