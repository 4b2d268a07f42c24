import { afterAll, describe, expect, test } from 'bun:test';
import { AppError } from '../../../src/domain/errors.ts';
import { VISITOR_CATALOG } from '../../../src/visitor/i18n/index.ts';
import { refusalPage, thanksPage } from '../../../src/visitor/page.tsx';
import { startInstance } from '../../support/instance.ts';

const instance = await startInstance();
afterAll(instance.stop);

/** The Accept header of Chromium for a form submission. */
const NAVIGATION = {
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Content-Type': 'application/x-www-form-urlencoded',
};

function navigate(headers: Record<string, string> = {}, body = 'name=Ada', form = instance.owner.form.id) {
  return instance.post(form, body, { ...NAVIGATION, ...headers });
}

describe('a browser that displays the response', () => {
  test('gets a success page with status 200', async () => {
    const answer = await navigate();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('<h1>Thank you</h1>');
  });

  test('gets a refusal page with the status of the refusal', async () => {
    const answer = await navigate({}, 'name=Ada', 'nothere2');
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('There is no form at this address.');
  });

  test('gets the same page for a honeypot hit as for a success, and nothing is stored', async () => {
    const owner = await instance.makeOwner();
    const [success, trapped] = await Promise.all([
      (await navigate({}, 'name=Ada')).text(),
      (await navigate({}, 'name=Ada&_honey=x', owner.form.id)).text(),
    ]);
    expect(trapped).toBe(success);
    expect(await instance.stored(owner)).toEqual([]);
  });

  test('is redirected if the form has a redirect URL', async () => {
    const form = await instance.makeForm(instance.owner, { redirectUrl: 'https://example.com/thanks' });
    const answer = await navigate({}, 'name=Ada', form.id);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://example.com/thanks']);
  });
});

test.each([
  '*/*',
  'application/json',
  'application/json, text/plain, */*',
  'application/json, text/html;q=0.5',
  'text/html;q=0, */*',
])('a client that accepts %s gets JSON', async (accept) => {
  expect((await navigate({ Accept: accept })).headers.get('content-type')).toBe('application/json');
});

describe('the page', () => {
  test('has no script, loads nothing and is not indexed', async () => {
    const answer = await navigate();
    const page = await answer.text();
    expect(answer.headers.get('content-security-policy')).toStartWith("default-src 'none'; style-src 'sha256-");
    expect(answer.headers.get('x-robots-tag')).toBe('noindex');
    expect(page).not.toMatch(/<script|<img|<link|<iframe|@import|url\(|\son\w+=/i);
    expect(page).toContain('<meta name="robots" content="noindex"/>');
    expect(page.length).toBeLessThan(5_000);
  });

  test('contains no submitted data', async () => {
    const page = await (await navigate({}, 'canary-name=canary-value')).text();
    expect(page).not.toContain('canary');
  });

  test.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['zh-CN,zh;q=0.9', 'zh'],
    ['pt-BR', 'pt'],
    ['sv,fr;q=0.4', 'fr'],
    ['sv', 'en'],
    ['*', 'en'],
    ['', 'en'],
    ['%%%;q=x', 'en'],
  ])('for Accept-Language: %s is in %s', async (wanted, language) => {
    const answer = await navigate({ 'Accept-Language': wanted });
    expect(await answer.text()).toContain(`<html lang="${language}">`);
    expect(answer.headers.get('vary')).toBe('Accept, Accept-Language');
  });

  test('has different texts in every language, for success and refusal', async () => {
    const pages = await Promise.all(
      VISITOR_CATALOG.languages.flatMap((language) =>
        ['name=Ada', 'name='].map(async (body) => (await navigate({ 'Accept-Language': language }, body)).text()),
      ),
    );
    const texts = pages.map((page) => /<p>(.*?)<\/p>/.exec(page)?.[1] ?? '');
    expect(VISITOR_CATALOG.languages.length).toBe(10);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.every((text) => text.length > 5)).toBe(true);
  });
});

/** Creates a request for the page functions. */
function visit(headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', { method: 'POST', headers });
}

const DEFAULTS = { language: 'visitor', thanksTitle: null, successMessage: null } as const;

