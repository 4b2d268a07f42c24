import { afterAll, afterEach, expect, test } from 'bun:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { PASSKEY_TEXTS } from '../../src/dashboard/users/passkeys/texts.ts';
import { codeAt } from '../fast/dashboard/authenticator.ts';
import { makeAccount, PASSWORD } from '../fast/dashboard/signed-in.ts';
import { startInstance } from '../support/instance.ts';
import { startBrowser } from './chromium.ts';

const t = PASSKEY_TEXTS.en;
const [instance, elsewhere, browser] = await Promise.all([
  startInstance(),
  startInstance({ config: { baseUrl: 'https://localhost:9999' } }),
  startBrowser(),
]);
afterEach(browser.closePages);
afterAll(async () => {
  await browser.close();
  await instance.stop();
  await elsewhere.stop();
});

/** Browsers take passkeys for the name only, not for the address. */
const addressOf = ({ url }: Readonly<{ url: string }>) => `http://localhost:${new URL(url).port}`;
const url = addressOf(instance);

type DeviceOptions = BrowserContextOptions & Readonly<{ isVerified?: boolean; isSuggesting?: boolean }>;

/** Opens a page in a new browser profile on a device with an authenticator. */
async function openDevice({ isVerified = true, isSuggesting = false, ...options }: DeviceOptions = {}) {
  const page = await (await browser.newContext(options)).newPage();
  if (!isSuggesting) {
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
  }
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: isVerified,
      isUserVerified: isVerified,
      automaticPresenceSimulation: true,
    },
  });
  return { page, devtools, authenticatorId };
}

type Device = Awaited<ReturnType<typeof openDevice>>;

const credentialsOf = async ({ devtools, authenticatorId }: Device) =>
  (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

async function signInByPassword(page: Page, email: string, at = url) {
  await page.goto(`${at}/dashboard/sign-in`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard/forms');
}

/** Adds a passkey on its page, confirmed by the password. */
async function addOn(page: Page, name: string, at = url) {
  await page.goto(`${at}/dashboard/account`);
  await page.locator('section[aria-labelledby=passkeys]').getByRole('link').click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: t.add }).click();
}

async function signOut(page: Page) {
  await page.goto(`${url}/dashboard/account`);
  await page.locator('header .person > summary').click();
  await page.getByRole('button', { name: 'Sign out' }).last().click();
  await page.waitForURL('**/dashboard/sign-in?done=out');
}

const pressPasskey = (page: Page) => page.getByRole('button', { name: t.signIn }).click();
const refusal = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();

/** Creates a user whose device has a passkey. */
async function equip(options: DeviceOptions = {}) {
  const user = await makeAccount(instance, instance.owner);
  const device = await openDevice(options);
  await signInByPassword(device.page, user.email);
  await addOn(device.page, 'Laptop');
  await device.page.getByRole('status').filter({ hasText: t.done.added }).waitFor();
  return { user, ...device };
}

test('a user adds a passkey and signs in with it, without address and password', async () => {
  const { user, page } = await equip();
  await page.getByRole('textbox', { name: t.nameOf('Laptop') }).waitFor();
  await signOut(page);
  await pressPasskey(page);
  await page.waitForURL('**/dashboard/forms');
  await page.goto(`${url}/dashboard/account`);
  await page.getByText(user.email).first().waitFor();
  await page.getByText(t.count(1)).waitFor();
});

test('a browser that suggests passkeys signs in without a button', async () => {
  const { page } = await equip({ isSuggesting: true });
  await signOut(page).catch(() => {});
  // The virtual authenticator accepts the suggestion at once.
  await page.waitForURL('**/dashboard/forms');
});

test('without user verification the code of the second factor is asked for, with it not', async () => {
  for (const isVerified of [false, true]) {
    const { page, user } = await equip({ isVerified });
    const [passkey] = await instance.context.store.passkeys.list(user.id);
    // Chromium finds a passkey without user verification only by its id.
    await page.route('**/dashboard/passkey', async (route) => {
      if (isVerified || route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      const json = {
        ...(await response.json()),
        allowCredentials: [{ id: passkey?.credentialId, type: 'public-key' }],
      };
      return route.fulfill({ response, json });
    });
    await page.goto(`${url}/dashboard/account/second-factor`);
    const secret = (await page.locator('#secret').textContent()) ?? '';
    await page.getByLabel('Code from the app').fill(codeAt(secret, instance.context.clock()));
    await page.getByRole('button', { name: t.use }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await signOut(page);
    await pressPasskey(page);
    await page.waitForURL(isVerified ? '**/dashboard/forms' : /second-factor\?to=/);
  }
});

test('a copied device is refused once the other has signed in', async () => {
  const device = await equip();
  const { page, devtools, authenticatorId } = device;
  const [credential] = await credentialsOf(device);
  if (!credential) throw new Error('no credential');
  for (const count of [5, 3]) {
    await signOut(page);
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    const copy = { ...credential, signCount: count };
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: copy });
    await pressPasskey(page);
    if (count === 5) await page.waitForURL('**/dashboard/forms');
  }
  await refusal(page, t.cloned);
  const entries = await instance.context.store.audit.list(instance.owner.teamId, {
    ...{ before: null, limit: 5, actorId: null, action: 'passkey.cloned' },
  });
  expect(entries).toHaveLength(1);
});

