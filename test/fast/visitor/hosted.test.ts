import { afterAll, describe, expect, test } from 'bun:test';
import type { FormField } from '../../../src/domain/fields/field-type.ts';
import { FIELD_TYPES } from '../../../src/domain/fields/field-types.ts';
import type { Form, FormSettings } from '../../../src/domain/forms/form.ts';
import { DE } from '../../../src/visitor/i18n/de.ts';
import { EN } from '../../../src/visitor/i18n/en.ts';
import { FIELD_ERRORS } from '../../../src/visitor/i18n/field-errors.ts';
import { startInstance } from '../../support/instance.ts';
import { URLENCODED } from './helpers.ts';

const instance = await startInstance({ env: { PLANS: '{"small":{"api_access":true,"submissions_limit":1}}' } });
afterAll(instance.stop);

const { owner, url } = instance;
const HTML = { Accept: 'text/html,*/*;q=0.8' };

const field = (name: string, type: string, more: Partial<FormField> = {}): FormField => {
  return { name, label: `Label of ${name}`, type, required: false, ...more };
};

const FIELDS = [
  field('name', 'text', { required: true, max_length: 20, pattern: '[A-Z].*' }),
  field('email', 'email', { required: true }),
  field('message', 'textarea'),
  field('source', 'hidden'),
];

const hostForm = (settings: Partial<FormSettings> = {}, challenge?: Parameters<typeof instance.makeForm>[2]) =>
  instance.makeForm(owner, { fields: FIELDS, hasHostedPage: true, enforcesRules: true, ...settings }, challenge);

const open = ({ shortId }: Form, query = '') => fetch(`${url}/f/${shortId}${query}`, { headers: HTML });

function send({ shortId }: Form, body: string, headers: Record<string, string> = {}) {
  return fetch(`${url}/f/${shortId}`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { ...HTML, 'Content-Type': URLENCODED, Origin: url, ...headers },
  });
}

const stored = async (form: Form) => (await instance.stored(owner, form)).map(({ data }) => data);

