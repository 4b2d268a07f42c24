import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { getSnippets } from '../../src/dashboard/forms/connect/snippets.ts';
import { CONNECT_TEXTS } from '../../src/dashboard/forms/connect/texts.ts';
import { validateField } from '../../src/domain/fields/field-rules.ts';
import type { FormField } from '../../src/domain/fields/field-type.ts';
import { shownFields } from '../../src/domain/forms/consent.ts';
import type { FormSettings } from '../../src/domain/forms/form.ts';
import { componentPage } from './component-bundle.ts';
import { astroPage } from './components.ts';
import { openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance } = stage;

const field = (name: string, label: string, type: string, more: Partial<FormField> = {}): FormField => {
  return { name, label, type, required: true, ...more };
};

const ODD = `{a} <b> "c" & 'd'`;
const FIELDS = [
  field('color', 'Color', 'select', { options: ['Red', ODD, 'Light  blue'] }),
  field('size', 'Size', 'radio', { options: ['S', ODD] }),
  field('extras', 'Extras', 'checkboxes', { options: ['Gift wrap', ODD] }),
  field('stars', 'Stars', 'rating', { max: 7 }),
  field('call', 'Phone', 'phone'),
  field('terms', 'I agree', 'consent'),
  field('campaign', '', 'hidden', { required: false }),
  field('message', 'Message', 'textarea', { max_length: 20 }),
];

const KINDS = ['html', 'fetch', 'react', 'vue', 'svelte', 'astro'] as const;
type Kind = (typeof KINDS)[number];

const PAGE_OF: Readonly<Record<Kind, (code: string) => string | Promise<string>>> = {
  html: (code) => code,
  fetch: (code) => code,
  react: (code) => componentPage('React', code),
  vue: (code) => componentPage('Vue', code),
  svelte: (code) => componentPage('Svelte', code),
  astro: astroPage,
};

/** Opens a snippet of a form that enforces its rules. */
async function opened(kind: Kind, settings: Partial<FormSettings> = {}) {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, { fields: FIELDS, enforcesRules: true, ...settings });
  const code = getSnippets(form, form.id, instance.url, CONNECT_TEXTS.en.words)[kind];
  const page = await stage.open(await PAGE_OF[kind](code));
  const payloads = async () => (await instance.stored(owner, form)).map(({ data }) => data);
  return { page, payloads };
}

async function fillIn(page: Page) {
  await page.getByLabel('Color').selectOption('Light  blue');
  await page.getByRole('group', { name: 'Size' }).getByLabel(ODD).check();
  await page.getByRole('group', { name: 'Extras' }).getByLabel(ODD).check();
  await page.getByRole('group', { name: 'Stars' }).getByLabel('6').check();
  await page.getByLabel('Phone').fill('+46 70 123 45 67');
  await page.getByLabel('I agree').check();
  await page.getByLabel('Message').fill('Hello');
}

describe.each(KINDS)('the snippet for %s', (kind) => {
  test('has a labeled control for each type, and submits what the rules accept', async () => {
    const { page, payloads } = await opened(kind);
    await fillIn(page);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').filter({ hasText: 'Thank you' }).waitFor();
    expect(await payloads()).toEqual([
      {
        color: 'Light  blue',
        size: ODD,
        extras: [ODD],
        stars: '6',
        call: '+46 70 123 45 67',
        terms: 'yes',
        campaign: '',
        message: 'Hello',
      },
    ]);
  });

  test('leads what may be spam to the page with the spam check, with the entries', async () => {
    const { page, payloads } = await opened(kind, { maybeSpamAction: 'challenge' });
    // The script gets no signed time, so that the forged one is sent.
    await page.route('**/stamp', (route) => route.abort());
    const forged = '<input type="hidden" name="_stamp" value="1.abc">';
    await fillIn(page);
    await page.locator('form').evaluate((form, input) => form.insertAdjacentHTML('beforeend', input), forged);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    expect(await payloads()).toEqual([]);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await payloads()).toMatchObject([{ color: 'Light  blue', extras: [ODD], message: 'Hello' }]);
  });

  test('asks for each required value before it submits', async () => {
    const { page, payloads } = await opened(kind);
    await page.getByRole('button', { name: 'Send' }).click();
    const missing = await page
      .locator(':is(input, select, textarea):invalid')
      .evaluateAll((controls) => [...new Set(controls.map((control) => control.getAttribute('name')))]);
    expect(missing).toEqual(['color', 'size', 'stars', 'call', 'terms', 'message']);
    expect(await payloads()).toEqual([]);
  });
});

test.each(KINDS)('the snippet for %s asks for the consent text, and says that it is missing', async (kind) => {
  const owner = await instance.makeOwner();
  const consentText = `I agree to ${ODD}`;
  const fields = [field('email', 'Email', 'email'), field('terms', 'Terms', 'consent')];
  const form = await instance.makeForm(owner, { fields, consentText, enforcesRules: true });
  const shown = { ...form, fields: shownFields(form) };
  const code = getSnippets(shown, form.id, instance.url, CONNECT_TEXTS.en.words)[kind];
  const page = await stage.open(await PAGE_OF[kind](code));
  await page.getByLabel('Email').fill('a@x.example');
  await page.locator('form').evaluate((element) => element.setAttribute('novalidate', ''));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Check this box to continue.').waitFor();
  expect(await instance.stored(owner, form)).toEqual([]);
  await page.getByLabel(consentText).check();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').filter({ hasText: 'Thank you' }).waitFor();
  expect(await instance.stored(owner, form)).toMatchObject([{ consent: { text: consentText } }]);
});

test('an error of the server appears at a group of checkboxes', async () => {
  const { page } = await opened('react');
  await fillIn(page);
  await page.getByRole('group', { name: 'Extras' }).getByLabel(ODD).uncheck();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('group', { name: 'Extras' }).getByText('This field is required.').waitFor();
});

test('the browser and the server accept the same phone numbers', async () => {
  const { page } = await opened('html');
  const texts = [
    ...[
      '12345',
      '1234',
      '+46 70 123 45 67',
      '(020) 7946-0018',
      '٠٣٠١٢٣٤٥٦',
      '０３－１２３４',
      '\u202a+46\u00a070 12\u202c',
    ],
    ...['call me', '1'.repeat(21), '1'.repeat(20), '+49 (0)30/12.34', '12345 x', '+', '1-2-3-4-5', '12345)'],
  ];
  const phone = FIELDS.find(({ name }) => name === 'call') as FormField;
  for (const text of texts) {
    await page.getByLabel('Phone').fill(text);
    const isValid = (await page.locator('[name=call]:valid').count()) === 1;
    expect([text, isValid]).toEqual([text, validateField(phone, text, false) === null]);
  }
});
