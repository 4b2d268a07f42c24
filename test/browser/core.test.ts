import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { namedBlock } from '../support/documents.ts';
import { until } from '../support/until.ts';
import { coreElement, moduleElement } from './core-page.ts';
import { keysOf, openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance } = stage;
const core = await coreElement();
const ENDPOINT = '**/submissions';
const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Retry-After' };
const THANKS = { ok: true, message: 'Thank you, your submission was received.', redirectUrl: null };

type Result = Readonly<{ ok: boolean; code?: string; message: string }>;

/** Opens a page with `createForm`, the object `form`, and these elements. Timers fire at once and note their delay. */
async function withCore(elements = '') {
  const owner = await instance.makeOwner();
  const page = await stage.open(elements + core);
  const waits: number[] = [];
  await page.exposeFunction('noteWait', (milliseconds: number) => waits.push(milliseconds));
  await page.evaluate(`form = createForm(${JSON.stringify(stage.action(owner.form))});
    setTimeout = (resume, milliseconds) => void noteWait(milliseconds).then(resume);`);
  return {
    page,
    waits,
    keys: keysOf(page),
    submit: (data: string, options = '{}') => page.evaluate<Result>(`form.submit(${data}, ${options})`),
    stored: () => instance.stored(owner),
  };
}

async function answer(page: Page, status: number, json: unknown, posts: number, headers = {}) {
  await page.route(ENDPOINT, (route) => route.fulfill({ status, json, headers: { ...CORS, ...headers } }), {
    times: posts,
  });
}

test('the example of the manual shows the progress and the message, and has no findings of axe', async () => {
  const owner = await instance.makeOwner();
  const [html = '', code = ''] = namedBlock('package').split(/<\/?script.*>\n/);
  const script = await moduleElement(
    code.replace('http://127.0.0.1:3000', instance.url).replace('FORM_ID', owner.form.id),
  );
  const page = await stage.open(`<main>${html}</main>${script}`);
  await page.evaluate(axe.source);
  expect(await page.evaluate<unknown>("axe.run('main').then(({ violations }) => violations)")).toEqual([]);
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Photo').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('x') });
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(THANKS.message).waitFor();
  expect(await page.evaluate<unknown>("document.querySelector('progress').value")).toBe(1);
  expect(await instance.stored(owner)).toMatchObject([{ data: { email: 'ada@example.com' }, file_metadata: {} }]);
});

