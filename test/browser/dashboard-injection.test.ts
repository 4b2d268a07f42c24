import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { createWebhook } from '../../src/services/webhooks/webhooks.ts';
import { HOSTILE_TEXTS } from '../fast/dashboard/hostile-texts.ts';
import { startWorld } from '../fast/dashboard/world.ts';
import { startBrowser } from './chromium.ts';

const [world, browser] = await Promise.all([startWorld(), startBrowser()]);
let page: Page;

beforeEach(async () => {
  const context = await browser.newContext();
  const [name = '', value = ''] = world.me.cookie.split('=', 2);
  await context.addCookies([{ name, value, url: `${world.instance.url}/dashboard` }]);
  page = await context.newPage();
});
afterEach(browser.closePages);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** What of a page is not ours: it has no handlers, frames or foreign addresses of any kind. */
const FOREIGN = `(() => {
  const all = Array.from(document.querySelectorAll('*'));
  const isForeign = (element) =>
    Array.from(element.attributes).some(
      ({ name, value }) => name.startsWith('on') || name === 'style' || /^\\s*(?:javascript|data:text)/i.test(value),
    ) || /^(?:iframe|object|embed|base|math|marquee|template|style|img|video|audio|x)$/i.test(element.tagName);
  const isOwn = (script) => script.getAttribute('src')?.startsWith('/dashboard/assets/');
  const scripts = all.filter((one) => one.tagName === 'SCRIPT' && !isOwn(one));
  return [...all.filter(isForeign), ...scripts].map((element) => element.outerHTML.slice(0, 200));
})()`;
const SHOWN = `[
  document.body.textContent,
  document.title,
  ...Array.from(document.querySelectorAll('input, textarea'), ({ value }) => value),
].join('\\n')`;

async function looksLiteral(path: string, texts: readonly string[]): Promise<void> {
  await page.goto(world.instance.url + path);
  expect(await page.evaluate<string[]>(FOREIGN)).toEqual([]);
  expect(await page.evaluate('window.evil')).toBeUndefined();
  const shown = await page.evaluate<string>(SHOWN);
  const flat = shown.replace(/\s+/g, ' ');
  for (const text of texts) expect(flat).toContain(text.replace(/\s+/g, ' '));
}

describe('a hostile text is shown as it is', () => {
  test('as name, value, address and name of a file', async () => {
    const { owner, instance } = world;
    for (let at = 0; at < HOSTILE_TEXTS.length; at += 10) {
      const texts = HOSTILE_TEXTS.slice(at, at + 10);
      const body = new FormData();
      for (const text of texts) {
        body.append(text, `value ${text}`);
        body.append(`upload ${text}`, new File(['x'], `${text.replaceAll('/', '∕')}.txt`));
      }
      body.append('email', texts[0] ?? '');
      body.append('name', texts[1] ?? '');
      expect((await instance.post(owner.form.id, body)).status).toBe(200);
      const [kept] =
        (await instance.context.store.submissions.listRecent(owner.form.id, { onlySpam: false, limit: 1 })) ?? [];
      await looksLiteral(`/dashboard/submissions/${kept?.id}`, texts);
      await looksLiteral(`/dashboard/submissions/${kept?.id}/delete`, []);
    }
    await looksLiteral(`/dashboard/forms/${owner.form.id}/submissions`, []);
    await looksLiteral('/dashboard/inbox', []);
  });

  test('as name of a form, of its fields, of a workspace and of a key, and in its settings', async () => {
    const { owner, instance, me } = world;
    for (const [index, text] of HOSTILE_TEXTS.entries()) {
      const name = text.replace(/\s+/g, ' ');
      const form = await instance.makeForm(owner, {
        name,
        fields: [{ name: text, label: text, type: 'text', required: false }],
        thanksTitle: name,
        successMessage: text,
        blockedWords: [text.toLowerCase().slice(0, 100)],
        autoReplySubject: name,
        autoReplyText: text,
      });
      const { webhook } = await createWebhook(instance.context, form.id, 'template', {
        url: 'http://127.0.0.1:1/',
        template: text,
        templateFormat: 'text',
        when: [{ field: text, is_one_of: [text, name] }],
        isActive: false,
      });
      await instance.post(form.id, { [text]: text });
      await me.post('/dashboard/keys', { name, scope: 'read', life: '' });
      if (index % 12 > 0) continue;
      const hook = `/webhooks/${webhook.id}`;
      for (const part of ['', '/settings', '/connect', '/export', '/webhooks', hook, `${hook}/settings`]) {
        await looksLiteral(`/dashboard/forms/${form.id}${part}`, [name]);
      }
    }
    for (const path of ['/dashboard/forms', '/dashboard/keys']) {
      await looksLiteral(
        path,
        HOSTILE_TEXTS.map((text) => text.replace(/\s+/g, ' ')),
      );
    }
  });

  test('as what is searched for, and in any other part of an address', async () => {
    for (const text of HOSTILE_TEXTS) {
      const query = encodeURIComponent(text);
      const path = ['/dashboard/inbox?q=', '/dashboard/keys?done=', '/dashboard/sign-in?to=', '/dashboard/'];
      const chosen = path[HOSTILE_TEXTS.indexOf(text) % path.length] ?? '';
      await looksLiteral(chosen + query, []);
    }
  });

  test('in mails', async () => {
    const { instance, smtp, owner, me } = world;
    for (const text of HOSTILE_TEXTS) {
      await instance.post(owner.form.id, { [text]: text, name: text, email: text, _subject: text });
    }
    const flagged = await instance.context.store.submissions.listRecent(owner.form.id, { onlySpam: true, limit: 100 });
    for (const { id } of flagged ?? []) await me.post(`/dashboard/submissions/${id}/genuine`);
    await instance.context.mail?.outbox.drain();
    const mails = await Promise.all(smtp.mails.map(({ raw }) => PostalMime.parse(raw)));
    // Where no policy holds a script back, as mail programs have none of ours.
    const bare = await (await browser.newContext()).newPage();
    let found = '';
    for (const { html = '' } of mails) {
      await bare.setContent(html);
      expect(await bare.evaluate('window.evil')).toBeUndefined();
      const body = await bare.evaluate<string>('document.body.textContent');
      found += body.replace(/\s+/g, ' ');
    }
    for (const text of HOSTILE_TEXTS) expect(found).toContain(text.replace(/\s+/g, ' '));
  });
});
