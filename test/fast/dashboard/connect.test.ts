import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { getSnippets } from '../../../src/dashboard/forms/connect/snippets.ts';
import { CONNECT_TEXTS } from '../../../src/dashboard/forms/connect/texts.ts';
import type { FormField } from '../../../src/domain/fields/field-type.ts';
import { FIELD_TYPES } from '../../../src/domain/fields/field-types.ts';
import { CHALLENGE_KINDS } from '../../../src/domain/forms/challenge.ts';
import type { Form } from '../../../src/domain/forms/form.ts';
import { getPeriod } from '../../../src/domain/usage.ts';
import { namedBlock } from '../../support/documents.ts';
import { startAtBaseUrl } from '../../support/free-port.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { signIn } from './signed-in.ts';

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'forms@example.com' } });
});
afterAll(() => instance.stop());

const INJECTION = `"><script>alert(1)</script>`;

const field = (name: string, label: string, type: string, required = true): FormField => {
  return { name, label, type, required };
};
const EMAIL = field('email', 'Email', 'email');
const MESSAGE = field('message', 'Message', 'textarea');

const WORDS = CONNECT_TEXTS.en.words;

describe('snippets match the examples of the manual', () => {
  const BARE = { allowedFileTypes: [], challenge: null, challengeVerifyUrl: null };
  const of = (form: Partial<Form> & Pick<Form, 'fields'>) =>
    getSnippets({ ...BARE, ...form }, 'FORM_ID', 'http://127.0.0.1:3000', WORDS);
  const SNIPPETS: Record<string, string> = {
    plain: of({ fields: [field('name', 'Name', 'text'), EMAIL, MESSAGE] }).html,
    upload: of({ fields: [EMAIL, field('documents', 'Documents', 'file')] }).html,
    fetch: of({ fields: [EMAIL, MESSAGE] }).fetch,
    react: of({ fields: [EMAIL, MESSAGE] }).react,
    vue: of({ fields: [EMAIL, MESSAGE] }).vue,
    svelte: of({ fields: [EMAIL, MESSAGE] }).svelte,
    astro: of({ fields: [EMAIL, MESSAGE] }).astro,
    altcha: of({ fields: [MESSAGE], challenge: 'altcha' }).html,
  };
  test.each(Object.keys(SNIPPETS))('%s', (name) => {
    expect(`${SNIPPETS[name]}\n`).toBe(namedBlock(name));
  });
});

test('each snippet but the command has the hidden field for robots, help texts and placeholders', () => {
  const fields = [
    { ...MESSAGE, help: 'At most <ten> lines', placeholder: 'Your "question"' },
    { ...field('size', 'Size', 'radio'), options: ['S', 'L'], help: 'Of the harp' },
  ];
  const form = { fields, allowedFileTypes: [], challenge: null, challengeVerifyUrl: null };
  const { curl, challengeScript, ...snippets } = getSnippets(form, 'FORM_ID', 'http://127.0.0.1:3000', WORDS);
  expect([Object.keys(snippets).length, curl.includes('_gotcha'), challengeScript]).toEqual([13, false, null]);
  for (const snippet of Object.values(snippets)) {
    expect(snippet.match(/<p hidden>.* name="_gotcha"/g)).toHaveLength(1);
    expect(snippet).toMatch(/<small>.*ten.*<\/small>/);
    expect(snippet).not.toContain('<ten>');
    expect(snippet).toContain('Of the harp</small>');
    expect(snippet).toMatch(/placeholder=.*question/);
  }
});

test.each([...FIELD_TYPES.map(({ name }) => name), 'constructor'])('snippets have a control of the type %s', (type) => {
  const form = { allowedFileTypes: [], challenge: null, challengeVerifyUrl: null };
  const fields = [{ ...field('the-field', 'Label', type), options: ['One'] }];
  const { html, react, curl } = getSnippets({ ...form, fields }, 'FORM_ID', 'http://localhost', CONNECT_TEXTS.en.words);
  expect(html).toMatch(
    /<(?:input|select|textarea)[^>]* name="the-field(?:\[\])?"|<(?:select|textarea) name="the-field"/,
  );
  expect(react).toMatch(/fieldProps\('the-field(?:\[\])?'\)/);
  expect(curl).toContain('the-field');
  expect(html).not.toContain('function');
});

/** Signs in an owner, on the connect page of a new form. */
async function connecting(settings: Parameters<Instance['makeForm']>[1] = {}, ...more: [] | [Challenge]) {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, settings, ...more);
  const me = await signIn(instance, owner);
  const path = `/dashboard/forms/${form.id}/connect`;
  return { owner, form, me, path, page: () => me.page(path) };
}

type Challenge = NonNullable<Parameters<Instance['makeForm']>[2]>;

const unescaped = (markup: string) =>
  markup
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');

/** Returns the code of a snippet on the page. */
function codeOn(page: string, name: string): string {
  const [, code] = new RegExp(`<pre id="code-${name}"[^>]*>(.*?)</pre>`, 's').exec(page) ?? [];
  return unescaped(code?.replace(/<[^>]*>/g, '') ?? `no ${name}`);
}

