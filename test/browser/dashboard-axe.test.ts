import { afterAll, afterEach, expect, test } from 'bun:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { SECTIONS } from '../../src/dashboard/forms/settings/sections.ts';
import { startWorld } from '../fast/dashboard/world.ts';
import { startBrowser } from './chromium.ts';

const [world, browser] = await Promise.all([startWorld(), startBrowser()]);
afterEach(browser.closePages);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** What is no whole page: files, parts that scripts ask for, and pages that lead elsewhere. */
const NO_PAGE =
  /\/(?:files|images)\/|export\.|progress|\/dashboard\/passkey$|\/preview\/|inbox\/new$|:formId\/submissions\/new$|^\/dashboard$/;
/** The paths of all settings of a form; of another page its own. */
const sectionsOf = (path: string) =>
  path.includes('/settings/:section') ? SECTIONS.map((section) => path.replace(':section', section)) : [path];
/** For those who are not signed in. */
const SIGNED_OUT = /sign-in|welcome|reset/;

type Finding = Readonly<{ id: string; nodes: ReadonlyArray<Readonly<{ html: string; failureSummary?: string }>> }>;

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

/** What axe finds in the page as it stands, by these rules or all that are on. */
async function findings(page: Page, path: string, rules?: readonly string[]): Promise<readonly string[]> {
  const options = JSON.stringify(rules ? { runOnly: rules } : {});
  const found = await page.evaluate<readonly Finding[]>(`axe.run(${options}).then(({ violations }) => violations)`);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${path}: ${id}: ${html} ${failureSummary}`),
  );
}

/** Each page is loaded once: between the themes nothing of it changes but the colours. */
async function look(page: Page, path: string): Promise<readonly string[]> {
  await page.goto(world.instance.url + world.pathOf(path));
  return lookAt(page, path);
}

/** The same for the page that is open. */
async function lookAt(page: Page, path: string): Promise<readonly string[]> {
  await page.setViewportSize(PHONE);
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  await page.setViewportSize(DESK);
  await page.evaluate(axe.source);
  const inLight = await findings(page, path);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await findings(page, `${path} in the dark`, ['color-contrast', 'link-in-text-block']);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...(isWide ? [`${path}: wider than a phone`] : []), ...inLight, ...inDark];
}

const PATHS = world.routes
  .filter(({ method, path }) => method === 'GET' && !NO_PAGE.test(path))
  .flatMap(({ path }) => sectionsOf(path));

test('there are pages to look at', () => {
  expect(PATHS.length).toBeGreaterThan(15);
});

test.each(PATHS)('axe finds nothing in %s in either theme, and it is no wider than a phone', async (path) => {
  const context = await browser.newContext({ colorScheme: 'light' });
  const [name = '', value = ''] = world.me.cookie.split('=', 2);
  if (!SIGNED_OUT.test(path)) await context.addCookies([{ name, value, url: `${world.instance.url}/dashboard` }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  const found = await look(page, path);
  // The browser itself notes the status of a page that is missing.
  const own = complaints.filter((text) => !text.endsWith(`(Not Found) ${page.url()}`));
  expect([...found, ...own]).toEqual([]);
});

test('axe finds nothing in what actions on a webhook show, and the editor keeps its input', async () => {
  const context = await browser.newContext({ colorScheme: 'light' });
  const [name = '', value = ''] = world.me.cookie.split('=', 2);
  await context.addCookies([{ name, value, url: `${world.instance.url}/dashboard` }]);
  const page = await context.newPage();
  const open = (below: string) =>
    page.goto(world.instance.url + world.pathOf(`/dashboard/forms/:formId/webhooks/:webhookId${below}`));
  await open('/settings');
  await page.getByLabel('Headers').fill('X-Token: abc');
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.locator('#field-0:focus').fill('message');
  await page.getByRole('button', { name: 'Try conditions' }).click();
  await page.locator('#tried:focus').waitFor();
  expect(await page.getByLabel('Headers').inputValue()).toBe('X-Token: abc');
  const found = [...(await lookAt(page, 'trial'))];
  for (const button of ['Send test', 'Replace signing secret']) {
    await page.evaluate('document.querySelector("form[data-part]")?.removeAttribute("data-changed")');
    await open('');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: button }).click()]);
    found.push(...(await lookAt(page, button)));
  }
  expect(found).toEqual([]);
});

test('axe finds nothing in the views, the table and the second pane of the inbox', async () => {
  const { url } = world.instance;
  const { form } = world.owner;
  await world.instance.post(form.id, { name: 'Ada', message: 'Do you repair harps?', guests: '2' });
  await world.instance.post(form.id, { name: 'Grace', message: 'To the trash' });
  const [newest] =
    (await world.instance.context.store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  await world.me.post('/dashboard/submissions', { do: 'trash', submission: newest?.id ?? '' });
  const context = await browser.newContext();
  const [name = '', value = ''] = world.me.cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  const found: string[] = [];
  for (const path of ['/dashboard/inbox?part=spam', '/dashboard/inbox?part=trash', '/dashboard/inbox?q=harps']) {
    await page.goto(url + path);
    found.push(...(await lookAt(page, path)));
  }
  await page.goto(`${url}/dashboard/inbox`);
  await page.getByRole('link', { name: 'Ada' }).first().click();
  await page.locator('#pane h1').waitFor();
  await page.locator('#submissions [name="submission"]').first().check();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  found.push(...(await lookAt(page, 'pane')));
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  found.push(...(await lookAt(page, 'shortcuts')));
  await page.goto(`${url}/dashboard/forms/${form.id}/submissions`);
  await page.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('table').waitFor();
  await page.getByText('Columns').click();
  found.push(...(await lookAt(page, 'table')));
  expect(found).toEqual([]);
});