test('a form element is submitted with its files and the button', async () => {
  const fields =
    '<input name="name" value="Ada"><input type="file" name="cv"><button name="with" value="this"></button>';
  const { page, submit, stored } = await withCore(`<form>${fields}</form>`);
  await page.locator('[type=file]').setInputFiles({ name: 'cv.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
  expect(await submit('document.forms[0]', "{ submitter: document.querySelector('button') }")).toEqual(THANKS);
  expect(await stored()).toMatchObject([
    { data: { name: 'Ada', with: 'this' }, file_metadata: { files: [{ name: 'cv.txt' }] } },
  ]);
});

test('a submitter that is not a button of the form is an error', async () => {
  const { submit, stored } = await withCore('<form><input name="name" value="Ada"></form><p></p>');
  const result = await submit('document.forms[0]', "{ submitter: document.querySelector('p') }");
  expect(result).toMatchObject({ ok: false, code: 'invalid_data' });
  expect(await stored()).toEqual([]);
});

test('messages are in the language of the form, else of the page', async () => {
  const { page, submit } = await withCore('<form lang="fr"><input name="a" value="1"></form>');
  await page.route(ENDPOINT, (route) => route.abort());
  await page.evaluate("document.documentElement.lang = 'de'");
  expect((await submit('document.forms[0]')).message).toStartWith('L’envoi');
  expect((await submit('{ a: 1 }')).message).toStartWith('Ihre Nachricht');
});

describe('the progress of an upload', () => {
  const NOTED = '{ onProgress: (sent, total) => noted.push([sent, total]) }';

  test('ends with all bytes', async () => {
    const { page, submit, stored } = await withCore();
    await page.evaluate('noted = []');
    expect(await submit("{ cv: new File(['x'.repeat(2e6)], 'cv.txt') }", NOTED)).toEqual(THANKS);
    const noted = await page.evaluate<Array<[number, number]>>('noted');
    expect(noted.at(-1)?.[0]).toBe(noted[0]?.[1]);
    expect(noted[0]?.[1]).toBeGreaterThan(2_000_000);
    expect(await stored()).toMatchObject([{ file_metadata: { files: [{ size: 2_000_000 }] } }]);
  });

  test('is reported for a form with headers of its own', async () => {
    const { page, submit } = await withCore();
    await page.evaluate("noted = []; form = createForm(form.url, { headers: { 'Accept-Language': 'fr' } })");
    const sent = page.waitForRequest(ENDPOINT);
    expect(await submit('{ name: "Ada" }', NOTED)).toMatchObject({ ok: true });
    expect((await sent).headers()['accept-language']).toBe('fr');
  });

  test('is reported again for another attempt, with the same key', async () => {
    const { page, submit, stored, keys } = await withCore();
    await page.evaluate('noted = []');
    await answer(page, 503, { success: false, message: 'Busy.', code: 'server_busy' }, 1, { 'Retry-After': '2' });
    expect(await submit('{ name: "Ada" }', NOTED)).toEqual(THANKS);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect((await stored()).map(({ data }) => data)).toEqual([{ name: 'Ada' }]);
  });

  test('stops after an abort', async () => {
    const { page, stored } = await withCore();
    await page.route(ENDPOINT, () => {});
    const result = await page.evaluate<Result>(`(async () => {
      const controller = new AbortController();
      const submitted = form.submit({ name: 'Ada' }, { onProgress: () => {}, signal: controller.signal });
      controller.abort();
      return submitted;
    })()`);
    expect(result).toMatchObject({ ok: false, code: 'aborted', status: null });
    expect(await stored()).toEqual([]);
  });
});

describe('after a lost connection', () => {
  test('an abort while waiting ends the submission', async () => {
    const { page, waits, keys } = await withCore();
    await page.route(ENDPOINT, (route) => route.abort('connectionreset'));
    await page.evaluate(`setTimeout = (resume, milliseconds) => void noteWait(milliseconds);
      controller = new AbortController();
      submitted = form.submit({ name: 'Ada' }, { onProgress: () => {}, signal: controller.signal });
      undefined;`);
    await until(() => waits.length === 1, 'the wait for another attempt');
    await page.evaluate('controller.abort()');
    expect(await page.evaluate<Result>('submitted')).toMatchObject({ ok: false, code: 'aborted' });
    expect(keys.length).toBe(1);
  });

  test('attempts follow with growing waits, then an error, and the next call has the same key', async () => {
    const { page, submit, waits, keys, stored } = await withCore();
    await page.route(ENDPOINT, (route) => route.abort('connectionreset'), { times: 5 });
    expect(await submit('{ name: "Ada" }')).toMatchObject({ ok: false, code: 'network_error' });
    for (const [index, shortest] of [500, 1_000, 2_000, 4_000].entries()) {
      expect(waits[index]).toBeWithin(shortest, 2 * shortest);
    }
    expect([waits.length, keys.length]).toEqual([4, 5]);
    expect(await submit('{ name: "Ada" }')).toEqual(THANKS);
    expect([keys.length, new Set(keys).size]).toEqual([6, 1]);
    expect((await stored()).map(({ data }) => data)).toEqual([{ name: 'Ada' }]);
  });
});

test('waits take Retry-After into account and end after 30 seconds in total', async () => {
  const { page, submit, waits } = await withCore();
  await answer(page, 429, { success: false, message: 'Slow down.', code: 'rate_limited' }, 5, { 'Retry-After': '9' });
  expect(await submit('{ name: "Ada" }')).toMatchObject({
    ok: false,
    code: 'rate_limited',
    retryAfter: 9,
    status: 429,
  });
  for (const wait of waits) expect(wait).toBeWithin(9_000, 18_000);
  expect(waits.length).toBeWithin(1, 4);
});

describe('the widgets of a form', () => {
  const WIDGETS = `<div class="g-recaptcha"></div><form><input name="name" value="Ada"><altcha-widget></altcha-widget>
    <div class="cf-turnstile"></div><iframe data-hcaptcha-widget-id="h1"></iframe><div class="g-recaptcha"></div></form>`;
  const VENDORS = `reset = [];
    document.querySelector('altcha-widget').reset = () => reset.push('altcha');
    turnstile = { reset: (element) => reset.push(element.className) };
    hcaptcha = { reset: () => { throw new Error('broken'); } };
    grecaptcha = { reset: (index) => reset.push(index) };`;

  test('are reset after a success and a failed challenge, which use up the token, and after nothing else', async () => {
    const { page, submit } = await withCore(WIDGETS);
    await page.evaluate(VENDORS);
    const reset = () => page.evaluate<unknown>('reset.splice(0)');
    expect(await submit('document.forms[0]')).toEqual(THANKS);
    expect(await reset()).toEqual(['altcha', 'cf-turnstile', 1]);
    for (const [code, expected] of [
      ['challenge_failed', ['altcha', 'cf-turnstile', 1]],
      ['invalid_fields', []],
    ] as const) {
      await answer(page, 400, { success: false, message: 'No.', code }, 1);
      expect(await submit('document.forms[0]')).toMatchObject({ ok: false, code });
      expect(await reset()).toEqual(expected);
    }
  });

  test('may be missing', async () => {
    const { submit } = await withCore(WIDGETS);
    expect(await submit('document.forms[0]')).toEqual(THANKS);
  });
});