describe("a form's own thanks text", () => {
  const german = visit({ 'Accept-Language': 'de' });

  test('replaces the title and the text separately', async () => {
    const own = async (title: string | null, text: string | null) =>
      (await thanksPage(german, { language: 'visitor', thanksTitle: title, successMessage: text }, {}).text()).replace(
        /\s+/g,
        ' ',
      );
    expect(await own('Hurra', null)).toMatch(/<title>Hurra<.*>Hurra<\/h1><p>Ihre Nachricht ist angekommen\.</);
    expect(await own(null, 'Bis bald')).toMatch(/<title>Vielen Dank<.*>Vielen Dank<\/h1><p[^>]*>Bis bald</);
    const both = await own('Hurra', 'Bis bald');
    expect(both).toMatch(/>Hurra<\/h1><p[^>]*>Bis bald</);
    expect(both).not.toMatch(/Vielen Dank|angekommen/);
  });

  test('is plain text with its line breaks', async () => {
    const text = 'First line\n<b>second</b> & "third"';
    const page = await thanksPage(
      german,
      { language: 'visitor', thanksTitle: '<i>Hi</i>', successMessage: text },
      {},
    ).text();
    expect(page).toContain('First line\n&lt;b&gt;second&lt;/b&gt; &amp; &quot;third&quot;</p>');
    expect(page).not.toMatch(/<b>|<i>/);
    expect(page).toMatch(/\bp \{ white-space: pre-line; \}/);
  });

  test('is not marked with the language of the page', async () => {
    const page = await thanksPage(
      german,
      { language: 'visitor', thanksTitle: 'مرحبا', successMessage: 'شكرا' },
      {},
    ).text();
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('<h1 lang="" dir="auto">مرحبا</h1>');
    expect(page).toContain('<p lang="" dir="auto">شكرا</p>');
  });
});

describe('a refusal because of fields', () => {
  const refusal = new AppError('invalid_fields', 'Not shown.', {
    errors: [
      { field: 'email', label: 'Your <e-mail>', code: 'email' },
      { field: '<b>שם', code: 'max_length', limit: 20 },
    ],
  });

  test('lists them by label or name, in the language of the page', async () => {
    const answer = refusalPage(visit({ 'Accept-Language': 'fr' }), refusal, {});
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page.match(/<li>.*?<\/li>/g)).toEqual([
      '<li><b><bdi>Your &lt;e-mail&gt;</bdi></b> Veuillez indiquer une adresse e-mail, par exemple name@example.com.</li>',
      '<li><b><bdi>&lt;b&gt;שם</bdi></b> Votre saisie est trop longue. Nombre maximal de caractères\u00a0: 20.</li>',
    ]);
    expect(page).not.toContain('Not shown.');
  });

  test('without fields has no list', async () => {
    const page = await refusalPage(visit(), new AppError('form_paused', 'x'), {}).text();
    expect(page).not.toContain('<ul');
  });

  test('is shown for a value that is too long', async () => {
    const page = await (await navigate({}, `name=Ada&note=${'x'.repeat(256 * 1024 + 1)}`)).text();
    expect(page).toMatch(/<bdi>note<\/bdi><\/b> This text is too long\. Maximum size: 256.kB\./);
  });
});

test.each([
  ['Origin', 'Origin, Accept, Accept-Language'],
  [null, 'Accept, Accept-Language'],
])('a page keeps an existing Vary of %s and adds its own', (vary, whole) => {
  const headers = { 'X-Kept': '1', ...(vary !== null && { Vary: vary }) };
  const pages = [
    thanksPage(visit(), DEFAULTS, headers),
    refusalPage(visit(), new AppError('form_paused', 'x'), headers),
  ];
  expect(pages.map((page) => page.headers.get('vary'))).toEqual([whole, whole]);
  expect(pages.map((page) => page.headers.get('x-kept'))).toEqual(['1', '1']);
});

test('the language is detected again after many other headers', async () => {
  const languageFor = async (wanted: string) =>
    /lang="(\w+)"/.exec(await thanksPage(visit({ 'Accept-Language': wanted }), DEFAULTS, {}).text())?.[1];
  for (let n = 0; n < 1_500; n++) await languageFor(`xx-${n}, it;q=0.5`);
  expect(await languageFor('xx-1, it;q=0.5')).toBe('it');
  expect(await languageFor('pl, en;q=0.5')).toBe('pl');
  expect(await languageFor(`${'sv, '.repeat(100)}nl;q=0.1`)).toBe('nl');
});

describe('the link back', () => {
  const linkOf = async (headers: Record<string, string>) =>
    /href="([^"]*)"/.exec(await (await navigate(headers)).text())?.[1] ?? null;

  test('leads to the page with the form', async () => {
    const headers = { Referer: 'https://example.com/contact?a=1&b=2', Origin: 'https://example.com' };
    expect(await linkOf(headers)).toBe('https://example.com/contact?a=1&amp;b=2');
  });

  test.each([
    ['there is no Referer', {}],
    ['the Referer is of another origin', { Referer: 'https://evil.example/', Origin: 'https://example.com' }],
    ['the Origin is hidden', { Referer: 'https://example.com/', Origin: 'null' }],
    ['the Referer is a script', { Referer: 'javascript:alert(1)' }],
    ['the Referer is no address', { Referer: '"><script>alert(1)</script>' }],
  ])('is left out if %s', async (_, headers) => {
    expect(await linkOf(headers as Record<string, string>)).toBeNull();
  });
});