describe('a hosted form', () => {
  test('needs its required fields even if other pages may post what they like', async () => {
    const consent = field('consent', 'consent', { required: true });
    const form = await hostForm({ fields: [...FIELDS, consent], enforcesRules: false });
    const answer = await send(form, 'name=Ada&email=');
    expect([answer.status, await stored(form)]).toEqual([400, []]);
    const page = await answer.text();
    expect(page).toContain(FIELD_ERRORS.en.required);
    expect(page).toContain(FIELD_ERRORS.en.consent);
    // Other rules stay a matter of the visitor's browser.
    expect((await send(form, 'name=ada&email=ada&consent=yes')).status).toBe(200);
    expect(await stored(form)).toHaveLength(1);
  });

  test('speaks the language of its form, whatever the browser asks for', async () => {
    const form = await hostForm({ language: 'de', maxSubmissions: 1 });
    const english = { 'Accept-Language': 'en' };
    const page = await (await fetch(`${url}/f/${form.shortId}`, { headers: { ...HTML, ...english } })).text();
    expect(page).toContain('<html lang="de">');
    expect(page).toContain(`<button>${DE.hosted.send}</button>`);
    expect(page).not.toContain(EN.hosted.optional);
    const refused = await (await send(form, 'name=Ada&email=', english)).text();
    expect(refused).toContain(DE.refusals.fields);
    expect(refused).toContain(FIELD_ERRORS.de.required);
    expect(await (await send(form, 'name=Ada&email=ada@example.com', english)).text()).toContain(DE.thanks.text);
    expect(await (await send(form, 'name=Ada&email=ada@example.com', english)).text()).toContain(DE.refused);
    const json = { ...english, Accept: 'application/json' };
    const answer = await instance.post(form.id, { name: 'Ada', email: 'no' }, json);
    expect(await answer.text()).toContain(DE.refusals.fields);
  });

  test('has its own intro and button label', async () => {
    const form = await hostForm({ intro: 'From two o’clock.\n<b>Cake</b>', buttonLabel: 'Answer <now>' });
    const page = await (await open(form)).text();
    expect(page).toContain('From two o’clock.\n&lt;b&gt;Cake&lt;/b&gt;</p>');
    expect(page).toContain('<button>Answer &lt;now&gt;</button>');
  });

  test('names the sender above the form, and not the form twice', async () => {
    const brand = async (settings: Parameters<typeof hostForm>[0]) =>
      /<header class="brand">.*?<\/header>/s.exec(await (await open(await hostForm(settings))).text())?.[0];
    expect(await brand({ publicName: 'Join a class', senderName: 'Harps <& Strings' })).toContain(
      '<bdi>Harps &lt;&amp; Strings</bdi>',
    );
    expect(await brand({ publicName: 'Join a class' })).toBeUndefined();
  });

  test('shows two short inputs in a row on one line, others on their own', async () => {
    const help = { help: 'As in your passport' };
    const short = [field('a', 'text'), field('b', 'hidden'), field('c', 'date'), field('d', 'number')];
    const long = [field('e', 'textarea'), field('f', 'text', help), field('g', 'text'), field('h', 'file')];
    const page = await (await open(await hostForm({ fields: [...short, ...long] }))).text();
    const names = [...page.matchAll(/<div class="field narrow".*? name="(\w)"/gs)].map(([, name]) => name);
    expect(names).toEqual(['a', 'c']);
  });

  test('shows headings, help texts and placeholders of its fields', async () => {
    const more = { heading: 'About <you>', help: 'As in your <passport>', placeholder: 'Ada' };
    const form = await hostForm({
      fields: [field('a', 'text', more), field('b', 'consent', { required: true, help: 'See b' })],
    });
    const page = await (await open(form)).text();
    expect(page).toContain('<h2 dir="auto">About &lt;you&gt;</h2>');
    expect(page).toContain('<p class="help" id="field-1-help">As in your &lt;passport&gt;</p>');
    expect(page).toContain('placeholder="Ada"');
    expect(page.match(/aria-describedby="field-\d-help"/g)).toHaveLength(2);
    const refused = await (await send(form, 'a=x')).text();
    expect(refused).toContain('aria-describedby="field-2-help field-2-error"');
  });

  test('is a page at its id and its short id', async () => {
    const form = await hostForm({ publicName: 'Harps & Strings' });
    for (const id of [form.id, form.shortId]) {
      const answer = await fetch(`${url}/f/${id}`, { headers: HTML });
      const page = await answer.text();
      expect(answer.status).toBe(200);
      expect(page).toContain('<title>Harps &amp; Strings</title>');
      expect(page).toContain(`<form action="/f/${form.shortId}" method="post">`);
      expect([answer.headers.get('x-robots-tag'), answer.headers.get('cache-control')]).toEqual([
        'noindex',
        'no-store',
      ]);
      expect(page).not.toContain('<script');
      expect(page.length).toBeLessThan(15_000);
    }
  });

  test.each(['[::1', 'a b', 'evil"><script>.example'])('is a page under the Host "%s"', async (host) => {
    const answer = await fetch(`${url}/f/${(await hostForm()).shortId}`, { headers: { ...HTML, Host: host } });
    expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('evil')]);
  });

  test('has a neutral title without a public name', async () => {
    const page = await (await open(await hostForm({}))).text();
    expect(page).toContain('<title>Form</title>');
    expect(page).not.toContain('Contact');
  });

  const ALTCHA = { kind: 'altcha', secret: null, verifyUrl: null } as const;
  const TURNSTILE = { kind: 'turnstile', secret: 'secret', verifyUrl: null } as const;
  test.each([
    ['is turned off', { hasHostedPage: false }, undefined, 404],
    ['has no fields', { fields: [] }, undefined, 404],
    ['has a challenge with a site key', {}, TURNSTILE, 404],
    ['has the ALTCHA challenge', {}, ALTCHA, 200],
  ])('that %s has the status of its page', async (_, settings, challenge, status) => {
    const form = await hostForm(settings, challenge);
    expect([(await open(form)).status, (await send(form, '')).status]).toEqual([status, status === 404 ? 404 : 400]);
  });

  test('that does not exist answers like one that is turned off', async () => {
    const off = await open(await hostForm({ hasHostedPage: false }));
    const unknown = await fetch(`${url}/f/nothere2`, { headers: HTML });
    expect([off.status, await off.text()]).toEqual([unknown.status, await unknown.text()]);
  });

  test('in the trash is not found', async () => {
    const form = await hostForm();
    await instance.context.store.trash.moveForm(form.id, owner.teamId, 1);
    expect([(await open(form)).status, (await send(form, 'name=Ada')).status]).toEqual([404, 404]);
  });

  test('that is paused or archived shows the text of its owner, to a look and to a post', async () => {
    for (const change of [{ isActive: false }, { archivedAt: 1 }]) {
      const form = await hostForm({ closedMessage: 'Until June.' });
      await instance.context.store.forms.update(form.id, change);
      for (const answer of [await open(form), await send(form, 'name=Ada&email=ada@example.com')]) {
        expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('>Until June.</p>')]);
      }
      expect(await stored(form)).toEqual([]);
    }
  });
});

