import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { FormSettings } from '../../src/domain/forms/form.ts';
import { keysOf, openStage, saying } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance, origin, scripted } = stage;
const THANKS = 'Thank you';

/** Creates a form with the altcha challenge and returns the HTML of its pages. */
async function withWidget(attributes = '', settings: Partial<FormSettings> = {}) {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, settings, { kind: 'altcha', secret: null, verifyUrl: null });
  const fields = `
    <label>Name <input name="name" required></label>
    <altcha-widget challenge="${instance.url}/v1/forms/${form.id}/challenge" ${attributes}></altcha-widget>
    <button>Send</button>`;
  const script = `<script src="${instance.url}/altcha.js" type="module"></script>`;
  return {
    form,
    scripted: scripted(fields, { form }) + script,
    plain: `<form action="${stage.action(form)}" method="post">${fields}</form>${script}`,
    payloads: async () => (await instance.stored(owner, form)).map(({ data }) => data),
  };
}

/** Locates the widget in a state. */
function widgetIn(page: Page, state: 'unverified' | 'verified') {
  return page.locator(`altcha-widget [data-state="${state}"]`);
}

async function solve(page: Page): Promise<void> {
  await page.getByText("I'm not a robot").click();
  await widgetIn(page, 'verified').waitFor();
}

async function send(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Send' }).click();
}

describe('the widget solves a challenge, and the post is accepted', () => {
  test('with the script', async () => {
    const { scripted, payloads } = await withWidget();
    const page = await stage.open(scripted);
    await solve(page);
    await send(page, 'Ada');
    await saying(page, THANKS).waitFor();
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });

  test('without the script', async () => {
    const { plain, payloads } = await withWidget();
    const page = await stage.open(plain);
    await solve(page);
    await send(page, 'Ada');
    await page.getByRole('heading', { name: THANKS }).waitFor();
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });

  test.each(['scripted', 'plain'] as const)('automatically on submit, %s', async (how) => {
    const { [how]: body, payloads } = await withWidget('auto="onsubmit"');
    const page = await stage.open(body);
    await send(page, 'Ada');
    await page.getByText(THANKS).first().waitFor();
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });

  test('on a page of an allowed origin', async () => {
    const { scripted, payloads } = await withWidget('auto="onsubmit"', { allowedOrigins: [origin] });
    const page = await stage.open(scripted);
    await send(page, 'Ada');
    await saying(page, THANKS).waitFor();
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });

  test('and nothing is sent before the challenge is solved', async () => {
    const { scripted, payloads } = await withWidget();
    const page = await stage.open(scripted);
    await widgetIn(page, 'unverified').waitFor();
    const keys = keysOf(page);
    await send(page, 'Ada');
    expect(await page.getByRole('checkbox').evaluate((box) => box.matches(':invalid'))).toBe(true);
    expect(keys).toEqual([]);
    expect(await payloads()).toEqual([]);
  });
});

describe('the next challenge on a page', () => {
  test.each(['', 'auto="onsubmit"'])('is created after a successful submit, with %j', async (attributes) => {
    const { scripted, payloads } = await withWidget(attributes);
    const page = await stage.open(scripted);
    for (const name of ['Ada', 'Bob']) {
      await widgetIn(page, 'unverified').waitFor();
      if (attributes === '') await solve(page);
      await Promise.all([page.waitForResponse('**/submissions'), send(page, name)]);
      await saying(page, THANKS).waitFor();
    }
    expect(await payloads()).toEqual([{ name: 'Bob' }, { name: 'Ada' }]);
  });

  test('is created after a post with a lost response has used the last one', async () => {
    const { scripted, payloads } = await withWidget('auto="onsubmit"');
    const page = await stage.open(scripted);
    await page.route('**/submissions', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await send(page, 'Ada');
    await saying(page, 'could not be sent').waitFor();
    await page.unroute('**/submissions');
    await send(page, 'Ada Lovelace');
    await saying(page, 'The spam check failed').waitFor();
    await widgetIn(page, 'unverified').waitFor();
    await send(page, 'Ada Lovelace');
    await saying(page, THANKS).waitFor();
    expect(await payloads()).toEqual([{ name: 'Ada Lovelace' }, { name: 'Ada' }]);
  });
});

describe('the widget works under a Content-Security-Policy', () => {
  const policy = (style: string) =>
    `default-src 'none'; script-src ${instance.url}; connect-src ${instance.url}; worker-src blob:; style-src ${style}`;

  test.each([
    ['inline styles', policy("'unsafe-inline'"), ''],
    ['a nonce for styles', policy("'nonce-abc'"), '<meta name="csp-nonce" content="abc">'],
  ])('with %s', async (_how, csp, meta) => {
    const { scripted, payloads } = await withWidget('auto="onsubmit"');
    const page = await stage.open(meta + scripted, { csp });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.reload();
    await send(page, 'Ada');
    await saying(page, THANKS).waitFor();
    expect(complaints).toEqual([]);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });
});

test("the widget's script can be loaded by any page, is cached for an hour, and is the same with gzip", async () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${instance.url}/altcha.js`, { headers, decompress: false } as RequestInit);
  const [plain, gzipped] = [await ask({ 'Accept-Encoding': 'identity' }), await ask({ 'Accept-Encoding': 'gzip' })];
  expect(Object.fromEntries(gzipped.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'gzip',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600',
    vary: 'Accept-Encoding',
  });
  const text = new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(await gzipped.arrayBuffer())));
  expect(text).toBe(await plain.text());
  const known = await ask({ 'If-None-Match': plain.headers.get('etag') ?? '' });
  expect([known.status, await known.text()]).toEqual([304, '']);
});
