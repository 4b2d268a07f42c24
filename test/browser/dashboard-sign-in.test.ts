import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createResetLink, createWelcomeLink } from '../../src/services/users/accounts.ts';
import { PASSWORD } from '../fast/dashboard/signed-in.ts';
import { startInstance } from '../support/instance.ts';
import { startBrowser } from './chromium.ts';

const [instance, browser] = await Promise.all([startInstance(), startBrowser()]);
afterEach(browser.closePages);
afterAll(async () => {
  await browser.close();
  await instance.stop();
});

const NEW = 'an altogether new passphrase';
let people = 0;

/** Opens a page in a new browser profile. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin', ...options });
  const page = await context.newPage();
  await page.goto(instance.url + path);
  return page;
}

const welcomePath = async () =>
  `/dashboard/welcome/${(await createWelcomeLink(instance.context, instance.owner.teamId)).token}`;

/** Creates an account on the welcome page. */
async function settleOn(page: Page): Promise<string> {
  const email = `browser${++people}@example.com`;
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  // The first owner is led to the page that connects the first form.
  await page.waitForURL('**/dashboard/forms/*/connect');
  return email;
}

async function signInOn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.each([
  ['with script', { javaScriptEnabled: true }],
  ['without script', { javaScriptEnabled: false }],
])('%s', (_, options) => {
  test('a user creates an account, signs out, and signs in again to the requested page', async () => {
    const page = await open(await welcomePath(), options);
    const email = await settleOn(page);
    await page.locator('header .person > summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('status').filter({ hasText: 'You have been signed out.' }).waitFor();

    await page.goto(`${instance.url}/dashboard/account`);
    await signInOn(page, email, 'not the right one');
    await page.getByRole('alert').filter({ hasText: 'Wrong email or password.' }).waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe(email);
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    await signInOn(page, email);
    await page.waitForURL('**/dashboard/account');
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    const { timeZone } = (await instance.context.store.users.findByEmail(email)) ?? {};
    expect(timeZone ?? null).toBe(options.javaScriptEnabled ? 'Europe/Berlin' : null);
  });

  test('a common password is refused with a hint, and the link accepts a better one', async () => {
    const page = await open(await welcomePath(), options);
    await page.getByLabel('Email address').fill('common@example.com');
    await page.getByLabel('Password', { exact: true }).fill('password1234');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('alert').filter({ hasText: 'easy to guess' }).waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('common@example.com');
    await settleOn(page);
  });

  test('a reset link sets a password, signs in, and ends all other sessions', async () => {
    const page = await open(await welcomePath(), options);
    const email = await settleOn(page);
    const user = await instance.context.store.users.findByEmail(email);
    const { token } = await createResetLink(instance.context, user?.id ?? '');
    const other = await open(`/dashboard/reset/${token}`, options);
    expect(await other.getByLabel('Email address').inputValue()).toBe(email);
    await other.getByLabel('New password').fill(NEW);
    await other.getByRole('button', { name: 'Set password' }).click();
    await other.waitForURL('**/dashboard/forms');
    await page.reload();
    await signInOn(page, email, NEW);
    await page.waitForURL('**/dashboard/forms/*/connect');
    await other.goto(`${instance.url}/dashboard/reset/${token}`);
    await other.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });

  test('the account page changes language, time zone and password, and ends sessions', async () => {
    const page = await open(await welcomePath(), options);
    const email = await settleOn(page);
    await page.goto(`${instance.url}/dashboard/account`);
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').filter({ hasText: 'Preferences saved.' }).waitFor();
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill(NEW);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('status').filter({ hasText: 'Password changed.' }).waitFor();

    const other = await open('/dashboard/sign-in', options);
    await signInOn(other, email, NEW);
    await other.waitForURL('**/dashboard/forms');
    await page.reload();
    const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
    expect(await sessions.count()).toBe(2);
    await sessions.filter({ hasNotText: 'Current session' }).getByRole('link').click();
    await page.getByLabel('Current password').fill(NEW);
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('status').filter({ hasText: 'Session ended.' }).waitFor();
    expect(await sessions.count()).toBe(1);
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();

    await page.getByLabel('Language', { exact: true }).selectOption('de');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Überall abmelden' }).click();
    await page.getByLabel('Aktuelles Passwort').fill(NEW);
    await page.getByRole('main').getByRole('button', { name: 'Abmelden' }).click();
    await page.getByRole('status').filter({ hasText: 'Signed out everywhere.' }).waitFor();
  });
});

test('the keyboard alone creates an account and signs in', async () => {
  const page = await open(await welcomePath());
  const focused = () =>
    page.evaluate<string>('document.activeElement.name || document.activeElement.textContent.trim()');
  const tabTo = async (name: string) => {
    for (let steps = 0; !(await focused()).endsWith(name); steps++) {
      if (steps > 25) throw new Error(`the focus never came to ${name}`);
      await page.keyboard.press('Tab');
    }
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    expect([name, outline]).toEqual([name, 'solid']);
  };
  const email = `keys${++people}@example.com`;
  await tabTo('email');
  await page.keyboard.type(email);
  await tabTo('new_password');
  await page.keyboard.type(PASSWORD);
  await tabTo('Create account');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/forms/*/connect');
  await tabTo(email);
  await page.keyboard.press('Enter');
  await tabTo('Sign out');
  await page.keyboard.press('Space');
  await page.waitForURL('**/dashboard/sign-in?done=out');
  await tabTo('email');
  await page.keyboard.type(email);
  await tabTo('password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/forms');
});

test.each([true, false])(
  'the keyboard operates the menus of the header, with script: %p',
  async (javaScriptEnabled) => {
    const page = await open(await welcomePath(), { javaScriptEnabled });
    await settleOn(page);
    const [team, person] = [page.locator('header .team'), page.locator('header .person')];
    const areOpen = async () => [await team.getAttribute('open'), await person.getAttribute('open')];
    await team.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await areOpen()).toEqual(['', null]);
    await page.keyboard.press('Tab');
    await team.locator('a:focus').waitFor();
    await person.locator('summary').focus();
    await page.keyboard.press('Space');
    expect(await areOpen()).toEqual([null, '']);
    await page.keyboard.press('Tab');
    await person.locator('a:focus').waitFor();
    if (!javaScriptEnabled) return;
    await page.keyboard.press('Escape');
    await person.locator('summary:focus').waitFor();
    expect(await areOpen()).toEqual([null, null]);
    await page.keyboard.press('Enter');
    await page.locator('main a').first().focus();
    expect(await areOpen()).toEqual([null, null]);
  },
);

