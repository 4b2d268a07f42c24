import { afterAll, afterEach, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

/** Kills the browser process to simulate a crash of Chromium. */
async function killBrowserOf(page: Page): Promise<void> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {};
  const { id } = processInfo.find(({ type }) => type === 'browser') ?? {};
  if (!id) throw new Error('the browser did not name its process');
  process.kill(id, 'SIGKILL');
}

test('pages opened after a browser crash get a new browser', async () => {
  const page = await stage.open('<h1>Before</h1>');
  await killBrowserOf(page);
  const pages = await Promise.all(['One', 'Two'].map((text) => stage.open(`<h1>${text}</h1>`)));
  expect(await Promise.all(pages.map((one) => one.getByRole('heading').textContent()))).toEqual(['One', 'Two']);
  expect(new Set(pages.map((one) => one.context().browser())).size).toBe(1);
  expect(pages[0]?.context().browser()).not.toBe(page.context().browser());
  await expect(page.title()).rejects.toThrow();
});

test('a test that ends with a crashed browser does not affect the next test', async () => {
  const page = await stage.open('<h1>Before</h1>');
  await killBrowserOf(page);
  await page.waitForEvent('close').catch(() => undefined);
  await stage.closePages();
  expect(await (await stage.open('<h1>After</h1>')).getByRole('heading').textContent()).toBe('After');
});
