import { afterAll, afterEach, expect, test } from 'bun:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { INBOX_TEXTS } from '../../src/dashboard/submissions/inbox/texts.ts';
import { DAY } from '../../src/lib/clock.ts';
import { keepMany } from '../fast/dashboard/list-page.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import { startInstance } from '../support/instance.ts';
import { startBrowser } from './chromium.ts';
import { followUntil } from './pages.ts';

const [instance, browser] = await Promise.all([startInstance(), startBrowser()]);
const me = await signIn(instance, instance.owner);
afterEach(browser.closePages);
afterAll(async () => {
  await browser.close();
  await instance.stop();
});

async function open(path: string, options: BrowserContextOptions = {}, hasOwnClock = false): Promise<Page> {
  const context = await browser.newContext(options);
  if (hasOwnClock) await context.clock.install();
  const [name = '', value = ''] = me.cookie.split('=');
  await context.addCookies([{ name, value, url: instance.url }]);
  const page = await context.newPage();
  await page.goto(instance.url + path);
  return page;
}

/** Poll intervals of a list, normally and after a failure. */
const ASKS_MS = 4_000;
const ASKS_AFTER_FAILURE_MS = 8_000;

const WITHOUT_SCRIPT = { javaScriptEnabled: false };

async function filled(names: readonly string[]) {
  const form = await instance.makeForm(instance.owner);
  for (const name of names) await instance.post(form.id, { name, message: `Hello from ${name}` });
  return { form, path: `/dashboard/forms/${form.id}/submissions` };
}

