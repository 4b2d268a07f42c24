import { afterAll, afterEach, expect, test } from 'bun:test';
import { CONNECT_TEXTS } from '../../src/dashboard/forms/connect/texts.ts';
import { createWelcomeLink } from '../../src/services/users/accounts.ts';
import { openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);
const { instance } = stage;

test.each([
  ['with script the first submission appears by itself', true],
  ['without script it is there when one looks again', false],
])('from the link of the first start to the first submission: %s', async (_, javaScriptEnabled) => {
  const owner = await instance.makeOwner();
  const { token } = await createWelcomeLink(instance.context, owner.teamId);
  const page = await (await stage.newContext({ javaScriptEnabled })).newPage();
  await page.goto(`${instance.url}/dashboard/welcome/${token}`);
  await page.locator('input[name=email]').fill(`first-${javaScriptEnabled}@example.com`);
  await page.locator('input[name=new_password]').fill('correct horse battery staple');
  await page.locator('main form button:not([type=button])').first().click();
  await page.locator('#waiting-title', { hasText: CONNECT_TEXTS.en.waiting }).waitFor();
  await page.getByRole('button', { name: CONNECT_TEXTS.en.checkAgain }).focus();
  await instance.post(owner.form.id, { name: 'Ada', message: 'Hello' });
  if (!javaScriptEnabled) await page.getByRole('button', { name: CONNECT_TEXTS.en.checkAgain }).click();
  await page.locator('#waiting-title', { hasText: CONNECT_TEXTS.en.firstArrived }).waitFor();
  const look = page.locator('#waiting').getByRole('link', { name: CONNECT_TEXTS.en.look });
  // The button that had the focus is gone.
  if (javaScriptEnabled) await look.and(page.locator(':focus')).waitFor();
  await look.click();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Ada');
});
