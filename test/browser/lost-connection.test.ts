import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { startLossyProxy } from './lossy-proxy.ts';
import { keysOf, openStage, saying } from './stage.ts';

const stage = await openStage();
const proxy = await startLossyProxy(stage.instance.url);
afterEach(stage.closePages);
afterAll(async () => {
  await stage.close();
  proxy.close();
});

const FIELDS = '<label>Name <input name="name"></label><button>Send</button>';
const FAILED = 'Your message could not be sent. Please try again.';
const THANKS = 'Thank you';
const ENDPOINT = '**/submissions';
const { instance } = stage;

/**
 * Opens a page with a filled-in form that posts to `through`. Timers of the page fire at once and record their delay in
 * milliseconds in `waits`.
 */
async function filledIn({ through = instance.url, attributes = '' } = {}) {
  const owner = await instance.makeOwner();
  const form = stage.scripted(FIELDS, { form: owner.form, attributes });
  const page = await stage.open(form.replace(`${instance.url}/v1`, `${through}/v1`));
  const waits: number[] = [];
  await page.exposeFunction('noteWait', (milliseconds: number) => waits.push(milliseconds));
  await page.evaluate('setTimeout = (resume, milliseconds) => noteWait(milliseconds).then(resume)');
  await page.getByLabel('Name').fill('Ada');
  return {
    page,
    waits,
    keys: keysOf(page),
    press: () => page.getByRole('button', { name: 'Send' }).click(),
    payloads: async () => (await instance.stored(owner)).map(({ data }) => data),
  };
}

/** Aborts the next posts before they reach the server. */
async function breakOff(page: Page, posts: number) {
  await page.route(ENDPOINT, (route) => route.abort('connectionreset'), { times: posts });
}

describe('a connection lost', () => {
  test('before the post arrives causes a retry with the same key', async () => {
    const { page, press, keys, waits, payloads } = await filledIn();
    await breakOff(page, 1);
    await press();
    await saying(page, THANKS).waitFor();
    expect(waits).toEqual([1_000]);
    expect(keys.length).toBe(2);
    expect(new Set(keys).size).toBe(1);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });

  test('twice shows an error and keeps the fields', async () => {
    const { page, press, keys, payloads } = await filledIn();
    await breakOff(page, 2);
    await press();
    await saying(page, FAILED).waitFor();
    expect(await page.getByRole('status').getAttribute('aria-live')).toBe('assertive');
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
    expect(await payloads()).toEqual([]);
    await press();
    await saying(page, THANKS).waitFor();
    expect(keys.length).toBe(3);
    expect(new Set(keys).size).toBe(1);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });

  test("twice shows the author's text", async () => {
    const { page, press } = await filledIn({ attributes: 'data-failed="Please call us."' });
    await breakOff(page, 2);
    await press();
    await saying(page, 'Please call us.').waitFor();
  });

  test('after the post was stored creates one submission', async () => {
    const { page, press, payloads } = await filledIn({ through: proxy.url });
    const before = proxy.lost();
    proxy.lose(1);
    await press();
    await saying(page, THANKS).waitFor();
    expect(proxy.lost()).toBe(before + 1);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });

  test('for every response until the visitor retries creates one submission', async () => {
    const { page, press, keys, payloads } = await filledIn({ through: proxy.url });
    proxy.lose(100);
    await press();
    await saying(page, FAILED).waitFor();
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
    proxy.lose(0);
    await press();
    await saying(page, THANKS).waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });

  test('for every response until the visitor retries creates one submission, also with an empty file input', async () => {
    const { page, press, keys, payloads } = await filledIn({ through: proxy.url });
    await page
      .locator('form')
      .evaluate((form) => form.insertAdjacentHTML('beforeend', '<input type="file" name="cv">'));
    proxy.lose(100);
    await press();
    await saying(page, FAILED).waitFor();
    proxy.lose(0);
    await press();
    await saying(page, THANKS).waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });

  test('before an edit gives the new content a new key', async () => {
    const { page, press, keys, payloads } = await filledIn({ through: proxy.url });
    proxy.lose(100);
    await press();
    await saying(page, FAILED).waitFor();
    proxy.lose(0);
    await page.getByLabel('Name').fill('Grace');
    await press();
    await saying(page, THANKS).waitFor();
    expect(new Set(keys).size).toBe(2);
    expect(await payloads()).toEqual([{ name: 'Grace' }, { name: 'Ada' }]);
  });

  test('before a new challenge token keeps the key', async () => {
    const { page, press, keys, payloads } = await filledIn({ through: proxy.url });
    const renewToken = (value: string) =>
      page.locator('form').evaluate((form, token) => {
        form.querySelector('[name=cap-token]')?.remove();
        form.insertAdjacentHTML('beforeend', `<input type="hidden" name="cap-token" value="${token}">`);
      }, value);
    await renewToken('one');
    proxy.lose(100);
    await press();
    await saying(page, FAILED).waitFor();
    proxy.lose(0);
    await renewToken('two');
    await press();
    await saying(page, THANKS).waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });
});

