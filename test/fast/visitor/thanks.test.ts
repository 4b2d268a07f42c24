import { afterAll, describe, expect, test } from 'bun:test';
import type { FormSettings } from '../../../src/domain/forms/form.ts';
import { DE } from '../../../src/visitor/i18n/de.ts';
import { startInstance } from '../../support/instance.ts';
import { URLENCODED } from './helpers.ts';

const instance = await startInstance();
afterAll(instance.stop);

const makeForm = (settings: Partial<FormSettings>) => instance.makeForm(instance.owner, settings);

describe("a form's own thanks text", () => {
  const own = { thanksTitle: 'Hurrah & <b>', successMessage: 'First line\nSecond <i>line</i>' };
  const asPage = { Accept: 'text/html', 'Content-Type': URLENCODED, 'Accept-Language': 'de' };

  test('replaces the default text on the page, as plain text with its line breaks', async () => {
    const form = await makeForm(own);
    const answer = await instance.post(form.id, 'a=1', asPage);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain('<title>Hurrah &amp; &lt;b&gt;</title>');
    expect(page).toMatch(/<h1[^>]*>Hurrah &amp; &lt;b&gt;<\/h1>/);
    expect(page).toMatch(/<p[^>]*>First line\nSecond &lt;i&gt;line&lt;\/i&gt;<\/p>/);
    expect(page).not.toContain(DE.thanks.text);
  });

  test('is sent to scripts unchanged', async () => {
    const form = await makeForm(own);
    const answer = await instance.post(form.id, { a: '1' }, { 'Accept-Language': 'de' });
    expect((await answer.json()) as object).toEqual({ success: true, message: own.successMessage });
  });

  test('with a title only keeps the message in the language of the visitor', async () => {
    const form = await makeForm({ thanksTitle: 'Hurrah' });
    const answer = await instance.post(form.id, { a: '1' }, { 'Accept-Language': 'de' });
    expect((await answer.json()) as object).toEqual({ success: true, message: DE.thanks.message });
  });

  test('is replaced by a redirect, and sent with it to scripts', async () => {
    const redirectUrl = 'https://example.com/thanks';
    const form = await makeForm({ ...own, redirectUrl });
    const answer = await instance.post(form.id, 'a=1', asPage);
    expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([303, redirectUrl, '']);
    const script = await instance.post(form.id, { a: '1' }, { Accept: 'application/json' });
    const told = { success: true, message: own.successMessage, redirect_url: redirectUrl };
    expect((await script.json()) as object).toEqual(told);
  });

  test('is not shown with a refusal', async () => {
    const form = await makeForm(own);
    const page = await (await instance.post(form.id, '', asPage)).text();
    expect(page).not.toContain('Hurrah');
  });
});
