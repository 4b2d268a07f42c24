import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { FormSettings } from '../../src/domain/forms/form.ts';
import { openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance, origin, scripted } = stage;
const VALUES = { a: 'Flat nine', b: 'Second floor', c: 'On Monday' };
const TEXT = 'Line one,\n"line" <b>two</b> & done';

/** Creates a form that asks for a proof of work, and the HTML of pages that post what may be spam. */
async function asking(settings: Partial<FormSettings> = {}) {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, { maybeSpamAction: 'challenge', ...settings });
  const inputs = Object.entries(VALUES).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  const fields = `${inputs.join('')}<input type="hidden" name="_stamp" value="1.abc">
    <label>Message <textarea name="message"></textarea></label>
    <label>Topic <input type="checkbox" name="topic[]" value="harps" checked></label>
    <input name="submit" type="hidden" value="shadows the method"><button>Send</button>`;
  return {
    form,
    plain: `<form action="${stage.action(form)}" method="post">${fields}</form>`,
    // Without a method the browser would put the entries into the address.
    scripted: scripted(fields, { form }).replace(' method="post"', ''),
    stored: async () => instance.stored(owner, form),
  };
}

const SENT = { ...VALUES, message: TEXT.replace('\n', '\r\n'), topic: ['harps'] };

/** Opens a page with the script that gets no signed time, so that the forged one of the page is sent. */
async function openWithoutStamp(html: string): Promise<Page> {
  const page = await stage.open(html);
  await page.route('**/stamp', (route) => route.abort());
  return page;
}

describe('a post that may be spam', () => {
  test('is sent again from a page with the spam check, without the script', async () => {
    const { plain, stored } = await asking({ allowedOrigins: [origin] });
    const page = await stage.open(plain);
    await page.getByLabel('Message').fill(TEXT);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    expect(await stored()).toEqual([]);
    await page.evaluate(axe.source);
    expect(await page.evaluate<unknown>("axe.run('main').then(({ violations }) => violations)")).toEqual([]);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const [submission] = await stored();
    expect(submission).toMatchObject({ maybe_spam: true, data: SENT });
  });

  test('is sent with a solution also when the check loads late', async () => {
    const { plain, stored } = await asking();
    const page = await stage.open(plain);
    const heading = page.getByRole('heading', { name: 'One more step' });
    await page.route('**/altcha.js', async (route) => {
      await heading.waitFor({ state: 'attached' });
      await page.evaluate(axe.source);
      await page.evaluate("axe.run('main')");
      await route.continue();
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await heading.waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await stored()).toHaveLength(1);
  });

  test('is sent again from the same page, with the script', async () => {
    const { scripted, stored } = await asking({ redirectUrl: `${origin}/thanks` });
    const page = await openWithoutStamp(scripted);
    await page.getByLabel('Message').fill(TEXT);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    expect(page.url()).not.toContain('Flat');
    expect(await stored()).toEqual([]);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(`${origin}/thanks`);
    expect((await stored())[0]).toMatchObject({ maybe_spam: true, data: SENT });
  });

  test('stays with a page that shows the error itself', async () => {
    const { scripted, stored } = await asking();
    const page = await openWithoutStamp(scripted);
    await page.evaluate(`addEventListener('formstead:error', (event) => {
      event.preventDefault();
      document.title = event.detail.challenge_url;
    })`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForFunction("document.title.endsWith('/challenge')");
    expect(await page.getByLabel('Message').isVisible()).toBe(true);
    expect(await stored()).toEqual([]);
  });

  test('is sent again from the page of a hosted form', async () => {
    const fields = Object.keys(VALUES).map((name) => ({ name, label: name, type: 'text', required: false }));
    const { form, stored } = await asking({ fields, hasHostedPage: true });
    const page = await (await stage.newContext()).newPage();
    await page.goto(`${instance.url}/f/${form.shortId}`);
    for (const [name, value] of Object.entries(VALUES)) await page.locator(`input[name=${name}]`).fill(value);
    await page.evaluate("document.querySelector('[name=_stamp]').value = '1.abc'");
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('altcha-widget').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect((await stored())[0]).toMatchObject({ maybe_spam: true, data: { a: 'Flat nine' } });
  });
});
