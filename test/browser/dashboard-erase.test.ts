import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { ERASE_TEXTS } from '../../src/dashboard/erasure/texts.ts';
import { CATALOG } from '../../src/dashboard/ui/texts.ts';
import { keepMany } from '../fast/dashboard/list-page.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import { followUntil } from './pages.ts';
import { openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance } = stage;
const erase = ERASE_TEXTS.en;
const MANY = 12_000;

/** The page to erase a person from, of a new owner with many submissions, in a browser that they are signed in to. */
async function erasePage(javaScriptEnabled: boolean) {
  const owner = await instance.makeOwner();
  await keepMany(instance.context, owner.form.id, MANY, (n) => ({
    email: n % 4_000 === 0 ? 'ada@example.com' : `bob${n}@example.com`,
  }));
  const me = await signIn(instance, owner);
  const page = await stage.open('', { javaScriptEnabled });
  const [name = '', value = ''] = me.cookie.split('=');
  await page.context().addCookies([{ name, value, url: instance.url }]);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${instance.url}/dashboard/team`);
  const { sections, teamAndServer } = CATALOG.textsIn('en');
  await page.getByText(teamAndServer).click();
  await page.getByRole('link', { name: sections.erase }).click();
  return { owner, page, complaints };
}

describe.each([
  ['with script', true],
  ['without script', false],
])('%s', (_, javaScriptEnabled) => {
  /** Waits for what the page shows when the work on the server is over. */
  const reached = (page: Page, again: Locator, end: Locator) =>
    javaScriptEnabled ? end.waitFor() : followUntil(page, again, end);

  test('a person is found, exported and erased, with a receipt', async () => {
    const { owner, page, complaints } = await erasePage(javaScriptEnabled);
    await page.getByLabel(erase.address).fill('Ada@example.com');
    await page.getByRole('button', { name: erase.search }).click();
    const again = page.getByRole('link', { name: erase.again });
    const found = page.locator('#erasure').getByText(erase.found(3, '3', '12,000'));
    await reached(page, again, found);

    const [lines] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: erase.exportLines }).click(),
    ]);
    expect((await Bun.file(await lines.path()).text()).trimEnd().split('\n')).toHaveLength(3);

    await page.getByRole('link', { name: erase.deleteStep }).click();
    await page.getByText(erase.finalText).waitFor();
    await page.getByRole('button', { name: erase.confirm }).click();
    const receipt = page.getByRole('heading', { name: erase.receipt });
    await reached(page, again, receipt);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: erase.download }).click(),
    ]);
    expect(await Bun.file(await saved.path()).json()).toMatchObject({ found: 3, submissions: 3 });
    const left = await instance.context.store.retention.countOlder(owner.form.id, Number.MAX_SAFE_INTEGER, MANY);
    expect(left).toBe(MANY - 3);
    expect(complaints).toEqual([]);
  });
});