test('a passkey used at another origin of the host is refused', async () => {
  const at = addressOf(elsewhere);
  const user = await makeAccount(elsewhere, elsewhere.owner);
  const { page } = await openDevice();
  await signInByPassword(page, user.email, at);
  await addOn(page, 'Laptop', at);
  await refusal(page, t.refused);
  expect(await elsewhere.context.store.passkeys.list(user.id)).toEqual([]);
});

test('a removed passkey is refused, though the device still offers it', async () => {
  const { page } = await equip();
  await page.getByRole('link', { name: t.removeOf('Laptop') }).click();
  await page.getByRole('button', { name: t.use }).click();
  await page.getByRole('status').filter({ hasText: t.done.removed }).waitFor();
  await page.getByText(t.count(0)).waitFor();
  await signOut(page);
  await pressPasskey(page);
  await refusal(page, t.unknown);
});

test('two devices of a user each have their passkey, and then the password goes', async () => {
  const laptop = await equip();
  const phone = await openDevice({ isMobile: true, viewport: { width: 390, height: 800 } });
  await signInByPassword(phone.page, laptop.user.email);
  await addOn(phone.page, 'Phone');
  await phone.page.getByRole('status').filter({ hasText: t.done.added }).waitFor();
  expect(await phone.page.getByRole('textbox', { name: t.nameOf('Laptop') }).count()).toBe(1);
  expect(await phone.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);

  await laptop.page.goto(`${url}/dashboard/account`);
  await laptop.page.getByRole('link', { name: t.removePassword }).click();
  await laptop.page.getByRole('button', { name: t.use }).click();
  await laptop.page.getByRole('status').filter({ hasText: 'Password removed.' }).waitFor();
  await laptop.page.getByRole('heading', { name: t.setPassword }).waitFor();
  for (const { page } of [laptop, phone]) {
    await page.context().clearCookies();
    await page.goto(`${url}/dashboard/sign-in`);
    await pressPasskey(page);
    await page.waitForURL('**/dashboard/forms');
  }
  const { email } = laptop.user;
  await phone.page.context().clearCookies();
  await phone.page.goto(`${url}/dashboard/sign-in`);
  await phone.page.getByLabel('Email address').fill(email);
  await phone.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await phone.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await refusal(phone.page, 'Wrong email or password.');
});

test('a device that has a passkey already, one without any, and none at all are told so', async () => {
  const { page } = await equip();
  await addOn(page, 'Again');
  await refusal(page, t.known);
  const other = await openDevice();
  await other.page.goto(`${url}/dashboard/sign-in`);
  await other.devtools.send('WebAuthn.setUserVerified', {
    ...{ authenticatorId: other.authenticatorId, isUserVerified: false },
  });
  await pressPasskey(other.page);
  await refusal(other.page, t.canceled);
  const bare = await (await browser.newContext()).newPage();
  await bare.addInitScript('delete window.PublicKeyCredential');
  await bare.goto(`${url}/dashboard/sign-in`);
  await refusal(bare, t.unsupported);
});

test('without script, pages say that passkeys need it, and the password works', async () => {
  const user = await makeAccount(instance, instance.owner);
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${url}/dashboard/sign-in`);
  const note = () => page.locator('noscript').filter({ visible: true }).last().textContent();
  expect(await note()).toBe(t.needsScript);
  expect(await page.getByRole('button', { name: t.signIn }).count()).toBe(0);
  await signInByPassword(page, user.email);
  await page.goto(`${url}/dashboard/account/passkeys`);
  expect(await note()).toBe(t.needsScript);
  expect(await page.getByRole('button', { name: t.add }).count()).toBe(0);
});

test.each(['en-GB', 'de-DE'])('axe finds nothing in the pages: %s', async (locale) => {
  const { default: axe } = await import('axe-core');
  const { page, user } = await equip({ viewport: { width: 360, height: 700 } });
  if (locale === 'de-DE') await instance.context.store.users.update(user.id, { language: 'de' });
  const look = async (path: string) => {
    await page.goto(`${url}${path}`);
    await page.evaluate(axe.source);
    const found = await page.evaluate<Array<{ id: string; nodes: Array<{ html: string }> }>>(
      'axe.run().then(({ violations }) => violations)',
    );
    const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    const said = found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    expect([path, said, over]).toEqual([path, [], 0]);
  };
  const account = '/dashboard/account';
  const [passkey] = await instance.context.store.passkeys.list(user.id);
  for (const path of ['', '/passkeys', `/passkeys/${passkey?.id}/remove`, '/password/remove'])
    await look(account + path);
  await page.context().clearCookies();
  await look('/dashboard/sign-in');
});
