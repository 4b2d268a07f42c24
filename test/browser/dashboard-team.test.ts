import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { TEAM_TEXTS } from '../../src/dashboard/teams/texts.ts';
import { CATALOG } from '../../src/dashboard/ui/texts.ts';
import { ACCOUNT_TEXTS } from '../../src/dashboard/users/account/texts.ts';
import { PASSWORD, type SignedIn, signIn } from '../fast/dashboard/signed-in.ts';
import { type Owner, startInstance } from '../support/instance.ts';
import { startBrowser } from './chromium.ts';

const EN = CATALOG.textsIn('en');

const t = TEAM_TEXTS.en;
const [instance, browser] = await Promise.all([startInstance(), startBrowser()]);
afterEach(browser.closePages);
afterAll(async () => {
  await browser.close();
  await instance.stop();
});

/** A page of a browser profile of its own, in which somebody is signed in. */
async function open(path: string, who: SignedIn | null, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const [name = '', value = ''] = who?.cookie.split('=') ?? [];
  if (who) await context.addCookies([{ name, value, url: instance.url }]);
  const page = await context.newPage();
  await page.goto(instance.url + path);
  return page;
}

async function makeTeam(name: string): Promise<Readonly<{ team: Owner; owner: SignedIn }>> {
  const team = await instance.makeOwner();
  await instance.context.store.teams.update(team.teamId, { name });
  return { team, owner: await signIn(instance, team) };
}

/** Makes an invitation on the page of the team, as its owner would; the link. */
async function inviteOn(page: Page, role: string, email = ''): Promise<string> {
  await page.goto(`${instance.url}/dashboard/team`);
  const form = page.getByRole('region', { name: t.invite });
  await form.getByLabel('Role').selectOption(role.toLowerCase());
  await form.getByLabel(t.email).fill(email);
  await form.getByRole('button', { name: t.create }).click();
  return page.getByLabel(t.link).inputValue();
}

let people = 0;

