import { afterAll, afterEach, expect, test } from 'bun:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { SETTINGS_TEXTS } from '../../src/dashboard/forms/settings/texts.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import { startInstance } from '../support/instance.ts';
import { startSmtp } from '../support/smtp.ts';
import { limit } from '../support/speed.ts';
import { startBrowser } from './chromium.ts';

/** Five tasks by keyboard alone and five on the phone. Text that is typed is not counted, each key and tap is. */

const smtp = await startSmtp();
const [instance, browser] = await Promise.all([
  startInstance({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' } }),
  startBrowser(),
]);
afterEach(browser.closePages);
afterAll(async () => {
  await browser.close();
  await instance.stop();
  await smtp.stop();
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const fields = [
  { name: 'name', label: 'Name', type: 'text', required: true },
  { name: 'email', label: 'Email', type: 'email', required: true },
  { name: 'instrument', label: 'Instrument', type: 'text', required: false },
];

/** Opens a page as the owner of a new team, whose form has the posts. `press` and `tap` count. */
async function start(path: (formId: string) => string, posts: number, options: BrowserContextOptions = {}) {
  const owner = await instance.makeOwner();
  const { form } = owner;
  await instance.context.store.forms.update(form.id, { fields });
  for (let count = 1; count <= posts; count++) {
    const instrument = count === 3 ? 'Lyre' : 'Harp';
    await instance.post(form.id, { name: `Visitor ${count}`, email: `visitor${count}@example.com`, instrument });
  }
  const me = await signIn(instance, owner);
  await me.post('/dashboard/status/set-up', { list: 'hide' });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const [name = '', value = ''] = me.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: instance.url }]);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: instance.url });
  const page = await context.newPage();
  await page.goto(instance.url + path(form.id));
  let presses = 0;
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      presses += 1;
    }
  };
  return {
    form,
    owner,
    page,
    press,
    /** Presses Tab until an element has the focus. */
    tabTo: async (target: Locator) => {
      const handle = await target.elementHandle();
      const isFocused = () => handle?.evaluate((element) => element.matches(':focus'));
      while (!(await isFocused()) && presses < 60) await press('Tab');
    },
    tap: async (target: Locator) => {
      await target.tap();
      presses += 1;
    },
    presses: () => presses,
  };
}

const inbox = () => '/dashboard/inbox';
const editor = (formId: string) => `/dashboard/forms/${formId}/settings/fields`;
const forms = () => '/dashboard/forms';

const rows = (page: Page) => page.locator('#submissions > li');
const rowsLeft = async (page: Page, count: number) => {
  await rows(page).nth(count).waitFor({ state: 'detached' });
};
const box = (page: Page, index: number) => rows(page).nth(index).locator('[name="submission"]');
const action = (page: Page, name: string) => page.locator('.bulk-actions').getByRole('button', { name, exact: true });
/** Counts what became of twenty submissions. */
async function outcome(formId: string) {
  const { store } = instance.context;
  const kept = (await store.submissions.listRecent(formId, { onlySpam: false, limit: 100 })) ?? [];
  return {
    trashed: 20 - kept.length,
    spam: kept.filter(({ isSpam }) => isSpam).length,
    read: kept.filter(({ readAt, isSpam }) => readAt !== null && !isSpam).length,
  };
}

test(
  'twenty submissions are triaged by keyboard with 31 presses',
  async () => {
    const { page, form, press, presses } = await start(inbox, 20);
    await press('j');
    for (let left = 20; left > 10; left--) {
      await press(left > 15 ? '#' : '!');
      await rowsLeft(page, left - 1);
      await page.locator('#submissions [data-current]').waitFor();
    }
    for (let unread = 10; unread > 0; unread--) {
      await press('e');
      await page
        .locator('#submissions .unread')
        .nth(unread - 1)
        .waitFor({ state: 'detached' });
      await press('j');
    }
    expect(await outcome(form.id)).toEqual({ trashed: 5, spam: 5, read: 10 });
    expect(presses()).toBe(31);
  },
  limit(60),
);