describe('a password field', () => {
  test('shows and hides its value, and hides it before submitting', async () => {
    const page = await open('/dashboard/sign-in');
    const field = page.getByLabel('Password', { exact: true });
    const button = page.getByRole('button', { name: 'Show' });
    const state = async () => [await field.getAttribute('type'), await button.getAttribute('aria-pressed')];
    expect(await state()).toEqual(['password', 'false']);
    await button.click();
    expect(await state()).toEqual(['text', 'true']);
    await button.click();
    expect(await state()).toEqual(['password', 'false']);
    await button.click();
    const atSubmit = page.evaluate<string>(`new Promise((resolve) => {
      document.forms[0].addEventListener('submit', (event) => {
        event.preventDefault();
        setTimeout(() => resolve(document.getElementById('password').type));
      });
    })`);
    await page.getByLabel('Email address').fill('ada@example.com');
    await field.fill('x');
    await field.press('Enter');
    expect(await atSubmit).toBe('password');
  });

  test('has no button without script', async () => {
    const page = await open('/dashboard/sign-in', { javaScriptEnabled: false });
    expect(await page.getByRole('button').allTextContents()).toEqual(['Sign in']);
    expect(await page.locator('button[data-shows]').isVisible()).toBe(false);
  });

  test('is labeled for password managers, next to the address', async () => {
    const welcome = await open(await welcomePath());
    const attributes = (page: Page) =>
      page.evaluate<string[]>(
        `Array.from(document.querySelectorAll('main form input:not([type=hidden])'), (input) =>
          [input.type, input.name, input.autocomplete, input.required].join(' '))`,
      );
    const emailField = 'email email username true';
    expect(await attributes(welcome)).toEqual([emailField, 'password new_password new-password true']);
    const email = await settleOn(welcome);
    const user = await instance.context.store.users.findByEmail(email);
    const { token } = await createResetLink(instance.context, user?.id ?? '');
    expect(await attributes(await open(`/dashboard/reset/${token}`))).toEqual([
      'email  username false',
      'password new_password new-password true',
    ]);
    expect(await attributes(await open('/dashboard/sign-in'))).toEqual([
      emailField,
      'password password current-password true',
    ]);
    await welcome.goto(`${instance.url}/dashboard/account`);
    expect(await attributes(welcome)).toEqual([
      'text name name false',
      'email  username false',
      'password password current-password true',
      'password new_password new-password true',
    ]);
  });
});

test.each(['/dashboard/sign-in', '/dashboard/reset', '/dashboard/welcome/x', 'welcome', 'account'])(
  '%s fits a phone 360 pixels wide, in German too',
  async (path) => {
    for (const locale of ['en-GB', 'de-DE']) {
      const phone = { viewport: { width: 360, height: 700 }, isMobile: true, locale };
      const page = await open(path.startsWith('/') ? path : await welcomePath(), phone);
      if (path === 'account') {
        await page.locator('#email').fill(`phone${++people}@example.com`);
        await page.locator('#new_password').fill(PASSWORD);
        await page.locator('main form button:not([type])').click();
        await page.waitForURL('**/dashboard/forms/*/connect');
        await page.goto(`${instance.url}/dashboard/account`);
      }
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([locale, overflow]).toEqual([locale, 0]);
    }
  },
);