describe.each([
  ['with script', { javaScriptEnabled: true }],
  ['without script', { javaScriptEnabled: false }],
])('%s', (_, options) => {
  test('an invitation link creates an account with its role', async () => {
    const { team, owner } = await makeTeam('Harps');
    const page = await open('/dashboard/team', owner, options);
    const email = `invited${++people}@example.com`;
    const link = await inviteOn(page, 'Viewer', email);
    const listed = page.getByRole('region', { name: t.invitations });
    await listed.getByText(email).waitFor();
    await page.goto(`${instance.url}/dashboard/team`);
    expect(await page.content()).not.toContain(link);

    const guest = await open(new URL(link).pathname, null, options);
    await guest.getByText('You’re joining the team “Harps”, where you can read submissions.').waitFor();
    expect(await guest.getByLabel(ACCOUNT_TEXTS.en.email).inputValue()).toBe(email);
    await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await guest.getByRole('button', { name: 'Create account' }).click();
    await guest.waitForURL('**/dashboard/forms');
    await guest.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
    expect(await guest.getByRole('link', { name: 'Create form' }).count()).toBe(0);
    expect(await guest.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    await instance.post(team.form.id, { message: 'to be read, not to be changed' });
    await guest.goto(`${instance.url}/dashboard/forms/${team.form.id}/submissions`);
    await guest.getByRole('listitem').getByText('to be read').waitFor();
    expect(await guest.getByRole('main').getByRole('checkbox').count()).toBe(0);
    expect(await guest.getByRole('link', { name: 'Settings' }).count()).toBe(0);

    await page.reload();
    await page.getByRole('region', { name: 'Members' }).getByText(email).waitFor();
    expect(await listed.count()).toBe(0);
  });

  test('a user with an account signs in, joins and switches teams', async () => {
    const { owner } = await makeTeam('Harps');
    const { owner: guest, team: lutes } = await makeTeam('Lutes');
    const link = await inviteOn(await open('/dashboard/team', owner, options), 'Editor');

    const page = await open(new URL(link).pathname, null, options);
    await page.getByRole('link', { name: 'Already have an account?' }).click();
    await page.getByLabel(ACCOUNT_TEXTS.en.email).fill(guest.user.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Join the team “Harps”' }).waitFor();
    await page.getByRole('button', { name: 'Join team' }).click();
    await page.getByRole('status').filter({ hasText: t.done.joined }).waitFor();
    await page.getByText(t.intro('Harps')).waitFor();

    const menu = page.locator('header .team');
    expect(await menu.locator('summary').textContent()).toContain('Harps');
    await menu.locator('summary').click();
    await menu.getByRole('button', { name: 'Lutes' }).click();
    await page.waitForURL('**/dashboard/forms');
    expect(await menu.locator('summary').textContent()).toContain('Lutes');
    expect(await page.getByRole('main').innerHTML()).toContain(lutes.form.id);
    await page.getByText('Team and server', { exact: true }).click();
    await page.getByRole('link', { name: 'API keys' }).waitFor();
  });

  test('a changed role and a removal apply to the next click', async () => {
    const { team, owner } = await makeTeam('Harps');
    const member = await signIn(instance, team, {}, 'editor');
    const theirs = await open('/dashboard/forms', member, options);
    await theirs.getByRole('link', { name: 'Create form' }).waitFor();

    const page = await open('/dashboard/team', owner, options);
    await page.getByLabel(t.roleOf(member.user.email, 'Editor')).click();
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Viewer/ })
      .click();
    await page.getByRole('status').filter({ hasText: t.done.role }).waitFor();

    await theirs.getByRole('link', { name: 'Create form' }).click();
    await theirs.getByText(EN.failure.codes.role_forbids).waitFor();
    await theirs.goto(`${instance.url}/dashboard/forms`);
    expect(await theirs.getByRole('link', { name: 'Create form' }).count()).toBe(0);

    await page.getByLabel(t.roleOf(member.user.email, 'Viewer')).click();
    await page.getByRole('link', { name: `Remove ${member.user.email} from the team` }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('status').filter({ hasText: t.done.removed }).waitFor();
    await theirs.getByRole('link', { name: 'Inbox' }).click();
    await theirs.getByText(EN.failure.noTeam).waitFor();
    await theirs.getByRole('button', { name: 'Sign out' }).click();
    await theirs.getByRole('status').filter({ hasText: 'You have been signed out.' }).waitFor();
  });

  test('the last owner sees why they cannot leave', async () => {
    const { owner } = await makeTeam('Harps');
    const page = await open('/dashboard/team', owner, options);
    await page.getByRole('link', { name: t.leave }).click();
    await page.getByRole('button', { name: t.leave }).click();
    await page.getByRole('alert').filter({ hasText: t.lastOwner }).waitFor();
  });
});

test('a button copies the link', async () => {
  const { owner } = await makeTeam('Harps');
  const page = await open('/dashboard/team', owner);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const link = await inviteOn(page, 'Owner');
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(link);
});

test('the team pages fit a 360 pixel phone and pass axe', async () => {
  for (const locale of ['en-GB', 'de-DE']) {
    const { team, owner } = await makeTeam('A team with a name that is far too long for the header of a phone');
    const other = await instance.makeOwner();
    await instance.context.store.members.add(other.teamId, owner.user.id, 'viewer');
    const member = await signIn(instance, team, {}, 'editor');
    await owner.post('/dashboard/team/invitations', { role: 'editor', email: `guest${++people}@example.com` });
    const phone = { viewport: { width: 360, height: 700 }, isMobile: true, locale };
    const page = await open('/dashboard/team', owner, phone);
    for (const path of ['', `/members/${member.user.id}/remove`, '/leave']) {
      await page.goto(`${instance.url}/dashboard/team${path}`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([locale, path, overflow]).toEqual([locale, path, 0]);
      await page.evaluate(axe.source);
      const found = 'axe.run().then(({ violations }) => violations.map(({ id }) => id))';
      expect(await page.evaluate<string[]>(found)).toEqual([]);
    }
  }
});
