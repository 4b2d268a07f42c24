import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { Owner } from '../support/instance.ts';
import { until } from '../support/until.ts';
import { openStage, saying } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance } = stage;

const payloads = async (owner: Owner) => (await instance.stored(owner)).map(({ data }) => data);

const FORM = '<form><input name="name" value="Ada"><input name="topic" value="a"><input name="topic" value="b"></form>';

describe("a page's own script can post", () => {
  test.each([
    ['FormData', 'new FormData(document.forms[0])', '{}'],
    ['URLSearchParams', 'new URLSearchParams(new FormData(document.forms[0]))', '{}'],
    ['JSON', `JSON.stringify({ name: 'Ada', topic: ['a', 'b'] })`, `{ 'Content-Type': 'application/json' }`],
  ])('%s with fetch and read the response', async (_, body, headers) => {
    const owner = await instance.makeOwner();
    const page = await stage.open(FORM);
    const answer = await page.evaluate<unknown>(`
      fetch('${stage.action(owner.form)}', { method: 'POST', body: ${body}, headers: ${headers} })
        .then(async (response) => [response.status, await response.json()])`);
    expect(answer).toEqual([200, { success: true, message: expect.stringMatching(/./) }]);
    expect(await payloads(owner)).toEqual([{ name: 'Ada', topic: ['a', 'b'] }]);
  });

  test('and read a refusal with its request id', async () => {
    const page = await stage.open('');
    const answer = await page.evaluate<unknown>(`
      fetch('${stage.action()}', { method: 'POST', body: '{' })
        .then(async (response) => [response.status, response.headers.get('X-Request-Id'), (await response.json()).code])`);
    expect(answer).toEqual([400, expect.stringMatching(/./), 'unreadable_body']);
  });

  test.each([
    ['a string', `JSON.stringify({ name: 'Ada', topic: ['a', 'b'] })`],
    ['FormData', 'new FormData(document.forms[0])'],
    ['URLSearchParams', 'new URLSearchParams(new FormData(document.forms[0]))'],
  ])('%s with sendBeacon', async (_, body) => {
    const owner = await instance.makeOwner();
    const page = await stage.open(FORM);
    const [answer] = await Promise.all([
      page.waitForResponse(stage.action(owner.form)),
      page.evaluate(`navigator.sendBeacon('${stage.action(owner.form)}', ${body})`),
    ]);
    expect(answer.status()).toBe(200);
    expect(await payloads(owner)).toEqual([{ name: 'Ada', topic: ['a', 'b'] }]);
  });

  test('when the page is closed', async () => {
    const owner = await instance.makeOwner();
    const page = await stage.open(FORM);
    await page.evaluate(`addEventListener('pagehide', () => {
      navigator.sendBeacon('${stage.action(owner.form)}', new FormData(document.forms[0]));
    })`);
    await page.goto('about:blank');
    await until(async () => (await payloads(owner)).length > 0, 'the submission of the page that was left');
    expect(await payloads(owner)).toEqual([{ name: 'Ada', topic: ['a', 'b'] }]);
  });
});

describe('a form with allowed origins', () => {
  const fields = '<label>Name <input name="name" value="Ada"></label><button>Send</button>';

  async function onlyFrom(origin: string) {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, { allowedOrigins: [origin] });
    return { form, stored: async () => (await instance.stored(owner, form)).map(({ data }) => data) };
  }

  test('accepts posts of pages of these origins, with and without script', async () => {
    const { form, stored } = await onlyFrom(stage.origin);
    const scripted = await stage.open(stage.scripted(fields, { form }));
    await scripted.getByRole('button').click();
    await saying(scripted, 'Thank you').waitFor();
    const plain = await stage.open(stage.scripted(fields, { form }), { javaScriptEnabled: false });
    await plain.getByRole('button').click();
    await plain.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await stored()).toEqual([{ name: 'Ada' }, { name: 'Ada' }]);
  });

  test('refuses a post of another page without script with 403', async () => {
    const { form, stored } = await onlyFrom('https://example.com');
    const page = await stage.open(stage.scripted(fields, { form }), { javaScriptEnabled: false });
    const [answer] = await Promise.all([page.waitForResponse('**/submissions'), page.getByRole('button').click()]);
    await page.getByRole('heading', { name: 'Your message was not sent' }).waitFor();
    expect(answer.status()).toBe(403);
    expect(await stored()).toEqual([]);
  });

  test('refuses a post by a script of another page with 403, which the script cannot read', async () => {
    const { form, stored } = await onlyFrom('https://example.com');
    const page = await stage.open('');
    const post = (mode: string) =>
      page.evaluate<unknown>(
        `fetch('${stage.action(form)}', { method: 'POST', body: '{"name":"Ada"}', mode: '${mode}' })
          .then(({ type }) => type, ({ name }) => name)`,
      );
    const [answer, outcome] = await Promise.all([page.waitForResponse(stage.action(form)), post('no-cors')]);
    expect([answer.status(), outcome]).toEqual([403, 'opaque']);
    expect(await post('cors')).toBe('TypeError');
    expect(await stored()).toEqual([]);
  });

  test('shows an error on another page with the drop-in script', async () => {
    const { form, stored } = await onlyFrom('https://example.com');
    const page = await stage.open(stage.scripted(fields, { form }));
    await page.getByRole('button').click();
    await saying(page, 'Your message could not be sent.').waitFor();
    expect(await stored()).toEqual([]);
  });
});
