import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { FormField } from '../../src/domain/fields/field-type.ts';
import { keysOf, openStage, saying } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance, scripted } = stage;

const field = (name: string, type: string, required = true): FormField => ({ name, label: name, type, required });

const RULES = [field('name', 'text'), field('email', 'email'), field('colour', 'text'), field('topics', 'text')];

const FIELDS = `
  <label for="name">Name</label><input id="name" name="name">
  <p id="hint">Only for the answer.</p>
  <label>E-mail <input name="email" aria-describedby="hint"></label>
  <fieldset>
    <legend>Colour</legend>
    <label><input type="radio" name="colour" value="red"> Red</label>
    <label><input type="radio" name="colour" value="blue"> Blue</label>
  </fieldset>
  <label>Topics <select name="topics[]" multiple><option>One</option></select></label>
  <button>Send</button>`;

const REQUIRED = 'This field is required.';

/** Opens a page with a form that only the server validates. */
async function withRules(fields = FIELDS, rules = RULES) {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, { fields: rules, enforcesRules: true });
  const page = await stage.open(scripted(fields, { form, attributes: 'novalidate' }));
  return { page, payloads: async () => (await instance.stored(owner, form)).map(({ data }) => data) };
}

/** Waits for the status to show an error. */
async function refused(page: Page) {
  const status = page.locator('[data-formstead-status=error]');
  await status.waitFor();
  return status;
}

const described = (page: Page, label: string) =>
  page.getByLabel(label).evaluate((control) =>
    (control.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id: string) => control.ownerDocument.getElementById(id)?.textContent)
      .join(' | '),
  );

const invalid = (page: Page) => page.locator('[aria-invalid=true]').count();

const hasFocus = (page: Page, label: string) => page.getByLabel(label).evaluate((one) => one.matches(':focus'));