describe('the fields of a hosted form', () => {
  const pageWith = async (...fields: FormField[]) => (await open(await hostForm({ fields }))).text();

  test.each([
    ['text', '<input id="field-1" name="f" dir="auto" type="text" value=""/>'],
    ['email', ' type="email" value="" autocomplete="email"/>'],
    ['url', ' type="url" value="" autocomplete="url"/>'],
    ['number', ' type="number" value="" step="any"/>'],
    ['date', ' type="date" value=""/>'],
    ['phone', ' type="tel" value="" pattern="'],
    ['textarea', '<textarea id="field-1" name="f" dir="auto" rows="5">\n</textarea>'],
    ['checkbox', ' type="checkbox" value="yes"/>'],
    ['consent', ' type="checkbox" value="yes"/>'],
    ['file', ' type="file" multiple=""/>'],
    ['hidden', '<input type="hidden" name="f" value=""/>'],
    ['hologram', ' type="text" value=""/>'],
    ['constructor', ' type="text" value=""/>'],
  ])('of type %s have their control', async (type, control) => {
    expect(await pageWith(field('f', type))).toContain(control);
  });

  test.each(FIELD_TYPES.map(({ name, setting }) => [name, setting] as const))(
    'of type %s have a control with their name',
    async (type, setting) => {
      const page = await pageWith(field('f', type, setting === 'options' ? { options: ['One'] } : {}));
      expect(page).toMatch(/<(?:input|select|textarea)[^>]* name="f"/);
    },
  );

  test('of choices list their options, and ratings their numbers', async () => {
    const options = ['One', 'Two <b>'];
    const select = await pageWith(field('f', 'select', { options, required: true }));
    expect(select).toContain('<option value="">Choose an option</option><option value="One">One</option>');
    expect(select).toContain('<option value="Two &lt;b&gt;">Two &lt;b&gt;</option>');
    const values = (page: string, type: string) =>
      [...page.matchAll(new RegExp(`name="f"[^>]* type="${type}" value="([^"]*)"`, 'g'))].map(([, value]) => value);
    expect(values(await pageWith(field('f', 'radio', { options })), 'radio')).toEqual(['One', 'Two &lt;b&gt;']);
    expect(values(await pageWith(field('f', 'checkboxes', { options })), 'checkbox')).toEqual(['One', 'Two &lt;b&gt;']);
    const rating = await pageWith(field('f', 'rating', { max: 3 }));
    expect(values(rating, 'radio')).toEqual(['1', '2', '3']);
    expect(rating).toContain('1 is the lowest rating, 3 the highest');
    expect(await pageWith(field('f', 'rating', { help: 'Five is great.' }))).not.toContain('lowest rating');
  });

  test('carry their rules', async () => {
    const page = await (await open(await hostForm())).text();
    expect(page).toContain('required="" type="text" value="" maxlength="20" pattern="[A-Z].*" autocomplete="name"/>');
    expect(page).toMatch(/Label of message <small>Optional<\/small>/);
  });

  test('with hostile names, labels and options stay text', async () => {
    const evil = '"><script>alert(1)</script>';
    const page = await pageWith(
      field(evil, 'text', { label: evil, pattern: evil }),
      field(`${evil}2`, 'select', { options: [evil] }),
      field(`${evil}3`, 'hidden'),
    );
    expect(page).not.toContain('<script>');
  });

  test('that are hidden are filled from the query, up to a limit; others are not', async () => {
    const form = await hostForm();
    const page = await (
      await open(form, `?source=%22%3E%3Cb%3E${'x'.repeat(5_000)}&name=Eve&email=eve@example.com`)
    ).text();
    expect(page).toMatch(/<input type="hidden" name="source" value="&quot;&gt;&lt;b&gt;x{995}"\/>/);
    expect(page).not.toMatch(/Eve|eve@/);
  });
});

