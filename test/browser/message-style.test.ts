import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { openStage } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const FIELDS = '<label>Email <input name="email"></label><button>Send</button>';
const RULES = { enforcesRules: true, fields: [{ name: 'email', label: 'Email', type: 'email', required: true }] };

const form = await stage.instance.makeForm(stage.instance.owner, RULES);

/** Sends the form of a page with this value, and returns the status as displayed. */
async function styleAfter(page: Page, email: string, kind: 'success' | 'error') {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button').click();
  await page.locator(`[data-formstead-status=${kind}]`).waitFor();
  return page.evaluate<Record<string, string>>(`(() => {
    const status = getComputedStyle(document.querySelector('[data-formstead-status]'));
    const body = getComputedStyle(document.body);
    const { borderInlineStartColor, borderInlineStartWidth, color, fontFamily } = status;
    const isInherited = String(color === body.color && fontFamily === body.fontFamily);
    const shadow = getComputedStyle(document.querySelector('[name=email]')).boxShadow;
    return { edge: borderInlineStartColor, width: borderInlineStartWidth, isInherited, shadow };
  })()`);
}

const open = (attributes = '', before = '', csp = '') =>
  stage.open(before + stage.scripted(FIELDS, { form, attributes }), csp === '' ? {} : { csp });

const GREEN = 'rgb(47, 158, 102)';
const RED = 'rgb(229, 72, 77)';

describe('the messages of the drop-in script', () => {
  test('tell success from failure and keep font and color of the page', async () => {
    const page = await open('', '<style>body { font-family: serif; background: #102040; color: #ffe }</style>');
    expect(await styleAfter(page, 'ada', 'error')).toMatchObject({ edge: RED, width: '4px', isInherited: 'true' });
    expect((await styleAfter(page, 'ada', 'error')).shadow).toContain(RED);
    const after = await styleAfter(page, 'ada@example.com', 'success');
    expect(after).toEqual({ edge: GREEN, width: '4px', isInherited: 'true', shadow: 'none' });
  });

  test('are styled under a strict Content-Security-Policy', async () => {
    const { url } = stage.instance;
    const csp = `default-src 'none'; script-src ${url}; connect-src ${url}; form-action ${url}`;
    expect(await styleAfter(await open('', '', csp), 'ada', 'error')).toMatchObject({ edge: RED });
  });

  test('are unstyled with an attribute', async () => {
    const { width, shadow } = await styleAfter(await open('data-unstyled'), 'ada', 'error');
    expect([width, shadow]).toEqual(['0px', 'none']);
  });

  test('give way to any rule of the page that names an element', async () => {
    const page = await open('', '<style>p { border-inline-start: 1px solid blue }</style>');
    expect((await styleAfter(page, 'ada', 'error')).edge).toBe('rgb(0, 0, 255)');
  });
});
