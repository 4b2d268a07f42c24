import { afterAll, describe, expect, test } from 'bun:test';
import type { FormSettings } from '../../../src/domain/forms/form.ts';
import { EN } from '../../../src/visitor/i18n/en.ts';
import { startInstance } from '../../support/instance.ts';
import { URLENCODED } from './helpers.ts';

const instance = await startInstance({
  env: { PLANS: '{"small":{"api_access":true,"submissions_limit":1}}' },
  clock: () => Date.UTC(2026, 10, 21, 12) * 1_000,
});
afterAll(instance.stop);

const NAVIGATION = { Accept: 'text/html,*/*;q=0.8', 'Content-Type': URLENCODED };
const IMAGE = new TextEncoder().encode('\x89PNG\r\n\x1a\n and some pixels');

const makeForm = (settings: Partial<FormSettings & { name: string }>) => instance.makeForm(instance.owner, settings);
const { store } = instance.context;

async function pageOf(id: string, body = 'a=1', headers: Record<string, string> = {}) {
  const answer = await instance.post(id, body, { ...NAVIGATION, ...headers });
  return { status: answer.status, policy: answer.headers.get('content-security-policy'), text: await answer.text() };
}

/** Returns the path of the logo in a page. */
const logoIn = (page: string) => /<img src="([^"]+)" alt=""\/>/.exec(page)?.[1] ?? null;

describe('the name on visitor pages', () => {
  test('is the public one, and the internal name is never shown', async () => {
    const form = await makeForm({ name: 'Internal 7', publicName: 'Harps <b>& Strings' });
    for (const body of ['a=1', '']) {
      const { text } = await pageOf(form.id, body);
      expect(text).toContain('<bdi>Harps &lt;b&gt;&amp; Strings</bdi>');
      expect(text).not.toContain('Internal 7');
    }
    const unnamed = await makeForm({ name: 'Internal 7' });
    expect((await pageOf(unnamed.id)).text).not.toContain('Internal 7');
  });
});

describe('the accent color', () => {
  test('is in a style that the policy allows by its hash', async () => {
    const { text, policy } = await pageOf((await makeForm({ accentColor: '#d6336c' })).id);
    const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => style ?? '');
    expect(styles[1]).toContain('--brand: #d6336c; --on-brand: #ffffff;');
    for (const style of styles) {
      expect(policy).toContain(`'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`);
    }
    expect(policy).not.toContain('unsafe');
  });

  test.each(['red', '#fff', '#12345g', '#123456;}</style><script>alert(1)</script>', 'url(//evil.example)', ''])(
    'is ignored if it is %j',
    async (accentColor) => {
      const { text } = await pageOf((await makeForm({ accentColor })).id);
      expect(text.match(/<style>/g)?.length).toBe(1);
      expect(text).not.toMatch(/evil|<script/);
    },
  );
});

describe('the logo', () => {
  test('is an image with an address of its own, which browsers may keep', async () => {
    const form = await makeForm({});
    expect(logoIn((await pageOf(form.id)).text)).toBeNull();
    await store.forms.setLogo(form.id, { type: 'image/png', image: IMAGE });
    const { text, policy } = await pageOf(form.id);
    expect(policy).toContain("img-src 'self'");
    const path = logoIn(text) ?? '';
    const logo = await fetch(instance.url + path);
    expect(new Uint8Array(await logo.arrayBuffer())).toEqual(IMAGE);
    expect(Object.fromEntries(logo.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*; sandbox$/),
    });
    await store.forms.setLogo(form.id, { type: 'image/webp', image: new Uint8Array([1, 2]) });
    const next = logoIn((await pageOf(form.id)).text);
    expect(next).not.toBe(path);
    expect((await fetch(instance.url + path)).status).toBe(404);
  });

  test.each(['image/svg+xml', 'text/html'])('of the type %s is never served', async (type) => {
    const form = await makeForm({});
    await store.forms.setLogo(form.id, { type: 'image/png', image: IMAGE });
    const path = logoIn((await pageOf(form.id)).text) ?? '';
    await store.forms.setLogo(form.id, { type: type as 'image/png', image: IMAGE });
    expect(logoIn((await pageOf(form.id)).text)).toBeNull();
    expect((await fetch(instance.url + path)).status).toBe(404);
  });
});

describe('a form that accepts nothing', () => {
  const closedMessage = 'Registration has ended.\n<i>See you</i> in June!';

  test('that is paused shows what to do, or the text of its owner', async () => {
    const [plain, own] = [await makeForm({}), await makeForm({ closedMessage })];
    for (const { id } of [plain, own]) await store.forms.update(id, { isActive: false });
    const page = await pageOf(plain.id);
    expect([page.status, page.text]).toEqual([403, expect.stringContaining(`<p>${EN.later}</p>`)]);
    const { text } = await pageOf(own.id);
    expect(text).toContain('<p lang="" dir="auto">Registration has ended.\n&lt;i&gt;See you&lt;/i&gt; in June!</p>');
    expect(text).not.toContain(EN.refusals.paused);
    const answer = (await (await instance.post(own.id, { a: '1' })).json()) as object;
    expect(answer).toEqual({ success: false, message: closedMessage, code: 'form_paused' });
  });

  test('because the plan is used up says when it opens again, or shows the text of its owner', async () => {
    const owner = await instance.makeOwner('small');
    await instance.post(owner.form.id, { a: '1' });
    const { status, text } = await pageOf(owner.form.id);
    expect([status, text]).toEqual([429, expect.stringContaining('It opens again on Dec 1, 2026.')]);
    const german = await pageOf(owner.form.id, 'a=1', { 'Accept-Language': 'de' });
    expect(german.text).toContain('Ab dem 1. Dez. 2026 ist es wieder geöffnet.');
    await store.forms.update(owner.form.id, { closedMessage });
    expect((await pageOf(owner.form.id)).text).toContain('Registration has ended.');
  });

  test('for another reason does not show the text of its owner', async () => {
    const form = await makeForm({ closedMessage });
    expect((await pageOf(form.id, '')).text).not.toContain('Registration');
  });
});

test('success, failure and a closed form have different pictures', async () => {
  const paused = await makeForm({});
  await store.forms.update(paused.id, { isActive: false });
  const { id } = instance.owner.form;
  const pages = [await pageOf(id), await pageOf(id, ''), await pageOf(paused.id)];
  expect(pages.map(({ text }) => /<svg class="state (\w+)"/.exec(text)?.[1])).toEqual(['done', 'failed', 'closed']);
});

test('a refusal page names the way back that keeps the entries', async () => {
  expect((await pageOf(instance.owner.form.id, '')).text).toContain(EN.keep);
});

test('a page with all of the branding is under 15 KB', async () => {
  const form = await makeForm({
    publicName: 'ش'.repeat(200),
    accentColor: '#ffd43b',
    successMessage: 'x'.repeat(2_000),
  });
  await store.forms.setLogo(form.id, { type: 'image/png', image: IMAGE });
  expect(Buffer.byteLength((await pageOf(form.id)).text)).toBeLessThan(15_000);
});
