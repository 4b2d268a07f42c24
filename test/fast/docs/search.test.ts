import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Instance, startInstance } from '../../support/instance.ts';
import { FROM_AUTHORS, FROM_NEWCOMERS } from './questions.ts';

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => instance.stop());

type Result = Readonly<{ path: string; title: string; markup: string }>;

let clients = 0;
/** Searches as a client of its own, because each has a limit. */
const search = async (query: string) => {
  const headers = { 'X-Forwarded-For': `192.0.2.${++clients}` };
  const answer = await fetch(`${instance.url}/docs/search?${new URLSearchParams({ q: query })}`, { headers });
  expect(answer.status).toBe(200);
  return answer.text();
};
const withoutTags = (markup: string) => markup.replace(/<[^>]+>/g, '');
const resultsOf = (page: string): Result[] =>
  Array.from(
    (/<ol class="results">([\s\S]*?)<\/ol>/.exec(page)?.[1] ?? '').matchAll(
      /<li><small>.*?<\/small><a href="([^"]+)">(.*?)<\/a>([\s\S]*?)<\/li>/g,
    ),
    ([markup, path = '', title = '']) => ({ path, title: withoutTags(title), markup }),
  );

test('a search lists sections with highlighted words, those with the word in the heading first', async () => {
  const results = resultsOf(await search('retention'));
  expect(results.length).toBeGreaterThan(1);
  expect(results[0]?.title).toMatch(/retention/i);
  for (const { markup, title } of results) {
    if (!/retention/i.test(title)) expect(markup).toMatch(/<mark>retention[^<]*<\/mark>/i);
    expect(markup).not.toMatch(/<a [^>]*>[^/]*<mark>/);
  }
});

test('a result names its chapter, and its excerpt prefers sentences to tables', async () => {
  const page = await search('maybe spam');
  expect(page).toContain('<small>Spam</small><a href="/docs/spam#maybe-spam">Maybe spam</a>');
  const [result] = resultsOf(page).filter(({ path }) => path === '/docs/spam#maybe-spam');
  expect(withoutTags(result?.markup ?? '')).not.toMatch(/Action|Effect/);
});

test('at least 54 of 60 questions are answered by the first section', async () => {
  const wrong: string[] = [];
  for (const [question, answer] of [...FROM_AUTHORS, ...FROM_NEWCOMERS]) {
    const [first] = resultsOf(await search(question));
    if (!answer.test(first?.path ?? '')) wrong.push(`${question}: ${first?.path}`);
  }
  expect([FROM_AUTHORS.length, FROM_NEWCOMERS.length]).toEqual([30, 30]);
  expect([wrong, wrong.length <= 6]).toEqual([wrong, true]);
});

test.each([
  ['wordpres', /wordpress/],
  ['webhok signature', /signature/],
  ['delivrability', /deliverability/],
  ['unsub', /unsubscribe/],
  ['notificat', /notif/],
])('a mistyped or unfinished word, %p, finds what was meant', async (question, answer) => {
  expect(resultsOf(await search(question))[0]?.path).toMatch(answer);
});

test('a chapter is found by its title', async () => {
  expect(resultsOf(await search('Connect forms'))[0]?.path).toBe('/docs/connect-forms');
});

test('every result links to an existing section', async () => {
  for (const { path } of resultsOf(await search('form'))) {
    const { pathname, hash } = new URL(path, instance.url);
    const answer = await fetch(instance.url + pathname);
    expect([path, answer.status]).toEqual([path, 200]);
    if (hash !== '') expect(await answer.text()).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
  }
});

test('words count in any order and case, and unknown ones hide nothing', async () => {
  const one = resultsOf(await search('FORM challenge')).map(({ path }) => path);
  expect(one.length).toBeGreaterThan(0);
  expect(resultsOf(await search('challenge   form')).map(({ path }) => path)).toEqual(one);
  expect(resultsOf(await search('challenge xyzzyq'))).not.toEqual([]);
  expect(await search('xyzzyq')).toContain('Nothing found for “xyzzyq”');
});

test('operations of the API are found', async () => {
  expect(resultsOf(await search('List workspaces'))[0]?.path).toStartWith('/docs/api#');
});

test('at most 12 sections are listed', async () => {
  expect(resultsOf(await search('submissions mail')).length).toBeLessThanOrEqual(12);
});

test('an empty search shows the contents', async () => {
  for (const path of ['/docs/search', '/docs/search?q=', '/docs/search?q=%20', '/docs/search?other=1']) {
    const page = await (await fetch(instance.url + path)).text();
    expect(page).toContain('<li><a href="/docs/quick-start">');
    expect(page).not.toContain('class="results"');
  }
});

test.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='x",
  '&lt;b&gt;',
  '.*',
  '(',
  '\\',
  '$&',
  '\u0000',
])('a query of %p is shown as text', async (query) => {
  const page = await search(query);
  expect(page).not.toMatch(/<script>|<img|\sonfocus='|<b>/);
  expect(page).toContain(`value="${Bun.escapeHTML(query).replaceAll('&#x27;', '&#39;')}"`);
  const attributes = /<input [^>]*>/.exec(page)?.[0] ?? '';
  expect(attributes).toEndWith('required=""/>');
});

test('a long, repeated or invalid query is truncated, not refused', async () => {
  const page = await search('a'.repeat(5000));
  expect(page).toContain(`value="${'a'.repeat(100)}"`);
  expect(page).not.toContain('a'.repeat(101));
  for (const query of ['q=%FF%FE', 'q=%', 'q=a&q=b', 'q[]=a', 'q=%ED%A0%80']) {
    expect((await fetch(`${instance.url}/docs/search?${query}`)).status).toBe(200);
  }
});

test('snippets show the address of this instance', async () => {
  const pages = await Promise.all(['127.0.0.1', 'http', 'curl'].map(search));
  for (const page of pages) expect(page).not.toContain('http://127.0.0.1:3000/');
});

test('a client has sixty searches a minute, with all addresses of its /64', async () => {
  const limited = await startInstance({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const codes: number[] = [];
  for (let count = 0; count < 61; count++) {
    const headers = { 'X-Forwarded-For': `2001:db8::${count}` };
    codes.push((await fetch(`${limited.url}/docs/search?q=key`, { headers })).status);
  }
  expect([codes.filter((code) => code === 200).length, codes.at(-1)]).toEqual([60, 429]);
  await limited.stop();
});
