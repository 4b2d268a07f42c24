import { afterAll, beforeAll, expect, test } from 'bun:test';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startWorld, type World } from '../dashboard/world.ts';
import { launch } from './stage.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  world = await startWorld();
  browser = await launch();
}, 30_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** What is no whole page: files, parts that scripts ask for, and pages that lead elsewhere. */
const NO_PAGE = /\/files\/|export\.|progress|inbox\/new$|:formId\/new$|^\/dashboard$/;
/** For those who are not signed in. */
const SIGNED_OUT = /sign-in|welcome|reset/;

type Finding = Readonly<{ id: string; nodes: ReadonlyArray<Readonly<{ html: string; failureSummary?: string }>> }>;

async function findings(page: Page, path: string): Promise<readonly string[]> {
  await page.goto(world.instance.url + world.pathOf(path));
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly Finding[]>('axe.run().then(({ violations }) => violations)');
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${path}: ${id}: ${html} ${failureSummary}`),
  );
}

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

/** Calls `look` for every page, those for who is not signed in first. */
async function walk(options: BrowserContextOptions, look: (page: Page, path: string) => Promise<void>): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const pages = world.routes.filter(({ method, path }) => method === 'GET' && !NO_PAGE.test(path));
  expect(pages.length).toBeGreaterThan(15);
  for (const { path } of pages.filter(({ path }) => SIGNED_OUT.test(path))) await look(page, path);
  const [name = '', value = ''] = world.me.cookie.split('=', 2);
  await context.addCookies([{ name, value, url: `${world.instance.url}/dashboard` }]);
  for (const { path } of pages.filter(({ path }) => !SIGNED_OUT.test(path))) await look(page, path);
  await context.close();
}

test.each(['light', 'dark'] as const)(
  'axe finds nothing in the %s theme',
  async (colorScheme) => {
    const found: string[] = [];
    await walk({ colorScheme, viewport: DESK }, async (page, path) => {
      found.push(...(await findings(page, path)));
    });
    expect(found).toEqual([]);
  },
  60_000,
);

test('no page is wider than a phone', async () => {
  const wide: string[] = [];
  await walk({ viewport: PHONE }, async (page, path) => {
    await page.goto(world.instance.url + world.pathOf(path));
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(path);
  });
  expect(wide).toEqual([]);
}, 60_000);