describe('the connect page', () => {
  test('shows the address of the form as the browser reached the instance', async () => {
    const { page, form } = await connecting();
    const shown = await page();
    const address = `${instance.url}/v1/forms/${form.shortId}/submissions`;
    expect(codeOn(shown, 'address')).toBe(address);
    for (const name of ['html', 'fetch', 'react', 'vue', 'svelte', 'curl']) {
      expect(codeOn(shown, name)).toContain(address);
    }
    expect(codeOn(shown, 'astro')).toContain(`formId = '${form.shortId}', instance = '${instance.url}'`);
  });

  test('shows the address of BASE_URL if set', async () => {
    const elsewhere = await startAtBaseUrl();
    const { port } = new URL(elsewhere.url);
    try {
      const me = await signIn({ ...elsewhere, url: `http://127.0.0.1:${port}` }, elsewhere.owner);
      const { id, shortId } = elsewhere.owner.form;
      const page = await me.page(`/dashboard/forms/${id}/connect`);
      expect(codeOn(page, 'address')).toBe(`http://localhost:${port}/v1/forms/${shortId}/submissions`);
    } finally {
      await elsewhere.stop();
    }
  });

  test("has inputs for the form's fields, with their rules", async () => {
    const { page } = await connecting({
      fields: [
        { ...field('plz', 'Post code', 'text'), max_length: 5, pattern: '\\d{5}' },
        field('consent', 'I agree', 'checkbox'),
        field('cv', '', 'file', false),
      ],
      allowedFileTypes: ['image/*', 'application/pdf'],
    });
    const shown = await page();
    for (const name of ['html', 'fetch']) {
      expect(codeOn(shown, name)).toContain('<input name="plz" maxlength="5" pattern="\\d{5}" required>');
      expect(codeOn(shown, name)).toContain('<input type="checkbox" name="consent" value="yes" required> I agree');
      expect(codeOn(shown, name)).toContain(
        'cv <input type="file" name="cv" multiple accept="image/*,application/pdf">',
      );
      expect(codeOn(shown, name)).toContain('enctype="multipart/form-data"');
    }
    expect(codeOn(shown, 'astro')).toContain('pattern="\\d&#123;5&#125;"');
    expect(codeOn(shown, 'react')).toContain(`id="plz" {...fieldProps('plz')} maxLength="5" pattern="\\d{5}" required`);
    expect(codeOn(shown, 'vue')).toContain(`id="plz" v-bind="fieldProps('plz')" maxlength="5" pattern="\\d{5}"`);
    expect(codeOn(shown, 'svelte')).toContain('maxlength="5" pattern="\\d&#123;5&#125;" required');
  });

  test('has the widget of the challenge and its script', async () => {
    const WIDGETS: ReadonlyArray<readonly [Challenge, string, string]> = [
      [{ kind: 'altcha', secret: null, verifyUrl: null }, '<altcha-widget auto="onsubmit"', '/altcha.js'],
      [{ kind: 'turnstile', secret: 'x', verifyUrl: null }, 'class="cf-turnstile"', 'challenges.cloudflare.com'],
      [{ kind: 'hcaptcha', secret: 'x', verifyUrl: null }, 'class="h-captcha"', 'js.hcaptcha.com'],
      [{ kind: 'recaptcha', secret: 'x', verifyUrl: null }, 'class="g-recaptcha"', 'www.google.com/recaptcha'],
      [
        { kind: 'cap', secret: 'x', verifyUrl: 'https://cap.example.com/KEY/siteverify' },
        'data-cap-api-endpoint="https://cap.example.com/KEY/"',
        'cap-widget',
      ],
      [
        { kind: 'custom', secret: 'x', verifyUrl: 'https://example.com/siteverify' },
        'name="captcha-response"',
        'The script of your service',
      ],
    ];
    expect(WIDGETS.map(([challenge]) => challenge?.kind).sort()).toEqual([...CHALLENGE_KINDS].sort());
    for (const [challenge, element, script] of WIDGETS) {
      const { page } = await connecting({}, challenge);
      const shown = await page();
      for (const name of ['html', 'fetch', 'astro', 'vue', 'svelte']) expect(codeOn(shown, name)).toContain(element);
      for (const name of ['html', 'fetch', 'astro', 'challenge-script']) {
        expect(codeOn(shown, name)).toContain(script);
      }
      expect(codeOn(shown, 'react')).toContain(element.replace('class=', 'className='));
      expect(shown).toContain('curl can’t solve the captcha');
    }
    const { page } = await connecting();
    expect(await page()).not.toContain('curl can’t solve');
  });

  test('escapes names and labels on the page and in the snippets', async () => {
    const evil = `'{alert(1)}\\${INJECTION}`;
    const { page } = await connecting({ name: INJECTION, fields: [field(evil, evil, 'text')] });
    const shown = await page();
    expect(shown).not.toContain('<script>alert');
    const names = ['html', 'fetch', 'react', 'vue', 'svelte', 'astro'];
    for (const name of names) expect(codeOn(shown, name)).not.toContain('<script>alert');
    for (const name of names.slice(2)) expect(codeOn(shown, name)).toContain('&#123;alert(1)&#125;');
    for (const name of names.slice(2, -1)) {
      expect(codeOn(shown, name)).toContain(
        `fieldProps('\\'\\u007balert(1)\\u007d\\\\\\u0022\\u003e\\u003cscript\\u003ealert(1)\\u003c/script\\u003e')`,
      );
    }
  });

  test('renders for a field name with a lone surrogate', async () => {
    const { page } = await connecting({ fields: [field('\ud800', '', 'text')] });
    expect(codeOn(await page(), 'curl')).toContain("--data-urlencode '%EF%BF%BD=");
  });
});

