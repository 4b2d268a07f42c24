import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { createInvitation } from '../../src/services/users/accounts.ts';
import { makeAccount } from '../fast/dashboard/signed-in.ts';
import { ownAddress, startOnFreePort } from '../support/free-port.ts';
import { startInstance } from '../support/instance.ts';
import { startProvider } from '../support/oidc.ts';
import { startBrowser } from './chromium.ts';

const loggedOut = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('signed out at the proxy') });

const [{ instance, provider, url }, browser] = await Promise.all([
  startOnFreePort(async (port) => {
    const own = ownAddress(port);
    const provider = await startProvider([`${own.BASE_URL}/dashboard/oidc/callback`]);
    const proxy = { AUTH_HEADER: 'Remote-Email', TRUSTED_PROXIES: '127.0.0.1' };
    const env = { ...provider.env, ...own, ...proxy, AUTH_SIGN_OUT_URL: `http://127.0.0.1:${loggedOut.port}/logout` };
    return { instance: await startInstance({ env }), provider, url: own.BASE_URL ?? '' };
  }),
  startBrowser(),
]);
afterEach(browser.closePages);
afterAll(async () => {
  await browser.close();
  await instance.stop();
  await provider.stop();
  await loggedOut.stop(true);
});

const signOut = { name: 'Sign out', exact: true };

describe.each([
  ['with script', true],
  ['without script', false],
])('%s', (name, javaScriptEnabled) => {
  test('an invited person creates an account by the provider, signs out, and signs in again to the requested page', async () => {
    const email = `${name.replace(' ', '-')}@oidc.example`;
    provider.setPerson({ sub: email, email, email_verified: true, name: 'Grace Hopper' });
    const to = { teamId: instance.owner.teamId, role: 'editor', email: null, createdBy: null } as const;
    const { token } = await createInvitation(instance.context, to);
    const viewport = { width: 390, height: 844 };
    const page = await (await browser.newContext({ javaScriptEnabled, viewport })).newPage();
    await page.goto(`${url}/dashboard/welcome/${token}`);
    await page.getByRole('link', { name: 'Sign in with Test login' }).click();
    await page.waitForURL('**/dashboard/forms');
    expect(await page.locator('header .person .name').textContent()).toBe('Grace Hopper');

    await page.locator('header .person > summary').click();
    await page.getByRole('button', signOut).click();
    await page.getByRole('status').filter({ hasText: 'You have been signed out.' }).waitFor();
    const atProvider = page.getByRole('link', { name: 'Sign out of Test login too' });
    expect(await atProvider.getAttribute('href')).toStartWith(`${provider.issuer}/session/end`);

    await page.goto(`${url}/dashboard/account`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByRole('link', { name: 'Sign in with Test login' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/account');
    await page.getByRole('heading', { name: 'Sign-in by a provider' }).waitFor();
  });
});

test('a sign-out behind a proxy opens the page of the proxy', async () => {
  const { email } = await makeAccount(instance, instance.owner);
  const page = await (await browser.newContext({ extraHTTPHeaders: { 'Remote-Email': email } })).newPage();
  await page.goto(`${url}/dashboard/account`);
  await page.locator('header .person > summary').click();
  await page.getByRole('button', signOut).click();
  await page.waitForURL(`http://127.0.0.1:${loggedOut.port}/logout`);
  expect(await page.textContent('body')).toBe('signed out at the proxy');
});
