import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { SECOND_FACTOR_TEXTS } from '../../src/dashboard/users/account/texts.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { codeAt, STEP } from '../fast/dashboard/authenticator.ts';
import { PASSWORD, signIn } from '../fast/dashboard/signed-in.ts';
import { startInstance } from '../support/instance.ts';
import { startBrowser } from './chromium.ts';

const { team: t } = SECOND_FACTOR_TEXTS.en;
let ahead = 0;
const clock = () => systemClock() + ahead;
const [instance, browser] = await Promise.all([startInstance({ clock }), startBrowser()]);
afterEach(browser.closePages);
afterAll(async () => {
  await browser.close();
  await instance.stop();
});

/** Signs in a user on the forms page. */
async function settleOn(options: BrowserContextOptions, { teamId } = instance.owner) {
  const { user, cookie } = await signIn(instance, { teamId });
  const context = await browser.newContext(options);
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: `${instance.url}/dashboard` }]);
  const page = await context.newPage();
  await page.goto(`${instance.url}/dashboard/forms`);
  return { page, email: user.email };
}

/** Sets up a second factor on its page, and advances the clock by a time step for a new code. */
async function setUpOn(page: Page) {
  const secret = (await page.locator('#secret').textContent()) ?? '';
  await page.getByLabel('Code from the app').fill(codeAt(secret, clock()));
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  ahead += STEP;
  return { secret, codes: (await page.locator('#codes').textContent())?.split('\n') ?? [] };
}

async function signInOn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
}

