import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { CHAPTERS } from '../../src/manual/index.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 30_000);
afterEach(() => stage.closePages());
afterAll(() => stage.close());

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
const CHAPTER_PATHS = CHAPTERS.map(({ slug }) => `/docs/${slug}`);
const KINDS = ['/docs', '/docs/de/spam', '/docs/connect-forms', '/docs/search?q=form', '/docs/api', '/docs/unknown'];

const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await (await stage.newContext({ viewport: DESK, ...options })).newPage();
  await page.goto(stage.instance.url + path);
  return page;
};

type Finding = Readonly<{ id: string; nodes: ReadonlyArray<Readonly<{ html: string; failureSummary?: string }>> }>;

test.each(KINDS)(
  '%s has no axe violations in both themes at both widths',
  async (path) => {
    const page = await open(path, { colorScheme: 'light' });
    const violations: string[] = [];
    for (const viewport of [DESK, PHONE]) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.evaluate(axe.source);
        const findings = await page.evaluate<readonly Finding[]>('axe.run().then(({ violations }) => violations)');
        violations.push(
          ...findings.flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
          ),
        );
      }
    }
    expect(violations).toEqual([]);
  },
  60_000,
);

test('no page overflows a phone', async () => {
  const page = await open('/docs', { viewport: PHONE });
  const wide: string[] = [];
  for (const path of [...KINDS, ...CHAPTER_PATHS]) {
    await page.goto(stage.instance.url + path);
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(path);
  }
  expect(wide).toEqual([]);
}, 30_000);

test('the copy button copies its block', async () => {
  const page = await open('/docs/connect-forms');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const block = page.locator('.code').first();
  await block.hover();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
    (await block.locator('code').textContent()) ?? '',
  );
});

test('the key / focuses the search box, and Enter opens the results', async () => {
  const page = await open('/docs/spam');
  await page.keyboard.press('/');
  await page.keyboard.type('challenges');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/search?q=challenges');
  await page.locator('.results a').first().click();
  await page.waitForURL(/\/docs\/[a-z-]+(#.*)?$/);
  expect(await page.locator('h1').count()).toBe(1);
});

test('a page works without script', async () => {
  const page = await open('/docs/connect-forms', { javaScriptEnabled: false });
  expect(
    await page
      .getByRole('navigation', { name: 'Chapters' })
      .getByRole('link', { name: 'Spam', exact: true })
      .isVisible(),
  ).toBe(true);
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  await page.getByRole('searchbox').fill('spam');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL('**/docs/search?q=spam');
  expect(await page.locator('.results a').first().isVisible()).toBe(true);

  await page.setViewportSize(PHONE);
  await page.goto(`${stage.instance.url}/docs/connect-forms`);
  const link = page.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name: 'Mail', exact: true });
  expect(await link.isVisible()).toBe(false);
  await page.getByText('Chapters', { exact: true }).click();
  await link.click();
  await page.waitForURL('**/docs/mail');
});

test('headings have links that work with the keyboard', async () => {
  const page = await open('/docs/spam');
  const heading = page.locator('.heading').first();
  const anchor = heading.locator('.anchor');
  await anchor.focus();
  expect(await anchor.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).opacity)).toBe(
    '1',
  );
  await page.keyboard.press('Enter');
  const id = await heading.locator('h2, h3').getAttribute('id');
  expect(new URL(page.url()).hash).toBe(`#${id}`);
});

test('the skip link leads to the content', async () => {
  const page = await open('/docs/spam');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('content');
});

test('pages cause no console message and load nothing from elsewhere', async () => {
  const page = await open('/docs');
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('requestfailed', (request) => complaints.push(request.url()));
  page.on('request', (request) => {
    if (!request.url().startsWith(stage.instance.url) && !request.url().startsWith('data:'))
      complaints.push(request.url());
  });
  for (const path of ['/docs', '/docs/spam', '/docs/api', '/docs/search?q=form'])
    await page.goto(stage.instance.url + path);
  expect(complaints).toEqual([]);
});