describe('a test submission', () => {
  const mailsOf = async (submissionId: string) => {
    const mails = await instance.context.store.mails.list({ state: null, limit: 100 });
    return mails.filter((mail) => mail.submissionId === submissionId).map(({ kind }) => kind);
  };
  const usedBy = ({ teamId }: Owner) => {
    const { store, clock } = instance.context;
    return store.usage.count(teamId, getPeriod(clock()).start);
  };

  test('is stored, counted, notified and shown', async () => {
    const { owner, form, me, path } = await connecting({ notify: ['ada@example.com'], autoReplyText: 'Thanks.' });
    const answer = await me.post(`${path}/test`);
    const [stored, ...others] = await instance.stored(owner, form);
    expect(others).toEqual([]);
    expect(stored?.data).toEqual({
      name: 'Ada Lovelace',
      email: me.user.email,
      message: 'This is a test, sent from the dashboard.',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?test=${stored?.id}#test`]);
    expect(await mailsOf(stored?.id ?? '')).toEqual(expect.arrayContaining(['notification', 'auto_reply']));
    expect(await usedBy(owner)).toBe(1);
    const page = await me.page(answer.headers.get('location') ?? '');
    expect(page).toContain('Test submission received.');
    expect(page).toContain(`href="/dashboard/submissions/${stored?.id}"`);
  });

  test('matches the fields, including files, and needs no challenge', async () => {
    const fields = [{ ...field('code', '', 'text'), pattern: '[a-z]{9}' }, field('cv', '', 'file')];
    const challenge = { kind: 'altcha', secret: null, verifyUrl: null } as const;
    for (const allowedFileTypes of [[], ['application/pdf'], ['image/*'], ['video/mp4']]) {
      const settings = { fields, enforcesRules: true, allowedFileTypes };
      const { owner, form, me, path } = await connecting(settings, challenge);
      expect((await me.post(`${path}/test`)).headers.get('location')).toContain('?test=sub_');
      const answer = await instance.api('GET', `/v1/forms/${form.id}/submissions`, { key: owner.readKey });
      const { data } = (await answer.json()) as {
        data: { items: Array<{ file_metadata: { files?: unknown[] } | null }> };
      };
      const types = { '': 'text/plain', 'application/pdf': 'application/pdf', 'image/*': 'image/png' };
      const type = Object.entries(types).find(([allowed]) => allowed === allowedFileTypes.join())?.[1];
      expect(data.items[0]?.file_metadata?.files ?? []).toMatchObject(
        type ? [{ field: 'cv', content_type: type }] : [],
      );
    }
  });

  test('reports that it was marked as spam', async () => {
    const { me, path } = await connecting({ blockedWords: ['from the dashboard'] });
    const answer = await me.post(`${path}/test`);
    expect(await me.page(answer.headers.get('location') ?? '')).toContain('and marked as spam');
  });

  test('is rejected if the form is paused or the plan is used up', async () => {
    const { owner, form, me, path } = await connecting();
    await instance.context.store.forms.update(form.id, { isActive: false });
    const paused = await me.post(`${path}/test`);
    expect(paused.status).toBe(403);
    expect(await paused.text()).toContain(
      'Could not send the test: the form is paused. Turn on “Accept submissions” in its settings.',
    );
    await instance.context.store.forms.update(form.id, { isActive: true });
    await instance.context.store.teams.update(owner.teamId, { plan: 'free' });
    await Promise.all(Array.from({ length: 100 }, () => me.post(`${path}/test`)));
    const full = await me.post(`${path}/test`);
    expect(full.status).toBe(429);
    expect(await full.text()).toContain('submissions for this month are used up');
    expect(await usedBy(owner)).toBe(100);
  });

  test("does not show another form's submission", async () => {
    const { owner, form, me, path } = await connecting();
    await instance.post(owner.form.id, { message: 'other' });
    const [other] = await instance.stored(owner);
    expect(await me.page(`${path}?test=${other?.id}`)).not.toContain('Test submission received.');
    await instance.post(form.id, { message: 'own' });
    const [own] = await instance.stored(owner, form);
    expect(await me.page(`${path}?test=${own?.id}`)).toContain('Test submission received.');
  });
});

test("another team's form is not found", async () => {
  const { owner, form, path } = await connecting();
  const stranger = await signIn(instance, await instance.makeOwner());
  expect((await stranger.get(path)).status).toBe(404);
  expect((await stranger.post(`${path}/test`)).status).toBe(404);
  expect(await instance.stored(owner, form)).toEqual([]);
});
