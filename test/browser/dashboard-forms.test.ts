import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { EN } from '../../src/dashboard/i18n/en/index.ts';
import { FORM_TEMPLATES, TEMPLATE_NAMES } from '../../src/domain/form-templates.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import type { Owner } from '../support/instance.ts';
import { astroPage, reactPage } from './components.ts';
import { openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance } = stage;

/** The dashboard of an owner, a new one if none is given, in a browser that they are signed in to. */
async function dashboard(
  path: (owner: Owner) => string,
  options: Readonly<{ javaScriptEnabled?: boolean }> = {},
  known?: Owner,
) {
  const owner = known ?? (await instance.makeOwner());
  const { cookie } = await signIn(instance, owner);
  const context = await stage.newContext(options);
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: instance.url }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(instance.url + path(owner));
  return { owner, page, complaints };
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

/** Returns the section of the settings with this title. */
const part = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

const fieldNames = (page: Page) =>
  part(page, 'Fields')
    .getByLabel('Field name')
    .evaluateAll((inputs) => inputs.map((input) => ('value' in input ? String(input.value) : '')));

const currentForm = async ({ teamId }: Owner) => (await instance.context.store.listForms(teamId)).at(-1);

describe.each([
  ['with script', true],
  ['without script', false],
])('%s', (_, javaScriptEnabled) => {
  test.each([...TEMPLATE_NAMES])('a form is created from "%s", and its snippet submits', async (template) => {
    const { owner, page, complaints } = await dashboard(() => '/dashboard/forms', { javaScriptEnabled });
    await page.getByRole('link', { name: 'Create form' }).click();
    await page.getByLabel('Form name').fill('Made here');
    await page.getByLabel(EN.templates.titles[template]).check();
    await press(page, 'Create form');
    await page.getByRole('heading', { name: 'Made here' }).waitFor();
    const form = await currentForm(owner);
    expect(form?.fields.map(({ name }) => name)).toEqual(FORM_TEMPLATES[template].map(({ name }) => name));
    const snippet = await page.locator('#code-html').textContent();
    expect(complaints).toEqual([]);

    const site = await stage.open(snippet ?? '', { javaScriptEnabled });
    const fields = form?.fields.length ? form.fields : [{ name: 'name', type: 'text' }];
    for (const { name, type } of fields) {
      const control = site.locator(`[name="${name}"]`);
      const file = { name: 'cv.txt', mimeType: 'text/plain', buffer: Buffer.from('CV') };
      if (type === 'file') await control.setInputFiles(file);
      else if (type === 'checkbox') await control.check();
      else await control.fill(type === 'email' ? 'ada@example.com' : '5');
    }
    if (form?.fields.length === 0) {
      await site.getByLabel('Email').fill('ada@example.com');
      await site.getByLabel('Message').fill('Hello');
    }
    await site.getByRole('button', { name: 'Send' }).click();
    await site.getByText('Thank you').first().waitFor();
    const stored = form ? await instance.stored(owner, form) : [];
    expect(stored).toHaveLength(1);
    for (const { name, type } of fields) {
      if (type !== 'file') expect(Object.keys(stored[0]?.data ?? {})).toContain(name);
    }
  });

  test('fields are added, moved, removed and saved', async () => {
    const { owner, page, complaints } = await dashboard((own) => `/dashboard/forms/${own.form.id}/settings`, {
      javaScriptEnabled,
    });
    for (const [index, name] of ['first', 'second', 'third'].entries()) {
      await press(page, 'Add field');
      const row = part(page, 'Fields').getByRole('group', { name: `Field ${index + 1}`, exact: true });
      await row.getByLabel('Label').fill(`The ${name}`);
      await row.getByLabel('Field name').fill(name);
    }
    await part(page, 'Fields').getByLabel('Required').nth(2).check();
    await press(page, 'Move up: Field 3');
    await page.getByRole('button', { name: 'Move up: The third' }).waitFor();
    expect(await fieldNames(page)).toEqual(['first', 'third', 'second']);
    await press(page, 'Move down: The first');
    await page.locator('#name-0[value="third"]').waitFor();
    await press(page, 'Remove: The second');
    await page.locator('#name-2').waitFor({ state: 'detached' });
    expect(await fieldNames(page)).toEqual(['third', 'first']);
    await part(page, 'Fields').getByText('Unsaved changes.').waitFor();
    expect((await currentForm(owner))?.fields).toEqual([]);
    await page.locator('#name-0').press('Enter');
    await part(page, 'Fields').getByText('Saved.', { exact: true }).waitFor();
    expect((await currentForm(owner))?.fields).toMatchObject([
      { name: 'third', label: 'The third', required: true },
      { name: 'first', label: 'The first', required: false },
    ]);
    expect(complaints).toEqual([]);
  });

  test('settings are saved by section, and only the inputs of the chosen challenge are shown', async () => {
    const { owner, page, complaints } = await dashboard((own) => `/dashboard/forms/${own.form.id}/settings`, {
      javaScriptEnabled,
    });
    await part(page, 'Notifications').getByLabel('Recipients').fill('ada@example.com\nbob@example.com');
    await part(page, 'Notifications').getByLabel('Frequency').selectOption('daily');
    await part(page, 'Notifications').getByRole('button', { name: 'Save' }).last().click();
    await part(page, 'Notifications').getByText('Saved.', { exact: true }).waitFor();
    const spam = part(page, 'Spam');
    const isAsked = async () => [
      await spam.getByLabel('Secret').isVisible(),
      await spam.getByLabel('Verify URL').isVisible(),
    ];
    expect(await isAsked()).toEqual([false, false]);
    await spam.getByLabel('Challenge').selectOption('turnstile');
    expect(await isAsked()).toEqual([true, false]);
    await spam.getByLabel('Challenge').selectOption('cap');
    expect(await isAsked()).toEqual([true, true]);
    await spam.getByRole('button', { name: 'Save' }).last().click();
    await spam.getByText('Enter the secret of your account with this service.').waitFor();
    await spam.getByText('Enter a full http or https address').waitFor();
    expect(await spam.getByLabel('Challenge').inputValue()).toBe('cap');
    expect(await currentForm(owner)).toMatchObject({
      notify: ['ada@example.com', 'bob@example.com'],
      digest: 'daily',
      challenge: null,
    });
    // The browser itself notes the status of the refused post.
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  test('a test submission is received', async () => {
    const { owner, page, complaints } = await dashboard((own) => `/dashboard/forms/${own.form.id}/connect`, {
      javaScriptEnabled,
    });
    await press(page, 'Send test submission');
    await page.getByText('Test submission received.').waitFor();
    const [stored, ...others] = await instance.stored(owner);
    expect(others).toEqual([]);
    expect(await page.getByRole('link', { name: 'View submission' }).getAttribute('href')).toBe(
      `/dashboard/submissions/${stored?.id}`,
    );
    await page.goto(`${instance.url}/dashboard/forms`);
    await page.getByText('1 unread').waitFor();
    await page.getByRole('img', { name: '1 in the last 30 days' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('workspaces are created and renamed', async () => {
    const { page } = await dashboard(() => '/dashboard/forms', { javaScriptEnabled });
    await page.getByText('New workspace').click();
    await page.getByLabel('Workspace name').last().fill('Customer');
    await press(page, 'Create workspace');
    await page.getByRole('heading', { name: 'Customer' }).waitFor();
    const region = page.getByRole('region', { name: 'Customer' });
    await region.getByText('Rename').click();
    await region.getByLabel('Workspace name').fill('Client');
    await region.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Client' }).waitFor();
  });
});

describe('the script of the settings page', () => {
  test('changes fields without losing other input, and keeps the focus on the moved field', async () => {
    const { page } = await dashboard((own) => `/dashboard/forms/${own.form.id}/settings`);
    await part(page, 'Automatic reply').getByLabel('Subject').fill('Typed before');
    await press(page, 'Add field');
    await page.locator('#label-0:focus').waitFor();
    await page.locator('#label-0').fill('One');
    await press(page, 'Add field');
    await page.locator('#label-1:focus').waitFor();
    await press(page, 'Move up: Field 2');
    await page.locator('#down-0:focus').waitFor();
    expect(await page.locator('#label-1').inputValue()).toBe('One');
    expect(await part(page, 'Automatic reply').getByLabel('Subject').inputValue()).toBe('Typed before');
  });

  test('ignores input while the fields are being replaced', async () => {
    const { page } = await dashboard((own) => `/dashboard/forms/${own.form.id}/settings`);
    let asked = 0;
    const pressed = Promise.withResolvers<void>();
    await page.route('**/settings/fields', async (route) => {
      asked++;
      await pressed.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Add field' }).dblclick();
    pressed.resolve();
    await page.locator('#label-0:focus').waitFor();
    expect(asked).toBe(1);
  });

  test('asks before unsaved input of another section is lost', async () => {
    const { page } = await dashboard((own) => `/dashboard/forms/${own.form.id}/settings`);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return dialog.accept();
    });
    await part(page, 'General').getByLabel('Name').fill('Renamed');
    await part(page, 'General').getByRole('button', { name: 'Save' }).last().click();
    await part(page, 'General').getByText('Saved.', { exact: true }).waitFor();
    expect(asked).toEqual([]);
    await part(page, 'Automatic reply').getByLabel('Subject').fill('Typed');
    // "Saved." is on the page already.
    await Promise.all([
      page.waitForEvent('dialog'),
      page.waitForEvent('load'),
      part(page, 'General').getByRole('button', { name: 'Save' }).last().click(),
    ]);
    await part(page, 'General').getByText('Saved.', { exact: true }).waitFor();
    expect(asked).toEqual(['beforeunload']);
  });
});

test('the address of a form is copied', async () => {
  const { owner, page } = await dashboard((own) => `/dashboard/forms/${own.form.id}/connect`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: instance.url });
  const copy = page.getByRole('region', { name: 'Form URL' }).getByRole('button');
  await copy.click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await copy.click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `${instance.url}/v1/forms/${owner.form.shortId}/submissions`,
  );
  await copy.filter({ hasText: /^Copy$/ }).waitFor();
});

/** What stands in a page that uses a snippet; `script` is that of a challenge. */
const PAGE_OF: Readonly<Record<string, (code: string, script: string) => string | Promise<string>>> = {
  html: (code) => code,
  fetch: (code) => code,
  react: async (code, script) => (await reactPage(code)) + script,
  astro: (code) => astroPage(code),
};

describe.each(Object.entries(PAGE_OF))('the snippet "%s"', (name, pageOf) => {
  const MESSAGE = { name: 'a', label: '{"<b>', type: 'textarea', required: true };

  test.each([
    ['posts', null],
    ['solves the challenge and posts', { kind: 'altcha', secret: null, verifyUrl: null } as const],
  ])('%s', async (_, challenge) => {
    const owner = await instance.makeOwner();
    const odd = { ...MESSAGE, name: `it's "odd" & {so}` };
    // Of that name the form has a property, which a control hides.
    const action = { ...MESSAGE, name: 'action', label: 'First' };
    const settings = { fields: [action, odd], enforcesRules: true };
    const form = await instance.makeForm(owner, settings, ...(challenge ? [challenge] : []));
    const { page } = await dashboard(() => `/dashboard/forms/${form.id}/connect`, {}, owner);
    const code = async (of: string) => (await page.locator(`#code-${of}`).textContent()) ?? '';
    const site = await stage.open(await pageOf(await code(name), challenge ? await code('react-script') : ''));
    if (challenge) await site.locator('altcha-widget [data-state]').first().waitFor();
    await site.getByLabel('First').fill('Hello');
    await site.getByLabel('{"<b>').fill('there');
    await site.getByRole('button', { name: 'Send' }).click();
    await site.getByRole('status').filter({ hasText: 'Thank you' }).waitFor();
    expect((await instance.stored(owner, form)).map(({ data }) => data)).toEqual([
      { action: 'Hello', [odd.name]: 'there' },
    ]);
  });
});
