import type { Locator, Page } from 'playwright-core';

/** Follows a link repeatedly, on pages without script, until a page shows `end`. */
export async function followUntil(page: Page, link: Locator, end: Locator): Promise<void> {
  for (;;) {
    await link.or(end).first().waitFor();
    // Otherwise the load event of this page could be mistaken for that of the next.
    await page.waitForLoadState();
    if (await end.isVisible()) return;
    await Promise.all([page.waitForEvent('load'), link.click()]);
  }
}