const items = (page: Page) => page.locator('#submissions > li');
/** Titles of the rows, without the mark of unread ones. */
const titles = (page: Page) => page.locator('#submissions a.title bdi').allInnerTexts();
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select: ${name}` });
/** The bar with this box takes the place of the toolbar while a row is selected. */
const selectAll = async (page: Page) => {
  await page.locator('#submissions [name="submission"]').first().check();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('with script, opening a submission marks it as read, and a button as unread', async () => {
  const { path } = await filled(['Ada', 'Grace']);
  const page = await open(path);
  await page.getByRole('link', { name: 'Grace' }).click();
  await button(page, 'Mark as unread').waitFor();
  await page.goto(`${instance.url}${path}?part=unread`);
  expect(await items(page).allInnerTexts()).toHaveLength(1);
  await page.goto(`${instance.url}${path}`);
  await page.getByRole('link', { name: 'Grace' }).click();
  await button(page, 'Mark as unread').click();
  await page.getByRole('status').filter({ hasText: 'Marked as unread.' }).waitFor();
  expect(await page.locator('#submissions .unread').count()).toBe(2);
});

test('without script, buttons mark one submission or all selected ones', async () => {
  const { path } = await filled(['Ada', 'Grace', 'Mary']);
  const page = await open(path, WITHOUT_SCRIPT);
  await page.getByRole('link', { name: 'Grace' }).click();
  await button(page, 'Mark as read').click();
  await page.getByText('Marked as read.').waitFor();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  expect(await page.locator('#submissions .unread bdi').allInnerTexts()).toEqual(['Mary', 'Ada']);
  await box(page, 'Ada').check();
  await box(page, 'Mary').check();
  await button(page, 'Mark as read').click();
  await page.getByText('Marked 2 as read.').waitFor();
  expect(await page.locator('#submissions .unread').count()).toBe(0);
  expect(await page.getByRole('checkbox', { name: 'Select all on this page' }).isVisible()).toBe(false);
});

test.each([
  ['with', {}],
  ['without', WITHOUT_SCRIPT],
])('%s script, moving several submissions to the trash can be undone', async (_with, options) => {
  const { path } = await filled(['Ada', 'Grace', 'Mary']);
  const page = await open(path, options);
  await box(page, 'Ada').check();
  await box(page, 'Mary').check();
  await button(page, 'Move to trash').click();
  await page.getByText('2 submissions moved to trash.').first().waitFor();
  expect(await titles(page)).toEqual(['Grace']);
  await button(page, 'Undo').click();
  await page.getByText('Undone for 2 submissions.').first().waitFor();
  expect(await titles(page)).toEqual(['Mary', 'Grace', 'Ada']);
});

test('keys open, star and trash submissions in two panes, and undo', async () => {
  const { path } = await filled(['Ada', 'Grace', 'Mary']);
  const page = await open(path);
  const press = (key: string) => page.keyboard.press(key);
  await press('j');
  await press('e');
  await page.getByText('Marked as read.').first().waitFor();
  await press('j');
  await press('o');
  await page.locator('#pane').getByRole('heading', { name: 'Grace' }).waitFor();
  await page.locator('#submissions .unread').nth(1).waitFor({ state: 'detached' });
  expect(await page.locator('#submissions .unread').count()).toBe(1);
  expect(page.url()).toContain('open=sub_');
  await press('j');
  await page.locator('#pane').getByRole('heading', { name: 'Ada' }).waitFor();
  await press('s');
  await page.getByRole('button', { name: 'Star: Ada', pressed: true }).waitFor();
  await press('#');
  await page.getByText('Submission moved to trash.').first().waitFor();
  expect(await titles(page)).toEqual(['Mary', 'Grace']);
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Grace');
  await press('u');
  await page.getByRole('link', { name: 'Ada' }).waitFor();
  await press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await press('Escape');
  await press('/');
  await page.keyboard.type('jjs#?');
  expect(await page.getByRole('searchbox').inputValue()).toBe('jjs#?');
  expect(await items(page).count()).toBe(3);
});

test('on the page of a submission, keys star, trash and restore it, and lead back to the list', async () => {
  const { path } = await filled(['Ada', 'Grace']);
  const page = await open(path, { viewport: { width: 390, height: 800 } });
  await page.getByRole('link', { name: 'Grace' }).click();
  await page.getByRole('heading', { name: 'Grace' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'Ada' }).waitFor();
  await page.keyboard.press('s');
  await page.locator('.actions button.star[aria-pressed="true"]').waitFor();
  await page.keyboard.press('#');
  await button(page, 'Restore').waitFor();
  await page.keyboard.press('u');
  await button(page, 'Move to trash').waitFor();
  await page.keyboard.press('u');
  await page.getByRole('link', { name: 'Grace' }).waitFor();
  expect(await titles(page)).toEqual(['Grace', 'Ada']);
});

test('actions in the second pane update both panes, and a reload opens the submission again', async () => {
  const { path } = await filled(['Ada', 'Grace']);
  const page = await open(path);
  await page.getByRole('link', { name: 'Grace' }).click();
  const pane = page.locator('#pane');
  await pane.getByRole('heading', { name: 'Grace' }).waitFor();
  await page.reload();
  await pane.getByRole('heading', { name: 'Grace' }).waitFor();
  await pane.getByRole('button', { name: 'Mark as spam' }).click();
  // The next submission opens.
  await pane.getByRole('heading', { name: 'Ada' }).waitFor();
  expect(await titles(page)).toEqual(['Ada']);
});

test('all that match are selected beyond the page', async () => {
  const { form, path } = await filled([]);
  await keepMany(instance.context, form.id, 60, (n) => ({ name: `Visitor ${n}` }));
  const page = await open(path);
  const matching = page.getByRole('checkbox', { name: 'Select all 60 that match' });
  expect(await matching.isVisible()).toBe(false);
  await selectAll(page);
  await matching.check();
  await button(page, 'Move to trash').click();
  await page.getByText('60 submissions moved to trash.').first().waitFor();
  expect(await titles(page)).toEqual([]);
  await button(page, 'Undo').click();
  await page.getByText('Undone for 60 submissions.').first().waitFor();
  expect(await items(page).count()).toBe(50);
});

test('submissions are marked as spam and as not spam', async () => {
  const { path } = await filled(['Ada', 'Grace']);
  const page = await open(path);
  await selectAll(page);
  await button(page, 'Mark as spam').click();
  await page.getByText('Marked 2 as spam.').first().waitFor();
  await page.getByText('All done').waitFor();
  await page.getByRole('link', { name: 'Spam' }).click();
  await box(page, 'Grace').check();
  await button(page, 'Not spam').click();
  await page.getByText('Marked as not spam.').first().waitFor();
  expect(await titles(page)).toEqual(['Ada']);
});

test('new submissions appear on top, are announced, and keep the selection', async () => {
  const { form, path } = await filled(['Ada']);
  const page = await open(path, {}, true);
  await box(page, 'Ada').check();
  await instance.post(form.id, { name: 'Grace' });
  await page.clock.runFor(ASKS_MS);
  await page.getByRole('link', { name: 'Grace' }).waitFor();
  expect(await titles(page)).toEqual(['Grace', 'Ada']);
  expect(await page.locator('#said').textContent()).toBe('1 new submission');
  expect(await box(page, 'Ada').isChecked()).toBe(true);
  expect(await page.locator('#unread-count').textContent()).toBe(' 2 unread');
  await instance.post(form.id, { name: 'Mary' });
  await page.clock.runFor(ASKS_MS);
  await page.getByRole('link', { name: 'Mary' }).waitFor();
  expect(await items(page).count()).toBe(3);
});

test('the first submission replaces the empty state', async () => {
  const { form, path } = await filled([]);
  const page = await open(path, {}, true);
  await page.getByText('Your inbox is ready').waitFor();
  await instance.post(form.id, { name: 'Grace' });
  await page.clock.runFor(ASKS_MS);
  await page.getByRole('link', { name: 'Grace' }).waitFor();
  expect(await page.getByText('Your inbox is ready').count()).toBe(0);
  expect(await box(page, 'Grace').isVisible()).toBe(true);
});

test('a list polls less often while the server fails, and recovers', async () => {
  const { form, path } = await filled(['Ada']);
  const page = await open('/dashboard/account', {}, true);
  // The clock of the page advances only below.
  await page.clock.pauseAt(Date.now() + DAY / 1000);
  let asked = 0;
  await page.route('**/new?**', async (route) => {
    asked++;
    await (asked === 1 ? route.abort() : route.continue());
  });
  await page.goto(instance.url + path);
  await instance.post(form.id, { name: 'Grace' });
  await Promise.all([page.waitForEvent('requestfailed'), page.clock.runFor(ASKS_MS)]);
  // An earlier request of the list would have been recorded before this one.
  const seen = page.waitForRequest('**/healthz');
  await page.clock.runFor(ASKS_AFTER_FAILURE_MS - 1);
  await page.evaluate("fetch('/healthz')");
  await seen;
  expect(asked).toBe(1);
  await page.clock.runFor(1);
  await page.getByRole('link', { name: 'Grace' }).waitFor();
  expect(asked).toBe(2);
});

/** Every second submission matches. A response has at most 50 matches, so a search needs three or more. */
const SEARCHED = 300;
const fieldsOf = (n: number) => ({ name: n % 2 === 1 ? `Needle ${n}` : 'Hay' });
const NEEDLES = Array.from({ length: SEARCHED }, (_, n) => n)
  .filter((n) => n % 2 === 1)
  .map((n) => `Needle ${n}`)
  .reverse();
const ALL_FOUND = '150 matches in 300 submissions. Search complete.';

test('a search continues by itself, and can be stopped and continued', async () => {
  const { form, path } = await filled([]);
  await keepMany(instance.context, form.id, SEARCHED, fieldsOf);
  const page = await open('/dashboard/account');
  const held = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**q=needle**', async (route) => {
    if (route.request().resourceType() === 'fetch' && asked++ === 0) await held.promise;
    await route.continue();
  });
  await page.goto(`${instance.url}${path}?q=needle`);
  await button(page, 'Stop').click();
  await page.getByRole('link', { name: INBOX_TEXTS.en.searchOn }).waitFor();
  held.resolve();
  // Announced when the search has stopped.
  await page.locator('#said').filter({ hasText: 'matches in' }).waitFor({ state: 'attached' });
  expect(asked).toBe(1);
  expect((await titles(page)).length).toBeLessThan(NEEDLES.length);
  await page.getByRole('link', { name: INBOX_TEXTS.en.searchOn }).click();
  await page.getByText(ALL_FOUND).first().waitFor();
  expect(await titles(page)).toEqual(NEEDLES);
  await page.locator('#said').filter({ hasText: 'Search complete.' }).waitFor({ state: 'attached' });
  expect(page.url()).toEndWith('q=needle');
});

test('without script, a link continues a search', async () => {
  const { form, path } = await filled([]);
  await keepMany(instance.context, form.id, SEARCHED, fieldsOf);
  const page = await open(path, WITHOUT_SCRIPT);
  await page.getByRole('searchbox').fill('needle');
  await page.keyboard.press('Enter');
  const link = page.getByRole('link', { name: INBOX_TEXTS.en.searchOn });
  await link.waitFor();
  await followUntil(page, link, page.getByText(ALL_FOUND).first());
  expect(await page.locator('#search').textContent()).toBe(ALL_FOUND);
});

test('the keyboard can select, open and return', async () => {
  const { path } = await filled(['Ada', 'Grace']);
  const page = await open(path);
  await box(page, 'Grace').focus();
  await page.keyboard.press('Space');
  // The star, the link, and the box of the next row.
  for (let n = 0; n < 3; n++) await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  expect(await box(page, 'Grace').isChecked()).toBe(true);
  expect(await box(page, 'Ada').isChecked()).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const outline = "getComputedStyle(document.querySelector('#submissions > li:last-child')).outlineStyle";
  expect(await page.evaluate<string>(outline)).toBe('solid');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ada' }).waitFor();
});

test('the focus stays near an action whose button is replaced', async () => {
  const { path } = await filled(['Ada', 'Grace', 'Mary']);
  const page = await open(path);
  const act = async (value: string) => {
    await page.locator(`.bulk-actions button[value="${value}"]`).focus();
    await page.keyboard.press('Enter');
  };
  await box(page, 'Grace').check();
  await act('read');
  await page.locator('a.title:focus', { hasText: 'Grace' }).waitFor();
  await selectAll(page);
  await act('trash');
  await page.locator('main:focus').waitFor();
  await page.locator('.toast button').focus();
  await page.keyboard.press('Enter');
  await items(page).first().waitFor();
  await page.locator('main:focus').waitFor();
});

test('the focus stays in the pane, and returns to the list as the pane closes', async () => {
  const { path } = await filled(['Ada', 'Grace']);
  const page = await open(path, { viewport: { width: 1280, height: 800 } });
  await page.getByRole('link', { name: 'Grace' }).focus();
  await page.keyboard.press('Enter');
  const pane = page.locator('#pane');
  await pane.getByRole('heading', { name: 'Grace' }).waitFor();
  await pane.getByRole('button', { name: 'Copy' }).first().waitFor();
  await pane.locator('button.star').focus();
  await page.keyboard.press('Enter');
  await page.locator('#pane:focus').waitFor();
  await pane.getByRole('button', { name: 'Mark as unread' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('a.title:focus', { hasText: 'Grace' }).waitFor();
  expect(await pane.getByRole('heading').count()).toBe(0);
});

test('Back and Forward go through the opened submissions', async () => {
  const { path } = await filled(['Ada', 'Grace']);
  const page = await open(path);
  const heading = (name: string) => page.locator('#pane').getByRole('heading', { name });
  await page.getByRole('link', { name: 'Grace' }).click();
  await heading('Grace').waitFor();
  await page.getByRole('link', { name: 'Ada' }).click();
  await heading('Ada').waitFor();
  await page.goBack();
  await heading('Grace').waitFor();
  await page.goBack();
  await page.locator('#pane .pane-hint').waitFor();
  expect(await items(page).count()).toBe(2);
  await page.goForward();
  await heading('Grace').waitFor();
});

test.each(['j', 's', '#', 'r', '!'])('offline, %s leaves the page as it is and says so', async (key) => {
  const { path } = await filled(['Ada', 'Grace']);
  const page = await open(path);
  await page.getByRole('link', { name: 'Grace' }).click();
  await page.locator('#pane').getByRole('heading', { name: 'Grace' }).waitFor();
  await page.context().setOffline(true);
  await page.keyboard.press(key);
  // A reply is written without a connection, and sent with one.
  if (key === 'r') await page.locator('#pane .actions').waitFor();
  else await page.getByRole('alert').filter({ hasText: 'You’re offline.' }).waitFor();
  expect(await titles(page)).toEqual(['Grace', 'Ada']);
  expect(await page.locator('#pane').getByRole('heading', { name: 'Grace' }).count()).toBe(1);
});

test('keys select, mark as spam, open a note, and open the next submission after the trash', async () => {
  // Notes are for teams of two and more.
  await signIn(instance, instance.owner, {}, 'editor');
  const { path } = await filled(['Ada', 'Grace', 'Mary']);
  const page = await open(path);
  const heading = (name: string) => page.locator('#pane').getByRole('heading', { name });
  for (const key of ['j', 'o']) await page.keyboard.press(key);
  await heading('Mary').waitFor();
  await page.keyboard.press('#');
  await heading('Grace').waitFor();
  expect(await titles(page)).toEqual(['Grace', 'Ada']);
  await page.keyboard.press('!');
  await heading('Ada').waitFor();
  await page.keyboard.press('n');
  await page.locator('#note-text:focus').waitFor();
  await page.locator('#submissions a.title').focus();
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
});

test('no row moves when the actions on selected rows take the place of the toolbar', async () => {
  const { path } = await filled(['Ada', 'Grace']);
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await open(path, { viewport });
    const top = () => page.evaluate("document.querySelector('[data-first]').getBoundingClientRect().top");
    const before = await top();
    await box(page, 'Ada').check();
    await page.locator('.selection').waitFor();
    expect(await top()).toBe(before);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const hint = page.locator('.pane-hint');
    expect(await hint.textContent()).toBe('1 selected');
    await box(page, 'Ada').uncheck();
    expect(await hint.textContent()).toBe(INBOX_TEXTS.en.paneHint);
  }
});

test('a table shows when submissions came, with five long fields too', async () => {
  const { form, path } = await filled([]);
  const long = 'A long answer to a question of the form, of which a cell shows the beginning';
  await instance.post(form.id, { one: long, two: long, three: long, four: long, five: long });
  const page = await open(path, { viewport: { width: 1280, height: 800 } });
  await button(page, 'Table').click();
  const edge = "document.querySelector('.grid-table td:last-child time').getBoundingClientRect().right";
  await page.locator('.grid-table td:last-child time').waitFor();
  expect(await page.evaluate<number>(edge)).toBeLessThan(1280 - 24);
});

test('a double click on a bulk action posts once', async () => {
  const { path } = await filled(['Ada', 'Grace']);
  const page = await open(path);
  await box(page, 'Ada').check();
  let posts = 0;
  const held = Promise.withResolvers<void>();
  await page.route('**/dashboard/submissions', async (route) => {
    posts++;
    await held.promise;
    await route.continue();
  });
  await page.locator('.bulk-actions button[value="trash"]').dblclick();
  held.resolve();
  await page.locator('.toast button').click();
  await box(page, 'Ada').waitFor();
  expect(posts).toBe(1);
});

test('a double click in the pane posts once', async () => {
  const { path } = await filled(['Ada']);
  const page = await open(path, { viewport: { width: 1280, height: 800 } });
  await page.getByRole('link', { name: 'Ada' }).click();
  const pane = page.locator('#pane');
  await pane.locator('.note-form > summary').click();
  await pane.locator('.note-form textarea').fill('Call back');
  let posts = 0;
  await page.route('**/notes', async (route) => {
    posts++;
    await route.continue();
  });
  await pane.getByRole('button', { name: 'Save note' }).dblclick();
  await pane.getByRole('status').filter({ hasText: 'Note' }).waitFor();
  await page.reload();
  await pane.getByText('Call back').first().waitFor();
  expect([posts, await pane.getByText('Call back').count()]).toEqual([1, 1]);
});

test('pages fit a phone without horizontal scrolling', async () => {
  const form = await instance.makeForm(instance.owner);
  const long = 'x'.repeat(3_000);
  await instance.post(form.id, { name: long, [long.slice(0, 200)]: { [long]: [long, { deep: { deeper: [long] } }] } });
  const page = await open(`/dashboard/forms/${form.id}/submissions`, { viewport: { width: 360, height: 700 } });
  const isWide = () => page.evaluate('document.documentElement.scrollWidth > innerWidth');
  const list = [`/dashboard/forms/${form.id}/submissions`, `/dashboard/forms/${form.id}/submissions?part=spam`];
  const links = "Array.from(document.querySelectorAll('#submissions a'), ({ href }) => href)";
  const paths: string[] = [];
  for (const path of list) {
    await page.goto(instance.url + path);
    expect(await isWide()).toBe(false);
    paths.push(...(await page.evaluate<string[]>(links)));
  }
  expect(paths).toHaveLength(1);
  await page.goto(paths[0] ?? '');
  expect(await isWide()).toBe(false);
  await page.getByRole('link', { name: 'Show all' }).first().click();
  expect(await isWide()).toBe(false);
});