describe('a refusal that names fields', () => {
  test('is announced at once, and each field describes its error', async () => {
    const { page, payloads } = await withRules();
    await page.getByLabel('E-mail').fill('ada');
    await page.getByRole('button').click();
    const status = await refused(page);
    expect(await status.getAttribute('aria-live')).toBe('assertive');
    expect(await status.textContent()).toMatch(/./);
    expect(await described(page, 'Name')).toBe(REQUIRED);
    expect(await described(page, 'E-mail')).toBe(
      'Only for the answer. | Enter an email address, such as name@example.com.',
    );
    expect(await payloads()).toEqual([]);
  });

  test('keeps the accessible names and shows the text next to the control', async () => {
    const { page } = await withRules();
    const named = page.getByRole('textbox', { name: 'E-mail', exact: true });
    await page.getByRole('button').click();
    await refused(page);
    expect(await named.count()).toBe(1);
    expect(await page.locator('form').ariaSnapshot()).toMatchInlineSnapshot(`
      "- text: Name
      - textbox "Name" [invalid]
      - text: This field is required.
      - paragraph: Only for the answer.
      - text: E-mail
      - textbox "E-mail" [invalid]
      - text: This field is required.
      - group "Colour":
        - text: Colour
        - radio "Red"
        - text: Red
        - radio "Blue"
        - text: Blue This field is required.
      - text: Topics
      - listbox "Topics" [invalid]:
        - option "One"
      - text: This field is required.
      - button "Send"
      - status: The form is empty. Fill in at least one field."
    `);
  });

  test('moves the focus to the first invalid field of the page', async () => {
    const { page } = await withRules(FIELDS, [field('email', 'email'), field('name', 'text')]);
    await page.getByRole('button').click();
    await refused(page);
    expect(await hasFocus(page, 'Name')).toBe(true);
  });

  test('supports fields with several controls and names that end in []', async () => {
    const { page } = await withRules();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByRole('button').click();
    await refused(page);
    expect(await described(page, 'Red')).toBe(REQUIRED);
    expect(await described(page, 'Blue')).toBe(REQUIRED);
    expect(await described(page, 'Topics')).toBe(REQUIRED);
    expect(await invalid(page)).toBe(3);
    expect(await page.locator('.formstead-error').count()).toBe(2);
    expect(await hasFocus(page, 'Red')).toBe(true);
  });

  test('is removed from a field when the field is edited, and from no other', async () => {
    const { page } = await withRules();
    await page.getByRole('button').click();
    await refused(page);
    await page.getByLabel('E-mail').fill('a');
    expect(await page.getByLabel('E-mail').getAttribute('aria-invalid')).toBeNull();
    expect(await described(page, 'E-mail')).toBe('Only for the answer.');
    await page.getByLabel('Name').fill('a');
    expect(await page.getByLabel('Name').getAttribute('aria-describedby')).toBeNull();
    await page.getByLabel('Blue').check();
    expect(await invalid(page)).toBe(1);
    expect(await described(page, 'Topics')).toBe(REQUIRED);
  });

  test('is removed on the next attempt', async () => {
    const { page, payloads } = await withRules(FIELDS, [field('name', 'text')]);
    await page.getByRole('button').click();
    await refused(page);
    await page.getByLabel('Name').evaluate((input) => {
      // Sets the value like a script, without an event.
      input.setAttribute('value', 'Ada');
    });
    await page.getByRole('button').click();
    await saying(page, 'Thank you').waitFor();
    expect([await invalid(page), await page.locator('.formstead-error').count()]).toEqual([0, 0]);
    expect(await page.getByRole('status').getAttribute('aria-live')).toBe('polite');
    expect(await payloads()).toMatchObject([{ name: 'Ada' }]);
  });

  test('shows errors of invisible fields in the status', async () => {
    const fields = `<input type="hidden" name="email"><p hidden><input name="name"></p>${'<button>Send</button>'}`;
    const rules = [field('email', 'email'), field('name', 'text'), field('elsewhere', 'text')];
    const { page } = await withRules(fields, rules);
    await page.getByRole('button').click();
    const text = await (await refused(page)).textContent();
    for (const { name } of rules) expect(text).toContain(`${name}: ${REQUIRED}`);
    expect(await invalid(page)).toBe(0);
    expect(await page.getByRole('button').evaluate((one) => one.matches(':focus'))).toBe(true);
  });

  test('supports a field named like a property of forms', async () => {
    const { page } = await withRules('<label>Elements <input name="elements"></label><button>Send</button>', [
      field('elements', 'text'),
    ]);
    await page.getByRole('button').click();
    await refused(page);
    expect(await described(page, 'Elements')).toBe(REQUIRED);
  });

  test("is in the page's language", async () => {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, { fields: [field('name', 'text')], enforcesRules: true });
    const page = await stage.open(scripted(FIELDS, { form, attributes: 'lang="de"' }));
    await page.getByRole('button').click();
    await refused(page);
    expect(await described(page, 'Name')).toMatchInlineSnapshot(`"Diese Angabe ist erforderlich."`);
  });

  test('shows messages as text', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const { page } = await withRules('<input name="a" value="1"><button>Send</button>', [field(name, 'text')]);
    await page.getByRole('button').click();
    expect(await (await refused(page)).textContent()).toContain(name);
    expect(await page.locator('img').count()).toBe(0);
  });
});

test('a form can be filled in, corrected and sent with the keyboard alone', async () => {
  const { page, payloads } = await withRules(FIELDS, [field('name', 'text'), field('email', 'email')]);
  const { keyboard } = page;
  await keyboard.press('Tab');
  expect(await hasFocus(page, 'Name')).toBe(true);
  await keyboard.type('Ada');
  await keyboard.press('Tab');
  await keyboard.type('ada');
  await keyboard.press('Enter');
  await refused(page);
  expect(await hasFocus(page, 'E-mail')).toBe(true);
  await keyboard.press('End');
  await keyboard.type('@example.com');
  for (let stops = 0; stops < 3; stops++) await keyboard.press('Tab');
  expect(await page.getByRole('button').evaluate((one) => one.matches(':focus'))).toBe(true);
  await keyboard.press('Enter');
  await saying(page, 'Thank you').waitFor();
  expect(await payloads()).toEqual([{ name: 'Ada', email: 'ada@example.com' }]);
});

test('a refusal of the whole form is shown, and the next attempt has a new key', async () => {
  const owner = await instance.makeOwner();
  const page = await stage.open(scripted('<label>Name <input name="name"></label><button>Send</button>', owner));
  const keys = keysOf(page);
  await instance.context.store.forms.update(owner.form.id, { isActive: false }, owner.teamId);
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button').click();
  expect(await (await refused(page)).textContent()).toMatch(/./);
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
  await instance.context.store.forms.update(owner.form.id, { isActive: true }, owner.teamId);
  await page.getByRole('button').click();
  await saying(page, 'Thank you').waitFor();
  expect(new Set(keys).size).toBe(2);
  expect((await instance.stored(owner)).map(({ data }) => data)).toEqual([{ name: 'Ada' }]);
});
