import type { Locator, Page } from 'playwright-core';

/** Follows a link of a page without script, and the same link of each page it leads to, until one of them shows `end`. */
export async function followUntil(page: Page, link: Locator, end: Locator): Promise<void> {
  for (;;) {
    await link.or(end).first().waitFor();
    // Its load event must not be taken for the next page's.
    await page.waitForLoadState();
    if (await end.isVisible()) return;
    await Promise.all([page.waitForEvent('load'), link.click()]);
  }
}