describe.each([
  ['with script', { javaScriptEnabled: true }],
  ['without script', { javaScriptEnabled: false }],
])('%s', (_, options) => {
  test('a user turns it on with the secret, and signs in with a code', async () => {
    const { page, email } = await settleOn(options);
    await page.goto(`${instance.url}/dashboard/account`);
    await page.getByRole('link', { name: 'Set up' }).click();
    await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
    await page.getByLabel('Code from the app').fill('000000');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('alert').filter({ hasText: 'Wrong code.' }).waitFor();
    const { secret, codes } = await setUpOn(page);
    expect(codes).toHaveLength(10);
    await page.getByRole('status').filter({ hasText: 'All other sessions were signed out.' }).waitFor();
    await page.getByRole('link', { name: 'I saved my recovery codes' }).click();
    await page.waitForURL('**/dashboard/forms');

    await page.locator('header .person > summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`${instance.url}/dashboard/mail`);
    await signInOn(page, email);
    const field = page.getByLabel('Code from the app');
    const attributes = ['inputmode', 'autocomplete', 'name'].map((name) => field.getAttribute(name));
    expect(await Promise.all(attributes)).toEqual(['numeric', 'one-time-code', 'code']);
    await field.fill(codeAt(secret, clock()));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/dashboard/mail');
  });

  test('a recovery code signs in once, without the device, and the user turns it off', async () => {
    const { page, email } = await settleOn(options);
    await page.goto(`${instance.url}/dashboard/account/second-factor`);
    const { codes } = await setUpOn(page);
    const recover = async (code: string) => {
      const other = await (await browser.newContext(options)).newPage();
      await other.goto(`${instance.url}/dashboard/sign-in`);
      await signInOn(other, email);
      expect(await other.getByLabel('Recovery code').isVisible()).toBe(false);
      await other.getByText('Can’t use the app?').click();
      await other.getByLabel('Recovery code').fill(code);
      await other.getByRole('button', { name: 'Sign in with a recovery code' }).click();
      return other;
    };
    const other = await recover(codes[0]?.toLowerCase() ?? '');
    await other.waitForURL('**/dashboard/forms');
    const again = await recover(codes[0] ?? '');
    await again.getByRole('alert').filter({ hasText: 'Wrong code, or already used.' }).waitFor();
    expect(await again.getByLabel('Recovery code').isVisible()).toBe(true);

    await other.goto(`${instance.url}/dashboard/account`);
    await other.getByRole('link', { name: 'Manage', exact: true }).click();
    await other.getByText('9 recovery codes left.').waitFor();
    await other.getByLabel('Current password').fill(PASSWORD);
    await other.getByLabel('Code', { exact: true }).fill(codes[1] ?? '');
    await other.getByRole('button', { name: 'Turn off' }).click();
    await other.getByRole('status').filter({ hasText: 'Second factor turned off.' }).waitFor();
    await page.reload();
    expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in');
  });

  test('an owner requires it, and a member is redirected to the set-up with the reason', async () => {
    const team = await instance.makeOwner();
    const [owner, member] = [await settleOn(options, team), await settleOn(options, team)];
    await owner.page.goto(`${instance.url}/dashboard/team`);
    await owner.page.getByRole('link', { name: 'Require two-factor sign-in' }).click();
    await owner.page.getByText(t.needsOwn).waitFor();
    await owner.page.getByRole('link', { name: 'Set up' }).click();
    await setUpOn(owner.page);
    await owner.page.goto(`${instance.url}/dashboard/team/second-factor`);
    await owner.page.getByRole('button', { name: t.require }).click();
    await owner.page.getByRole('status').filter({ hasText: t.done.required }).waitFor();

    await member.page.getByRole('link', { name: 'Inbox' }).click();
    await member.page.getByText('The team “Team” requires a second factor. Set one up to continue.').waitFor();
    await setUpOn(member.page);
    await member.page.getByRole('link', { name: 'I saved my recovery codes' }).click();
    await member.page.waitForURL('**/dashboard/forms');
  });

  test('recovery codes are downloaded as a text file', async () => {
    const { page, email } = await settleOn(options);
    await page.goto(`${instance.url}/dashboard/account/second-factor`);
    const { codes } = await setUpOn(page);
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as text' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe('formstead-recovery-codes.txt');
    const text = await Bun.file(await download.path()).text();
    expect(text).toBe([`Recovery codes for Formstead, ${email}. Each works once.`, '', ...codes, ''].join('\r\n'));
  });
});

test('with script, buttons copy secret and codes without spaces, and print the codes', async () => {
  const { page } = await settleOn({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${instance.url}/dashboard/account/second-factor`);
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await copied()).toMatch(/^[A-Z2-7]{32}$/);
  const { codes } = await setUpOn(page);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect((await copied()).split('\n')).toEqual(codes);
  await page.evaluate('window.print = () => { document.title = "printed"; }');
  await page.getByRole('button', { name: 'Print' }).click();
  expect(await page.title()).toBe('printed');
  await page.emulateMedia({ media: 'print' });
  expect([
    await page.locator('#codes').isVisible(),
    await page.getByRole('button').count(),
    await page.getByRole('link').count(),
  ]).toEqual([true, 0, 0]);

  const bare = await settleOn({ javaScriptEnabled: false });
  await bare.page.goto(`${instance.url}/dashboard/account/second-factor`);
  await setUpOn(bare.page);
  expect(await bare.page.getByRole('main').getByRole('button').count()).toBe(0);
});

test.each(['en-GB', 'de-DE'])(
  'its pages fit a phone 360 pixels wide and axe finds nothing in them: %s',
  async (locale) => {
    const { default: axe } = await import('axe-core');
    const phone = { viewport: { width: 360, height: 700 }, isMobile: true };
    const { page, email } = await settleOn(phone);
    if (locale === 'de-DE') {
      await instance.context.store.users.update((await instance.context.store.users.findByEmail(email))?.id ?? '', {
        language: 'de',
      });
    }
    const look = async (name: string) => {
      await page.evaluate(axe.source);
      const found = await page.evaluate<Array<{ id: string; nodes: Array<{ html: string }> }>>(
        'axe.run().then(({ violations }) => violations)',
      );
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      const said = found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      expect([name, said, over]).toEqual([name, [], 0]);
    };
    await page.goto(`${instance.url}/dashboard/account/second-factor`);
    await look('set up');
    const secret = (await page.locator('#secret').textContent()) ?? '';
    await page.locator('#code').fill(codeAt(secret, clock()));
    await page.locator('#password').fill(PASSWORD);
    await page.locator('main form button:not([type])').click();
    await page.locator('#codes').waitFor();
    await look('codes');
    await page.goto(`${instance.url}/dashboard/account/second-factor`);
    await look('manage');
    await page.goto(`${instance.url}/dashboard/team/second-factor`);
    await look('team');
    await page.context().clearCookies();
    await page.goto(`${instance.url}/dashboard/sign-in`);
    await page.locator('#email').fill(email);
    await page.locator('#password').fill(PASSWORD);
    await page.locator('main form button:not([type])').click();
    await page.locator('summary').click();
    await look('asked');
  },
);
