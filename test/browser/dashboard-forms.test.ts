import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { CATALOG } from '../../src/dashboard/ui/texts.ts';
import { FORM_TEMPLATES, TEMPLATE_NAMES } from '../../src/domain/forms/form-templates.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import type { Owner } from '../support/instance.ts';
import { componentPage } from './component-bundle.ts';
import { astroPage } from './components.ts';
import { openStage } from './stage.ts';

const EN = CATALOG.textsIn('en');

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance } = stage;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

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

const settings = (section: string) => (own: Owner) => `/dashboard/forms/${own.form.id}/settings/${section}`;

const fieldNames = (page: Page) =>
  page
    .getByLabel('Field name')
    .evaluateAll((inputs) => inputs.map((input) => ('value' in input ? String(input.value) : '')));

const currentForm = async ({ teamId }: Owner) => (await instance.context.store.forms.list(teamId)).at(-1);

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
      else if (['consent', 'radio', 'rating'].includes(type)) await control.first().check();
      else await control.fill({ email: 'ada@example.com', phone: '+46 70 123 45 67' }[type] ?? '5');
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
    const { owner, page, complaints } = await dashboard(settings('fields'), { javaScriptEnabled });
    for (const [index, name] of ['first', 'second', 'third'].entries()) {
      await press(page, 'Add field');
      const row = page.getByRole('group', { name: `Field ${index + 1}`, exact: true });
      await row.getByLabel('Label').fill(`The ${name}`);
      await row.getByText('More rules').click();
      await row.getByLabel('Field name').fill(name);
    }
    await page.getByLabel('Required').nth(2).check();
    await press(page, 'Move up: Field 3');
    await page.getByRole('button', { name: 'Move up: The third' }).waitFor();
    expect(await fieldNames(page)).toEqual(['first', 'third', 'second']);
    await page.locator('#row-0').click();
    await press(page, 'Move down: The first');
    await page.locator('#name-0[value="third"]').waitFor({ state: 'attached' });
    await page.locator('#row-2').click();
    await press(page, 'Remove: The second');
    await page.locator('#name-2').waitFor({ state: 'detached' });
    expect(await fieldNames(page)).toEqual(['third', 'first']);
    await page.getByText('Unsaved changes').waitFor();
    expect((await currentForm(owner))?.fields).toEqual([]);
    await page.locator('#row-0').click();
    await page.locator('#label-0').press('Enter');
    await page.getByText('Settings saved.').waitFor();
    expect((await currentForm(owner))?.fields).toMatchObject([
      { name: 'third', label: 'The third', required: true },
      { name: 'first', label: 'The first', required: false },
    ]);
    expect(complaints).toEqual([]);
  });

  test('only the inputs of the chosen challenge are shown, and the first wrong one is focused', async () => {
    const { owner, page, complaints } = await dashboard(settings('spam'), { javaScriptEnabled });
    const isAsked = async () => [
      await page.getByLabel('Secret').isVisible(),
      await page.getByLabel('Verify URL').isVisible(),
    ];
    await page.locator('main summary', { hasText: CATALOG.textsIn('en').more }).click();
    expect(await isAsked()).toEqual([false, false]);
    await page.getByLabel('Captcha', { exact: true }).selectOption('turnstile');
    expect(await isAsked()).toEqual([true, false]);
    await page.getByLabel('Captcha', { exact: true }).selectOption('cap');
    expect(await isAsked()).toEqual([true, true]);
    await press(page, 'Save');
    await page.getByText('Enter the secret of your account with this service.').waitFor();
    await page.getByText('Enter a full http or https address').waitFor();
    await page.locator('#challengeSecret:focus').fill('secret');
    expect(await page.getByLabel('Captcha', { exact: true }).inputValue()).toBe('cap');
    await page.getByLabel('Verify URL').fill('https://cap.example.com/KEY/siteverify');
    await press(page, 'Save');
    await page.getByRole('heading', { name: 'Not turned on yet' }).waitFor();
    expect((await currentForm(owner))?.challenge).toBeNull();
    await press(page, 'Turn on anyway');
    await page.getByText('Settings saved.').waitFor();
    expect((await currentForm(owner))?.challenge).toBe('cap');
    // The browser itself notes the status of the refused post.
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  test('a logo is chosen, kept beside a mistake, and saved', async () => {
    const { owner, page } = await dashboard(settings('appearance'), { javaScriptEnabled });
    await page.getByLabel('Accent color', { exact: true }).fill('green');
    await page.getByLabel('Logo').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG });
    await press(page, 'Save');
    await page.locator('#accentColor:focus').fill('#0b6655');
    await press(page, 'Save');
    await page.getByText('Settings saved.').waitFor();
    expect(await page.getByRole('img', { name: 'Current logo' }).isVisible()).toBe(true);
    const { store } = instance.context;
    expect((await store.forms.findLogo(owner.form.id))?.image.length).toBe(PNG.length);
    await page.getByLabel('Remove logo').check();
    await press(page, 'Save');
    await page.getByRole('img', { name: 'Current logo' }).waitFor({ state: 'detached' });
    expect(await store.forms.findLogo(owner.form.id)).toBeNull();
  });

  test('a test submission is received', async () => {
    const { owner, page, complaints } = await dashboard((own) => `/dashboard/forms/${own.form.id}/connect`, {
      javaScriptEnabled,
    });
    await press(page, 'Send a sample from here');
    await page.getByText('Test submission received.').waitFor();
    const [stored, ...others] = await instance.stored(owner);
    expect(others).toEqual([]);
    expect(await page.locator('#test').getByRole('link', { name: 'View submission' }).getAttribute('href')).toBe(
      `/dashboard/submissions/${stored?.id}`,
    );
    await page.goto(`${instance.url}/dashboard/forms`);
    await page.getByText('1 unread').waitFor();
    await page.getByRole('img', { name: /^Last 30 days: 1 submission and/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('workspaces are created and renamed', async () => {
    const { page } = await dashboard(() => '/dashboard/forms', { javaScriptEnabled });
    await page.getByText('New workspace').click();
    await page.getByLabel('Workspace name').last().fill('Customer');
    await press(page, 'Create workspace');
    await page.getByRole('heading', { name: 'Customer' }).waitFor();
    const region = page.getByRole('region', { name: 'Customer' });
    await region.getByLabel('Actions for workspace “Customer”').click();
    await region.getByLabel('Workspace name').fill('Client');
    await region.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Client' }).waitFor();
    await page.getByLabel('Actions for workspace “Client”').click();
    await press(page, 'Move up');
    await page.getByText('Workspace moved.').waitFor();
    expect(await page.locator('h2').allTextContents()).toEqual(['Client', 'Workspace']);
    await page.getByLabel('Actions for workspace “Client”').click();
    await press(page, 'Delete workspace');
    await page.getByText('Workspace deleted.').waitFor();
    expect(await page.locator('h2').allTextContents()).toEqual(['Workspace']);
  });

  test('a form is moved to the trash, restored by the toast, and deleted from the trash', async () => {
    const { owner, page, complaints } = await dashboard(() => '/dashboard/forms', { javaScriptEnabled });
    await instance.post(owner.form.id, { message: 'kept' });
    const trash = async () => {
      await page.getByLabel('Actions for “Contact”').click();
      await press(page, 'Move to trash');
      await page.getByRole('heading', { name: 'Move “Contact” to trash?' }).waitFor();
      await press(page, 'Move to trash');
      await page.getByRole('status').filter({ hasText: '“Contact” moved to trash.' }).waitFor();
    };
    await trash();
    expect(await currentForm(owner)).toBeUndefined();
    await press(page, 'Undo');
    await page.getByText('Form restored.').waitFor();
    expect(await instance.stored(owner)).toHaveLength(1);
    await trash();
    await page.getByRole('link', { name: 'Trash (1)' }).click();
    await page.getByText('1 submission').waitFor();
    await page.getByRole('link', { name: 'Delete now' }).click();
    await press(page, 'Delete form');
    await page.getByText('Form deleted.').waitFor();
    await page.getByText('The trash is empty').waitFor();
    expect(await instance.context.store.forms.findStored(owner.form.id)).toBeNull();
    expect(complaints).toEqual([]);
  });

  test('the overview of a form has its chart and the summary of its answers', async () => {
    const fields = [{ name: 'stars', label: 'Stars', type: 'number', required: false }];
    const { owner, page, complaints } = await dashboard(() => '/dashboard/forms', { javaScriptEnabled });
    await instance.context.store.forms.update(owner.form.id, { fields });
    for (const stars of ['2', '5']) await instance.post(owner.form.id, { stars });
    await page.getByRole('link', { name: 'Contact' }).click();
    await page.getByRole('img', { name: 'Chart: 2 submissions and 0 spam in the last 30 days.' }).waitFor();
    await page.getByRole('link', { name: '365 days' }).click();
    await page.getByText('Show as a table').click();
    await page.getByRole('columnheader', { name: 'Days (UTC)' }).waitFor();
    if (!javaScriptEnabled) await page.getByRole('link', { name: 'Summarize the answers' }).click();
    await page.getByRole('heading', { name: 'Stars' }).waitFor();
    await page.getByText('3.5').first().waitFor();
    expect(complaints).toEqual([]);
  });
});

test('the panel of the first submission keeps looking after a refused test', async () => {
  const { owner, page, complaints } = await dashboard((own) => `/dashboard/forms/${own.form.id}/connect`);
  const { store } = instance.context;
  await store.forms.update(owner.form.id, { isActive: false });
  await press(page, 'Send a sample from here');
  await page.getByRole('alert').filter({ hasText: 'the form is paused' }).waitFor();
  await store.forms.update(owner.form.id, { isActive: true });
  await instance.post(owner.form.id, { name: 'Ada' });
  await page.locator('#waiting-title', { hasText: 'It works' }).waitFor();
  // The browser itself notes the status of the refused post.
  expect(complaints.filter((text) => !text.includes('403'))).toEqual([]);
});

describe('the script of the settings', () => {
  test('changes fields without losing other input, and keeps the focus on the moved field', async () => {
    const { page } = await dashboard(settings('fields'));
    await press(page, 'Add field');
    await page.locator('#label-0:focus').waitFor();
    await page.locator('#label-0').fill('One');
    await press(page, 'Add field');
    await page.locator('#label-1:focus').waitFor();
    await press(page, 'Move up: Field 2');
    await page.locator('#down-0:focus').waitFor();
    expect(await page.locator('#label-1').inputValue()).toBe('One');
  });

  test('adds a field by keyboard, and shows it in the preview before it is saved', async () => {
    const { owner, page, complaints } = await dashboard(settings('fields'));
    const preview = page.frameLocator('iframe');
    await page.locator('#add').focus();
    let presses = 0;
    const type = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      presses += keys.length;
    };
    await type('Enter');
    await page.locator('#label-0:focus').waitFor();
    await page.keyboard.type('Größe');
    await preview.getByLabel('Größe').waitFor();
    expect(await preview.locator('.is-edited').count()).toBe(1);
    await type('Enter');
    await page.getByText('Settings saved.').waitFor();
    expect(presses).toBe(2);
    expect((await currentForm(owner))?.fields).toMatchObject([{ name: 'grosse', label: 'Größe', type: 'text' }]);
    expect(complaints).toEqual([]);
  });

  test('moves fields by dragging and by Alt and an arrow, on a phone too', async () => {
    const { owner, page } = await dashboard(settings('fields'));
    const fields = ['a', 'b', 'c'].map((name) => ({ name, label: name, type: 'text', required: name === 'c' }));
    await instance.context.store.forms.update(owner.form.id, { fields });
    await page.reload();
    const labels = () => page.locator('[data-title]').allTextContents();
    await page.locator('.grip').nth(0).dragTo(page.locator('#row-2'));
    await page.locator('#label-2[value="a"]').waitFor({ state: 'attached' });
    expect(await labels()).toEqual(['b', 'c', 'a']);
    await page.locator('#row-1').press('Alt+ArrowUp');
    await page.locator('#label-0[value="c"]').waitFor();
    expect(await labels()).toEqual(['c', 'b', 'a']);
    expect(await page.locator('input[name=required]:checked').getAttribute('value')).toBe('0');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('ignores input while the fields are being replaced', async () => {
    const { page } = await dashboard(settings('fields'));
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

  test('keeps the button to save in view while there are unsaved changes', async () => {
    const { page } = await dashboard(settings('mail'));
    await page.setViewportSize({ width: 390, height: 500 });
    const [save, unsaved] = [
      page.getByRole('button', { name: 'Save', exact: true }),
      page.getByText('Unsaved changes'),
    ];
    const isInView = () =>
      page.evaluate('document.querySelector(".savebar").getBoundingClientRect().bottom <= innerHeight');
    expect([await save.isVisible(), await isInView(), await unsaved.isVisible()]).toEqual([true, false, false]);
    const recipients = page.getByLabel('Recipient 1', { exact: true });
    await recipients.fill('ada@example.com');
    await unsaved.waitFor();
    expect(await isInView()).toBe(true);
    // Back at what is saved, there is nothing to save.
    await recipients.fill('');
    await unsaved.waitFor({ state: 'hidden' });
    await recipients.fill('ada@example.com');
    await save.click();
    await page.getByText('Settings saved.').waitFor();
    expect(await recipients.inputValue()).toBe('ada@example.com');
  });

  test('warns once before unsaved changes are lost, but not when they are discarded or saved', async () => {
    const { owner, page } = await dashboard(settings('general'));
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return dialog.accept();
    });
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    await press(page, 'Save');
    await page.getByText('Settings saved.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Typed');
    await page.getByRole('link', { name: 'Discard' }).click();
    await page.locator('#name[value="Renamed"]').waitFor();
    await page.getByText('Settings saved.').waitFor({ state: 'detached' });
    expect(asked).toEqual([]);
    await page.getByLabel('Public name').fill('Typed');
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByRole('heading', { name: 'Data' }).waitFor();
    expect(asked).toEqual(['beforeunload']);
    expect(await currentForm(owner)).toMatchObject({ name: 'Renamed', publicName: null });
  });

  test('picks a color, and refuses a logo that is too large before it is sent', async () => {
    const { page } = await dashboard(settings('appearance'));
    await page.getByLabel('Pick an accent color').fill('#336699');
    expect(await page.getByLabel('Accent color', { exact: true }).inputValue()).toBe('#336699');
    await page.getByText('Unsaved changes').waitFor();
    const buffer = Buffer.alloc(70_000);
    await page.getByLabel('Logo').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    expect(await page.locator('#logo').evaluate((input) => input.matches(':invalid'))).toBe(true);
  });
});

test('the address of a form is copied', async () => {
  const { owner, page } = await dashboard((own) => `/dashboard/forms/${own.form.id}/connect`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: instance.url });
  const copy = page.getByRole('region', { name: 'Only the address' }).getByRole('button');
  await copy.click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await copy.click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `${instance.url}/v1/forms/${owner.form.shortId}/submissions`,
  );
  await copy.filter({ hasText: /^Copy$/ }).waitFor();
});

test('snippets are tabs, by mouse and keyboard, and are copied without line numbers', async () => {
  const { page, complaints } = await dashboard((own) => `/dashboard/forms/${own.form.id}/connect`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: instance.url });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  await tab('HTML').and(page.locator('[aria-selected=true]')).waitFor();
  await tab('HTML').focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tabpanel', { name: 'JavaScript' }).waitFor();
  await page.keyboard.press('End');
  await tab('curl').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowRight');
  await tab('HTML').and(page.locator(':focus')).waitFor();
  await tab('Next.js').click();
  const panel = page.getByRole('tabpanel', { name: 'Next.js' });
  await panel.getByRole('button', { name: 'Copy' }).click();
  await panel.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  expect(copied).toBe(await page.locator('#code-next').textContent());
  expect(copied).toStartWith("'use client';\n\nimport ");
  await page.reload();
  await panel.waitFor();
  expect(await page.getByRole('tabpanel').count()).toBe(1);
  expect(complaints).toEqual([]);
});