test(
  'twenty submissions are triaged on the phone with 15 taps',
  async () => {
    const { page, form, tap, presses } = await start(inbox, 20, PHONE);
    for (const [name, left] of [
      ['Move to trash', 15],
      ['Mark as spam', 10],
    ] as const) {
      for (let index = 0; index < 5; index++) await tap(box(page, index));
      await tap(action(page, name));
      await rowsLeft(page, left);
    }
    await tap(box(page, 0));
    await tap(page.getByRole('checkbox', { name: 'Select all on this page' }));
    await tap(action(page, 'Mark as read'));
    await page.getByText('Marked 10 as read.').first().waitFor();
    expect(await outcome(form.id)).toEqual({ trashed: 5, spam: 5, read: 10 });
    expect(presses()).toBe(15);
  },
  limit(60),
);

test.each([
  ['by keyboard with 4 presses', {}, 4],
  ['on the phone with 3 taps', PHONE, 3],
])('a submission is answered %s', async (_, options, expected) => {
  const { page, press, tap, presses } = await start(inbox, 1, options);
  const text = page.locator('#reply-text');
  const send = page.getByRole('button', { name: 'Send reply' });
  if (expected === 4) await press('j', 'r');
  else {
    await tap(page.getByRole('link', { name: 'Visitor 1' }));
    await tap(page.getByRole('link', { name: 'Reply' }));
  }
  await page.locator('#reply-text:focus').waitFor();
  await page.keyboard.type('Yes, we do.');
  expect(await text.inputValue()).toBe('Yes, we do.');
  if (expected === 4) await press('Tab', 'Enter');
  else await tap(send);
  await page.getByText('Reply sent.').first().waitFor();
  expect(presses()).toBe(expected);
});

test.each([
  ['by keyboard with 6 presses', {}, 6],
  ['on the phone with 4 taps', PHONE, 4],
])('a message is found by its field %s', async (_, options, expected) => {
  const { page, press, tap, presses } = await start(inbox, 5, options);
  const [field, value] = [page.getByLabel('Field', { exact: true }), page.getByLabel('Answer')];
  if (expected === 6) await press('/', 'Tab', 'Enter', 'Tab');
  else {
    await tap(page.locator('.filter .popover > summary'));
    await tap(field);
  }
  await page.keyboard.type('Instrument');
  if (expected === 6) await press('Tab');
  else await tap(value);
  await page.keyboard.type('Lyre');
  if (expected === 6) await press('Enter');
  else await tap(page.getByRole('button', { name: 'Apply' }));
  await page.getByText('1 match in 5 submissions.').waitFor();
  expect(await rows(page).locator('a.title bdi').allInnerTexts()).toEqual(['Visitor 3']);
  expect(presses()).toBe(expected);
});

test.each([
  ['by keyboard', {}, 24],
  ['on the phone', PHONE, 2],
])('a field is added %s, and named after its label', async (_, options, most) => {
  const { page, form, owner, press, tabTo, tap, presses } = await start(editor, 0, options);
  const [add, save] = ['Add field', 'Save'].map((name) => page.getByRole('button', { name, exact: true }));
  if (!add || !save) throw new Error('no buttons');
  if (most === 2) await tap(add);
  else {
    await press('Tab', 'Enter');
    await tabTo(add);
    await press('Enter');
  }
  await page.locator('#label-3:focus').waitFor();
  await page.keyboard.type('How many strings?');
  await page.locator('#name-3[placeholder="how_many_strings"]').waitFor({ state: 'attached' });
  if (most === 2) await tap(save);
  else await press('Enter');
  await page.getByText(SETTINGS_TEXTS.en.saved).waitFor();
  const saved = await instance.context.store.forms.find(form.id, owner.teamId);
  expect(saved?.fields.at(-1)).toMatchObject({ name: 'how_many_strings', label: 'How many strings?', type: 'text' });
  expect(presses()).toBeLessThanOrEqual(most);
});

test.each([
  ['by keyboard', {}, 30],
  ['on the phone', PHONE, 2],
])('a form is connected %s', async (_, options, most) => {
  const { page, form, press, tabTo, tap, presses } = await start(forms, 0, options);
  const connect = page.getByRole('link', { name: 'Connect it to your page' });
  const copy = page.locator('#panel-html [data-copy]');
  if (most === 2) await tap(connect);
  else {
    await press('Tab', 'Enter');
    await tabTo(connect);
    await press('Enter');
  }
  await copy.waitFor();
  if (most === 2) await tap(copy);
  else {
    await press('Tab', 'Enter');
    await tabTo(copy);
    await press('Enter');
  }
  await page.getByText('Copied').first().waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(form.shortId);
  expect(presses()).toBeLessThanOrEqual(most);
});
