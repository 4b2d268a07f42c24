import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
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

describe.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', (colorScheme) => {
  test.each([
    ['on a desk', { width: 1280, height: 800 }],
    ['on a phone', { width: 360, height: 740 }],
  ])(
    '%s',
    async (_, viewport) => {
      const context = await browser.newContext({ colorScheme, viewport });
      const page = await context.newPage();
      const pages = world.routes.filter(({ method, path }) => method === 'GET' && !NO_PAGE.test(path));
      expect(pages.length).toBeGreaterThan(15);
      const found: string[] = [];
      const wide: string[] = [];
      const look = async (path: string) => {
        found.push(...(await findings(page, path)));
        const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        if (isWide) wide.push(path);
      };
      for (const { path } of pages.filter(({ path }) => SIGNED_OUT.test(path))) await look(path);
      const [name = '', value = ''] = world.me.cookie.split('=', 2);
      await context.addCookies([{ name, value, url: `${world.instance.url}/dashboard` }]);
      for (const { path } of pages.filter(({ path }) => !SIGNED_OUT.test(path))) await look(path);
      await context.close();
      expect(found).toEqual([]);
      expect(wide).toEqual([]);
    },
    60_000,
  );
});
