import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { FormField } from '../../src/domain/fields/field-type.ts';
import type { ChallengeInput } from '../../src/domain/forms/challenge.ts';
import type { FormSettings } from '../../src/domain/forms/form.ts';
import { openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const { instance } = stage;

const field = (name: string, type: string, more: Partial<FormField> = {}): FormField => {
  return { name, label: name, type, required: false, ...more };
};
const OPTIONS = { options: ['One', 'Two'] };
const FIELDS = [
  field('Name', 'text', { required: true }),
  field('Email', 'email', { required: true }),
  field('Phone', 'phone'),
  field('Choice', 'select', OPTIONS),
  field('Time', 'radio', OPTIONS),
  field('Topics', 'checkboxes', OPTIONS),
  field('Rating', 'rating', { required: true }),
  field('Message', 'textarea'),
  field('Photo', 'file'),
  field('Consent', 'consent', { required: true }),
  field('source', 'hidden'),
];
const ALTCHA: ChallengeInput = { kind: 'altcha', secret: null, verifyUrl: null };

async function host(settings: Partial<FormSettings> = {}, challenge?: ChallengeInput) {
  const owner = await instance.makeOwner();
  const all = { hasHostedPage: true, enforcesRules: true, fields: FIELDS, ...settings };
  const form = await instance.makeForm(owner, all, challenge);
  return {
    form,
    url: `${instance.url}/f/${form.shortId}`,
    stored: async () => (await instance.stored(owner, form)).map(({ data }) => data),
  };
}

async function fill(page: Pick<Page, 'getByLabel' | 'getByRole'>) {
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Choice').selectOption('Two');
  await page.getByLabel('4').check();
  await page.getByLabel('Two').last().check();
  await page.getByLabel('Consent').check();
}

const send = (page: Pick<Page, 'getByRole'>) => page.getByRole('button', { name: 'Send' }).click();
const thanks = (page: Pick<Page, 'getByRole'>) => page.getByRole('heading', { name: 'Thank you' }).waitFor();

const STORED = {
  Name: 'Ada',
  Email: 'ada@example.com',
  Phone: '',
  Choice: 'Two',
  Topics: 'Two',
  Rating: '4',
  Message: '',
  Consent: 'yes',
  source: 'mail',
};

/** Opens a page and collects what the browser reports, such as violations of the policy. */
async function open(url: string, options = {}) {
  const page = await (await stage.newContext(options)).newPage();
  const reports: string[] = [];
  page.on('console', (message) => reports.push(message.text()));
  await page.goto(url);
  return { page, reports };
}

describe('a hosted form', () => {
  test.each([true, false])('is filled in and sent, with script: %j', async (javaScriptEnabled) => {
    const { url, stored } = await host();
    const { page, reports } = await open(`${url}?source=mail`, { javaScriptEnabled });
    await fill(page);
    await send(page);
    await thanks(page);
    expect(await stored()).toEqual([STORED]);
    await page.getByRole('link', { name: 'Back to the page' }).click();
    await page.waitForURL(`${url}?source=mail`);
    expect(reports).toEqual([]);
  });

  test('can be sent by keyboard alone', async () => {
    const { url, stored } = await host({ fields: [field('Name', 'text'), field('Rating', 'rating')] });
    const { page } = await open(url);
    for (const key of ['Tab', 'A', 'Tab', 'Space', 'ArrowRight', 'Tab', 'Enter']) await page.keyboard.press(key);
    await thanks(page);
    expect(await stored()).toEqual([{ Name: 'A', Rating: '2' }]);
  });

  test('keeps the entries after a refusal and moves the focus to the first error', async () => {
    const { url, stored } = await host();
    const { page } = await open(url, { javaScriptEnabled: false });
    // The browser accepts this address, the server does not.
    await fill(page);
    await page.getByLabel('Email').fill('ada@localhost..example');
    await page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''));
    await send(page);
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Email').evaluate((input) => input.matches(':focus'))).toBe(true);
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
    expect(await page.getByLabel('Choice').inputValue()).toBe('Two');
    expect(await page.getByLabel('4').isChecked()).toBe(true);
    await page.getByLabel('Email').fill('ada@example.com');
    await send(page);
    await thanks(page);
    expect((await stored()).map(({ Name, Email }) => [Name, Email])).toEqual([['Ada', 'ada@example.com']]);
  });

  test('with the ALTCHA challenge solves it by itself', async () => {
    const { url, stored } = await host({}, ALTCHA);
    const { page, reports } = await open(`${url}?source=mail`);
    await fill(page);
    await send(page);
    await thanks(page);
    expect(await stored()).toEqual([STORED]);
    expect(reports).toEqual([]);
  });

  test('works in a frame of an allowed page and is blocked in others', async () => {
    const frame = (url: string) => stage.open(`<iframe src="${url}" width="600" height="900"></iframe>`);
    const allowed = await host({ allowedOrigins: [stage.origin] });
    const inside = (await frame(`${allowed.url}?source=mail`)).frameLocator('iframe');
    await fill(inside);
    await send(inside);
    await thanks(inside);
    expect(await allowed.stored()).toEqual([STORED]);
    const other = await host({ allowedOrigins: ['https://other.example'] });
    const page = await frame(other.url);
    await page.waitForLoadState();
    expect(await page.frameLocator('iframe').getByLabel('Name').count()).toBe(0);
  });
});

type Finding = Readonly<{ id: string; nodes: ReadonlyArray<Readonly<{ html: string }>> }>;

/** Returns the findings of axe in both color schemes, and a note if the page is wider than a small phone. */
async function faultsOf(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate<Finding[]>('axe.run().then(({ violations }) => violations)');
    faults.push(...found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${name} ${colorScheme}: ${id}: ${html}`)));
  }
  await page.setViewportSize({ width: 320, height: 600 });
  const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  return isWide ? [...faults, `${name}: wider than 320 px`] : faults;
}

test('axe finds nothing in any visitor page, with any accent color, and none is wider than 320 px', async () => {
  const faults: string[] = [];
  const look = async (name: string, url: string, visit: (page: Page) => Promise<unknown> = async () => {}) => {
    const { page } = await open(url, { bypassCSP: true });
    await visit(page);
    await page.evaluate(axe.source);
    faults.push(...(await faultsOf(page, name)));
    await page.context().close();
  };
  const submit = (page: Page) =>
    Promise.all([page.waitForEvent('load'), page.evaluate('HTMLFormElement.prototype.submit.call(document.forms[0])')]);
  for (const accentColor of ['#ffffff', '#000000', '#ffd43b', null]) {
    const { url } = await host({ accentColor, publicName: 'A name without spaces '.replaceAll(' ', '') });
    await look(`hosted ${accentColor}`, url);
    await look(`errors ${accentColor}`, url, submit);
    const optional = await host({ accentColor, enforcesRules: false });
    await look(`thanks ${accentColor}`, optional.url, async (page) => {
      await fill(page);
      await submit(page);
    });
  }
  await look('address', stage.action());
  await look('not found', `${instance.url}/f/nothere2`);
  const paused = await host();
  await instance.context.store.forms.update(paused.form.id, { isActive: false });
  await look('paused', paused.url);
  const listed = await host({ hasHostedPage: false });
  const plain = await stage.open(`<form action="${stage.action(listed.form)}" method="post"></form>`);
  await look('refusal', plain.url(), submit);
  expect(faults).toEqual([]);
});