describe('a post of a hosted form', () => {
  test('is stored without control fields, and the visitor is thanked', async () => {
    const form = await hostForm({ successMessage: 'See you!' });
    const page = await (await open(form)).text();
    const stamp = /name="_stamp" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const body = new URLSearchParams({
      name: 'Ada',
      email: 'ada@example.com',
      message: '',
      source: 'x',
      _gotcha: '',
      _stamp: stamp,
    });
    const answer = await send(form, String(body), { Referer: `${url}/f/${form.shortId}` });
    const thanks = await answer.text();
    expect([answer.status, thanks]).toEqual([200, expect.stringContaining('See you!')]);
    expect(thanks).toContain(`href="${url}/f/${form.shortId}"`);
    expect(await stored(form)).toEqual([{ name: 'Ada', email: 'ada@example.com', message: '', source: 'x' }]);
  });

  test('that breaks rules shows the errors beside the fields and keeps the entries', async () => {
    const form = await hostForm();
    const answer = await send(form, 'name=ada&email=%3Cada&message=%0D%0AHi&source=mail&_stamp=1.x');
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain(`<div class="notice" role="alert">${EN.refusals.fields}`);
    expect(page).toMatch(/name="name" autofocus="" dir="auto" aria-invalid="true" aria-describedby="field-1-error"/);
    expect(page).toContain(`<p class="error" id="field-1-error">${FIELD_ERRORS.en.pattern}</p>`);
    expect(page).toMatch(/name="email" dir="auto" aria-invalid="true"[^>]* value="&lt;ada"/);
    expect(page).toContain('>\n\r\nHi</textarea>');
    expect(page).toContain('<input type="hidden" name="source" value="mail"/>');
    expect(page).toContain('name="_stamp" value="1.x"');
    expect(page.match(/autofocus/g)?.length).toBe(1);
    expect(await stored(form)).toEqual([]);
  });

  test('keeps chosen options and boxes', async () => {
    const options = ['One', 'Two', 'Three'];
    const form = await hostForm({
      fields: [
        field('a', 'select', { options }),
        field('b', 'radio', { options }),
        field('c', 'checkboxes', { options }),
        field('d', 'rating'),
        field('e', 'checkbox'),
        field('f', 'text', { required: true }),
      ],
    });
    const page = await (await send(form, 'a=Two&b=Three&c=One&c=Three&d=4&e=yes')).text();
    expect(page).toContain('<option value="Two" selected="">');
    const checked = [...page.matchAll(/name="(\w)"[^>]* value="(\w+)" checked=""/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(checked).toEqual([
      ['b', 'Three'],
      ['c', 'One'],
      ['c', 'Three'],
      ['d', '4'],
      ['e', 'yes'],
    ]);
  });

  test('without a solved challenge keeps the entries', async () => {
    const form = await hostForm({}, { kind: 'altcha', secret: null, verifyUrl: null });
    const page = await (await send(form, 'name=Ada&email=ada@example.com')).text();
    expect(page).toContain(EN.refusals.challengeMissing);
    expect(page).toContain(`<noscript><p class="notice">${EN.hosted.needsScript}</p></noscript>`);
    expect(page).toContain('value="ada@example.com"');
  });

  test('shows errors of hidden fields in the notice', async () => {
    const form = await hostForm({
      fields: [field('a', 'text'), field('h', 'hidden', { required: true, label: 'Origin' })],
    });
    expect(await (await send(form, 'a=1')).text()).toContain(`<bdi>Origin</bdi>: ${FIELD_ERRORS.en.required}`);
  });

  test('beyond the plan shows when the form opens again', async () => {
    const small = await instance.makeOwner('small');
    const form = await instance.makeForm(small, { fields: FIELDS, hasHostedPage: true });
    const body = 'name=Ada&email=ada@example.com';
    await send(form, body);
    const answer = await send(form, body);
    expect([answer.status, await answer.text()]).toEqual([429, expect.stringContaining('It opens again on')]);
  });

  test('into the honeypot looks like a success', async () => {
    const form = await hostForm();
    const answer = await send(form, 'name=Ada&email=ada@example.com&_gotcha=x');
    expect([answer.status, await stored(form)]).toEqual([200, []]);
  });

  test('is led to the redirect URL, which the policy of the page allows', async () => {
    const form = await hostForm({ redirectUrl: 'https://example.com/thanks?a=1' });
    const answer = await send(form, 'name=Ada&email=ada@example.com');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://example.com/thanks?a=1']);
    const policy = (await open(form)).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https://example.com;");
  });

  test('by a script is answered in JSON', async () => {
    const form = await hostForm();
    const answer = await send(form, 'name=Ada', { Accept: 'application/json' });
    expect((await answer.json()) as object).toMatchObject({ success: false, code: 'invalid_fields' });
  });
});

describe('origins of a hosted form', () => {
  const allowedOrigins = ['https://harps.example'];
  const body = 'name=Ada&email=ada@example.com';

  test('that are allowed include its own page', async () => {
    const form = await hostForm({ allowedOrigins });
    const status = async (headers: Record<string, string>) => (await send(form, body, headers)).status;
    expect(await status({ Origin: url })).toBe(200);
    expect(await status({ Origin: 'https://forms.example', 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
    expect(await status({ Origin: 'https://harps.example', 'Sec-Fetch-Site': 'cross-site' })).toBe(200);
    expect(await status({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await status({ Origin: 'null' })).toBe(403);
  });

  test('at the endpoint are the allowed ones alone', async () => {
    const form = await hostForm({ allowedOrigins });
    const answer = await instance.post(form.id, body, { Origin: url, 'Content-Type': URLENCODED });
    expect(answer.status).toBe(403);
  });

  test('may embed its pages, or all if none are set', async () => {
    const policies = async (form: Form) => {
      const answers = [await open(form), await send(form, body), await send(form, 'name=')];
      return answers.map(
        (answer) => /frame-ancestors ([^;]*)/.exec(answer.headers.get('content-security-policy') ?? '')?.[1],
      );
    };
    expect(await policies(await hostForm())).toEqual(['*', '*', '*']);
    const own = "'self' https://harps.example";
    expect(await policies(await hostForm({ allowedOrigins }))).toEqual([own, own, own]);
  });

  test('may not embed the pages of the endpoint', async () => {
    const answer = await instance.post((await hostForm()).id, body, { ...HTML, 'Content-Type': URLENCODED });
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

test('posts to pages and to the endpoint share one limit', async () => {
  const limited = await startInstance({ env: { POSTS_PER_MINUTE: '2' } });
  const form = await limited.makeForm(limited.owner, { fields: FIELDS, hasHostedPage: true });
  const post = (path: string) =>
    fetch(limited.url + path, { method: 'POST', body: new URLSearchParams({ name: 'Ada', email: 'ada@example.com' }) });
  const statuses = [];
  for (const path of [`/f/${form.id}`, `/v1/forms/${form.id}/submissions`, `/f/${form.id}`]) {
    statuses.push((await post(path)).status);
  }
  expect(statuses).toEqual([200, 200, 429]);
  await limited.stop();
});

describe('the page of a hosted form', () => {
  test('follows changes of the form, its logo and the language, and has a stamp of its own each time', async () => {
    const form = await hostForm();
    const page = async (language = 'en') =>
      (await fetch(`${url}/f/${form.shortId}`, { headers: { ...HTML, 'Accept-Language': language } })).text();
    const stampIn = (html: string) => /name="_stamp" value="([^"]+)"/.exec(html)?.[1];
    const [first, second, german] = [await page(), await page(), await page('de')];
    expect(stampIn(first)).toMatch(/^\S{20,}$/);
    expect(second.replace(stampIn(second) ?? '', '')).toBe(first.replace(stampIn(first) ?? '', ''));
    expect(german).toContain('lang="de"');
    // The text of an attribute, as the stamp is.
    await instance.context.store.forms.update(form.id, { publicName: 'Harps with a "stamp"' });
    const renamed = await page();
    expect(renamed).toContain('<h1 dir="auto">Harps with a &quot;stamp&quot;</h1>');
    expect(stampIn(renamed)).toMatch(/^\d+\.\S{20,}$/);
  });

  test('works with more options and longer patterns than can be saved now', async () => {
    const options = Array.from({ length: 200 }, (_, n) => `o${n}`);
    const fields = [
      ...Array.from({ length: 20 }, (_, n) => field(`choice${n}`, 'select', { options })),
      ...Array.from({ length: 20 }, (_, n) => field(`code${n}`, 'text', { pattern: '[a-z]{1,250}' })),
    ];
    const form = await hostForm({ fields });
    expect((await (await open(form)).text()).match(/<option value="o/g)).toHaveLength(4_000);
    const stored = { choice19: 'o199', code0: 'abc', code19: 'xyz' };
    expect((await instance.post(form.id, stored)).status).toBe(200);
    expect((await instance.post(form.id, { ...stored, code19: '1' })).status).toBe(400);
  });

  test('can be opened by a client as often a minute as it may post', async () => {
    const limited = await startInstance({ env: { POSTS_PER_MINUTE: '3' } });
    const form = await limited.makeForm(limited.owner, { fields: FIELDS, hasHostedPage: true });
    const codes: number[] = [];
    for (let count = 0; count < 4; count++) codes.push((await fetch(`${limited.url}/f/${form.shortId}`)).status);
    expect(codes).toEqual([200, 200, 200, 429]);
    expect((await limited.post(form.id, { email: 'ada@example.com', name: 'Ada' })).status).toBe(200);
    await limited.stop();
  });
});