describe('a response that is not from the endpoint', () => {
  test.each([
    ['the error page of a proxy', { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }],
    ['a page with status 200', { status: 200, contentType: 'text/html', body: '<p>Log in to the café wifi</p>' }],
    ['JSON without success', { status: 200, contentType: 'application/json', body: '"ok"' }],
    ['an empty response', { status: 204, body: '' }],
  ])('such as %s is an error, and the retry has the same key', async (_, answer) => {
    const { page, press, keys, payloads } = await filledIn();
    const headers = { 'Access-Control-Allow-Origin': '*' };
    await page.route(ENDPOINT, (route) => route.fulfill({ ...answer, headers }), { times: 1 });
    await press();
    await saying(page, FAILED).waitFor();
    expect(keys.length).toBe(1);
    await press();
    await saying(page, THANKS).waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });
});

test('a server error is shown, and the retry has the same key', async () => {
  const { page, press, keys, payloads } = await filledIn();
  const json = { success: false, message: 'Something went wrong on the server.', code: 'internal_error' };
  const headers = { 'Access-Control-Allow-Origin': '*' };
  await page.route(ENDPOINT, (route) => route.fulfill({ status: 500, headers, json }), { times: 1 });
  await press();
  await saying(page, json.message).waitFor();
  await press();
  await saying(page, THANKS).waitFor();
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  expect(await payloads()).toEqual([{ name: 'Ada' }]);
});

describe('an Idempotency-Key in use', () => {
  /** Responds to the next posts as the server does while an earlier post is processed. */
  async function inProgress(page: Page, posts: number, retryAfter = '1') {
    const headers = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After',
      'Retry-After': retryAfter,
    };
    const json = { success: false, message: 'In progress.', code: 'idempotency_key_in_use' };
    await page.route(ENDPOINT, (route) => route.fulfill({ status: 409, headers, json }), { times: posts });
  }

  test('causes retries until the post is answered', async () => {
    const { page, press, keys, waits, payloads } = await filledIn();
    await inProgress(page, 2, '2');
    await press();
    await saying(page, THANKS).waitFor();
    expect(waits).toEqual([2_000, 2_000]);
    expect(keys.length).toBe(3);
    expect(new Set(keys).size).toBe(1);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });

  test('causes three retries, then an error, and is reused for the next attempt', async () => {
    const { page, press, keys, waits, payloads } = await filledIn();
    await inProgress(page, 4, '3600');
    await press();
    await saying(page, 'In progress.').waitFor();
    expect(waits).toEqual([10_000, 10_000, 10_000]);
    expect(keys.length).toBe(4);
    await press();
    await saying(page, THANKS).waitFor();
    expect(keys.length).toBe(5);
    expect(new Set(keys).size).toBe(1);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });
});