test('without script, snippets are links', async () => {
  const { page } = await dashboard((own) => `/dashboard/forms/${own.form.id}/connect`, { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Jekyll' }).click();
  await page.locator('#code-jekyll').waitFor();
  expect(await page.locator('#code-html').isVisible()).toBe(false);
});

test('on a phone, Copy is never on code, and nothing is wider than the window', async () => {
  const { page } = await dashboard((own) => `/dashboard/forms/${own.form.id}/connect`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.setExtraHTTPHeaders({ 'Accept-Language': 'de' });
  await page.reload();
  for (const name of ['HTML', 'Framer']) {
    await page.getByRole('tab', { name }).click();
    const panel = page.getByRole('tabpanel', { name });
    const copy = await panel.locator('[data-copy]').boundingBox();
    const code = await panel.locator('pre').boundingBox();
    expect((copy?.y ?? 0) + (copy?.height ?? 0)).toBeLessThanOrEqual(code?.y ?? 0);
  }
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

/** What stands in a page that uses a snippet; `script` is that of a challenge. */
const PAGE_OF: Readonly<Record<string, (code: string, script: string) => string | Promise<string>>> = {
  html: (code) => code,
  fetch: (code) => code,
  hugo: (code) => code,
  eleventy: (code) => code,
  jekyll: (code) => code,
  wordpress: (code) => code,
  webflow: (code) => code,
  framer: (code) => code,
  next: async (code, script) => (await componentPage('React', code)) + script,
  react: async (code, script) => (await componentPage('React', code)) + script,
  vue: async (code, script) => (await componentPage('Vue', code)) + script,
  svelte: async (code, script) => (await componentPage('Svelte', code)) + script,
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
    const site = await stage.open(await pageOf(await code(name), challenge ? await code('challenge-script') : ''));
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

test('the list of forms shows a submission that arrives while it is open', async () => {
  const { owner, page } = await dashboard(() => '/dashboard/forms');
  await page.getByText('No submissions yet').waitFor();
  expect((await instance.post(owner.form.id, { message: 'Hello' })).ok).toBe(true);
  await page.getByText('in the last 30 days').waitFor();
  await page.getByText('1 unread').waitFor();
});

test('each line of a snippet is below the one before, and boxes are centered on the first line of their label', async () => {
  const { owner, page } = await dashboard((own) => `/dashboard/forms/${own.form.id}/connect`);
  const tops = await page
    .locator('#code-html .line')
    .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().top));
  expect(tops.length).toBeGreaterThan(5);
  for (const [index, top] of tops.entries()) if (index > 0) expect(top).toBeGreaterThan(tops[index - 1] ?? 0);
  await page.goto(instance.url + settings('spam')(owner));
  const offsets = await page.locator('label.choice:visible').evaluateAll((labels) =>
    labels.map((label) => {
      const box = label.querySelector('input')?.getBoundingClientRect();
      const range = label.ownerDocument.createRange();
      range.selectNodeContents(label.querySelector('b') ?? label);
      const text = range.getClientRects()[0];
      return box && text ? Math.abs(box.top + box.height / 2 - (text.top + text.height / 2)) : Number.NaN;
    }),
  );
  expect(offsets).toHaveLength(3);
  for (const offset of offsets) expect(offset).toBeLessThanOrEqual(1.5);
});

test('recipients are added line by line, and removed by a button', async () => {
  const { owner, page, complaints } = await dashboard(settings('mail'));
  const lines = page.getByRole('textbox', { name: /^Recipient \d+$/ });
  for (const [index, address] of ['ada@example.com', 'bea@example.com', 'cleo@example.com'].entries()) {
    await lines.nth(index).fill(address);
  }
  await press(page, 'Remove 2');
  expect(await lines.evaluateAll((inputs) => inputs.map((input) => ('value' in input ? input.value : '')))).toEqual([
    'ada@example.com',
    'cleo@example.com',
    '',
  ]);
  await press(page, 'Save');
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  expect((await currentForm(owner))?.notify).toEqual(['ada@example.com', 'cleo@example.com']);
  expect(complaints).toEqual([]);
});
