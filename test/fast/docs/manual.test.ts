import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { join } from 'node:path';
import { CHAPTERS, GERMAN_CHAPTERS } from '../../../src/manual/index.ts';
import { startAtBaseUrl } from '../../support/free-port.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { signIn } from '../dashboard/signed-in.ts';

const EXAMPLE = 'http://127.0.0.1:3000';
const GERMAN_PATHS = ['/docs/de', ...GERMAN_CHAPTERS.map(({ slug }) => `/docs/de/${slug}`)];
const PATHS = [
  ...['/docs', '/docs/api', '/docs/search?q=form', '/docs/de/search?q=Spam'],
  ...CHAPTERS.map(({ slug }) => `/docs/${slug}`),
  ...GERMAN_PATHS,
];
const MAX_BYTES = 80_000;

let instance: Instance;
const pages = new Map<string, string>();
const get = (path: string, init?: RequestInit) => fetch(instance.url + path, init);

beforeAll(async () => {
  instance = await startInstance();
  for (const path of PATHS) pages.set(path, await (await get(path)).text());
});
afterAll(() => instance.stop());

/** Sends a GET request with exactly this Host header and returns the whole answer. */
async function getAs(host: string, path: string, { url }: Instance = instance): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

const matches = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = '']) => found);

test('the manual has these chapters, in reading order', () => {
  expect(CHAPTERS.map(({ slug }) => slug)).toEqual([
    ...[
      'quick-start',
      'how-do-i',
      'connect-forms',
      'recipes',
      'test-forms',
      'submissions',
      'spam',
      'mail',
      'deliverability',
      'webhooks',
      'chats-and-sheets',
      'dashboard-and-teams',
      'for-clients',
      'management-api',
      'set-up-from-a-file',
      'agents',
    ],
    ...[
      'move-from-another-service',
      'exports-and-erasure',
      'data-protection',
      'configuration',
      'deployment',
      'platforms',
      'postgresql-and-s3',
      'backups-and-upgrades',
      'monitoring',
    ],
    ...['troubleshooting', 'design', 'changelog'],
  ]);
});

test.each(PATHS)(
  '%s answers GET and HEAD, with a title, one main heading and itself marked in the navigation',
  async (path) => {
    const page = pages.get(path) ?? '';
    const head = await get(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await head.text()).toBe('');
    expect(head.headers.getSetCookie()).toEqual([]);
    const [heading = ''] = matches(page, /<h1>([^<]+)<\/h1>/g);
    expect(matches(page, /<h1/g).length).toBe(1);
    expect(heading).not.toBe('');
    expect(page).toMatch(/<title>[^<]+<\/title>/);
    const current = matches(page, /href="([^"]+)" aria-current="page"/g);
    expect(current).toEqual(path.includes('?') ? [] : [path]);
  },
);

test('every chapter begins with one heading of level 1', () => {
  for (const { slug, text } of CHAPTERS) expect([slug, text]).toEqual([slug, expect.stringMatching(/^# \S/)]);
});

test('every page lists all chapters and the API reference beside it, and the first page a few to start with', () => {
  const [side = '', main = ''] = (pages.get('/docs') ?? '').split('<main');
  const wanted = [...CHAPTERS.map(({ slug }) => `/docs/${slug}`), '/docs/api'];
  expect(matches(side, /<li><a href="([^"#?]+)">/g).sort()).toEqual(wanted.sort());
  const starts = (page: string) => matches(page, /<li><a href="([^"#]+)">[^<]+<\/a> [^<]+<\/li>/g);
  expect(starts(main)).toHaveLength(6);
  expect(wanted).toEqual(expect.arrayContaining(starts(main)));
  expect(starts(pages.get('/docs/de') ?? '').sort()).toEqual(GERMAN_PATHS.slice(1).sort());
  expect(main).toContain('<a href="/docs/how-do-i#spam">Spam</a>');
});

test('a browser in German is sent to the German edition, unless a link of this instance chose the English one', async () => {
  const ask = (headers: Record<string, string>) => get('/docs', { headers, redirect: 'manual' });
  const german = await ask({ 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' });
  expect([german.status, german.headers.get('location')]).toEqual([303, '/docs/de']);
  const chosen = await ask({ 'Accept-Language': 'de', Referer: `${instance.url}/docs/de` });
  expect(chosen.status).toBe(200);
  expect((await ask({ 'Accept-Language': 'fr' })).status).toBe(200);
  expect(chosen.headers.get('referrer-policy')).toBe('same-origin');
});

test('a chapter of many short answers lists only its sections beside it', () => {
  const [, list = ''] = (pages.get('/docs/how-do-i') ?? '').split('<nav class="toc"');
  expect(matches(list.split('</nav>')[0] ?? '', /href="#([^"]+)"/g).length).toBeLessThan(10);
});

test('the German edition has six chapters, is in German, and each page links to its English counterpart and back', async () => {
  expect(GERMAN_CHAPTERS.length).toBe(6);
  for (const path of GERMAN_PATHS) {
    const page = pages.get(path) ?? '';
    expect([path, page.includes('<html lang="de">')]).toEqual([path, true]);
    const [english = ''] = matches(page, /<a class="out" href="([^"]+)" hreflang="en" lang="en">/g);
    expect(pages.get(english) ?? '').toContain(`<a class="out" href="${path}" hreflang="de" lang="de">`);
    expect(page).not.toMatch(/>(?:Chapters|On this page|Previous|Next|Search)</);
  }
  expect(await (await get('/docs/de/unbekannt')).text()).toContain('Seite nicht gefunden');
  const found = await (await get('/docs/de/search?q=Passwort%20vergessen')).text();
  expect(matches(found, /<ol class="results"><li><small>[^<]+<\/small><a href="([^"]+)"/g)).toEqual([
    '/docs/de/erste-schritte#anmelden',
  ]);
});

/** Chapters whose emphasized words are those of other programs. */
const ABOUT_OTHERS = ['platforms', 'recipes', 'deliverability', 'agents', 'changelog'];
/** Names of other things than labels. */
const OTHER_NAMES = [
  ...['Firefox, Linux', 'Select all … that match'],
  // Settings of OpenID Connect providers.
  ...['Email verified', 'Emails verified', 'Authentication Method Reference'],
];

test('the manual names pages, settings and buttons as the dashboard does, in both languages', async () => {
  const source = join(import.meta.dir, '../../../src');
  const files = await Array.fromAsync(new Bun.Glob('{dashboard,domain}/**/*.{ts,tsx}').scan(source));
  const code = (await Promise.all(files.map((file) => Bun.file(join(source, file)).text()))).join('\n');
  const wrong = [...CHAPTERS, ...GERMAN_CHAPTERS]
    .filter(({ slug }) => !ABOUT_OTHERS.includes(slug))
    .flatMap(({ slug, text }) =>
      matches(text.replace(/```[\s\S]*?```/g, ''), /(?<![*\w])\*([A-Z][^*\n]+)\*(?!\*)/g)
        .filter((name) => !OTHER_NAMES.includes(name))
        .flatMap((name) => name.split(' › '))
        .filter((name) => !code.includes(name.replace(/ ?…$/, '')))
        .map((name) => `${slug}: ${name}`),
    );
  expect(wrong).toEqual([]);
});

test('the README lists every chapter, in reading order', async () => {
  const readme = await Bun.file(join(import.meta.dir, '../../../README.md')).text();
  const listed = matches(readme, /^\| \[.+?\]\(src\/manual\/([a-z0-9-]+)\.md\)/gm);
  expect(listed).toEqual(CHAPTERS.map(({ slug }) => slug));
});

test('every link and anchor inside the manual has a target', async () => {
  const pathIds = (path: string) => matches(pages.get(path) ?? '', /\sid="([^"]+)"/g);
  const dead: string[] = [];
  const checked = new Set<string>();
  for (const [path, page] of pages) {
    const ids = pathIds(path);
    for (const id of new Set(ids))
      if (ids.filter((other) => other === id).length > 1) dead.push(`${path}: two ids ${id}`);
    for (const href of matches(page, /href="([^"]+)"/g)) {
      if (/^data:/.test(href)) continue;
      const { origin, pathname, search, hash } = new URL(href.replaceAll('&amp;', '&'), instance.url + path);
      if (origin !== instance.url) continue;
      const target = pathname + search;
      const anchor = decodeURIComponent(hash.slice(1));
      const known = pages.has(target);
      if (!known && !checked.has(target)) {
        checked.add(target);
        const { status } = await get(target, { redirect: 'manual' });
        if (![200, 303].includes(status)) dead.push(`${path}: ${href} answers ${status}`);
      }
      if (known && anchor !== '' && !pathIds(target).includes(anchor)) dead.push(`${path}: ${href} has no such anchor`);
    }
  }
  expect(dead).toEqual([]);
});

test('no page loads external resources or contains inline scripts or styles', async () => {
  const assets = new Set<string>();
  for (const [path, page] of pages) {
    const loaded = matches(page, /<(?:script|link|img|iframe|source|object|embed)\b[^>]*?\s(?:src|href)="([^"]*)"/g);
    for (const address of loaded) assets.add(address);
    expect([path, /<style|<script(?! src=)|<[^>]+\s(?:style|on\w+)=/i.test(page)]).toEqual([path, false]);
  }
  expect(
    [...assets].filter((address) => address !== 'data:,').map((address) => address.replace(/\w{16}/, '…')),
  ).toEqual(['/docs/assets/…/manual.css', '/docs/assets/…/manual.js']);
  for (const address of assets) {
    if (address === 'data:,') continue;
    const answer = await get(address);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(await answer.text()).not.toMatch(/@import|url\(|https?:\/\//);
    expect((await get(address.replace(/\w{16}/, '0123456789abcdef'))).status).toBe(404);
  }
  const policy = (await get('/docs/spam')).headers.get('content-security-policy');
  expect(policy).toStartWith("default-src 'none'; style-src 'self'; script-src 'self';");
  expect(policy).not.toContain('unsafe');
});

test('examples show the address of the request', async () => {
  const examples = CHAPTERS.filter(({ text }) => text.includes(EXAMPLE));
  expect(examples.length).toBeGreaterThan(0);
  for (const { slug } of examples) {
    const page = pages.get(`/docs/${slug}`) ?? '';
    expect(page).toContain(instance.url);
    expect(page).not.toContain(`${EXAMPLE}/`);
  }
  const path = `/docs/${examples[0]?.slug}`;
  expect(await getAs('forms.example.org:8443', path)).toContain('http://forms.example.org:8443');
  expect(await getAs('[::1]:3000', path)).toContain('http://[::1]:3000');
  expect(await (await get(path)).text()).toContain(instance.url);
});

test('examples show BASE_URL regardless of the Host header', async () => {
  const other = await startAtBaseUrl();
  const answer = await getAs('evil.example', '/docs/connect-forms', other);
  expect(answer).toContain(`${other.url}/`);
  expect(answer).not.toContain('evil.example');
  expect(answer).not.toContain(`${EXAMPLE}/`);
  await other.stop();
});

test.each([
  'a"><script>x</script>',
  'x`id`.example',
  'x$(id).example',
  "x'onerror=x",
  'evil a.example',
  '%3Cb%3E',
  'evil;a.example',
  '',
])('a Host header of %p does not appear in the page', async (host) => {
  const answer = await getAs(host, '/docs/connect-forms');
  if (!/^HTTP\/1.1 4\d\d/.test(answer)) expect(answer).toStartWith('HTTP/1.1 200');
  expect(host !== '' && answer.includes(host)).toBe(false);
  expect(answer.includes('<script>')).toBe(false);
});

test('an unknown chapter answers 404 with the contents', async () => {
  for (const path of ['/docs/unknown', '/docs/spam.txt', '/docs/%3Cb%3E', '/docs/constructor', '/docs/__proto__']) {
    const answer = await get(path);
    expect([path, answer.status]).toEqual([path, 404]);
    const page = await answer.text();
    expect(page).toContain('Page not found');
    expect(page).toContain('<li><a href="/docs/quick-start">');
    expect(page).not.toContain('<b>');
  }
  expect((await get('/docs/spam', { method: 'POST' })).status).toBe(405);
});

test('pages are compressed and answer 304 to a client with the current version', async () => {
  for (const path of ['/docs', '/docs/api', '/docs/connect-forms']) {
    const plain = await get(path, { headers: { 'Accept-Encoding': 'identity' } });
    const gzipped = await get(path, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(gzipped.headers.get('content-encoding')).toBe('gzip');
    expect(gzipped.headers.get('vary')).toBe('Accept-Encoding');
    expect(await gzipped.text()).toBe(await plain.text());
    const tag = plain.headers.get('etag') ?? '';
    expect(gzipped.headers.get('etag')).toBe(tag);
    const again = await get(path, { headers: { 'If-None-Match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get(path, { headers: { 'If-None-Match': 'W/"other"' } })).status).toBe(200);
  }
  const [own = '', other = ''] = [instance.url, 'http://other.example'].map((url) => new URL(url).host);
  const tags = await Promise.all(
    [own, other].map(async (host) => matches(await getAs(host, '/docs/connect-forms'), /^etag: (\S+)/gim)),
  );
  expect(tags[0]).not.toEqual(tags[1]);
});

test('a page with its style and script is at most 80 KB compressed', async () => {
  const sizeOf = async (path: string) =>
    (await (await fetch(instance.url + path, { decompress: false, headers: { 'Accept-Encoding': 'gzip' } })).bytes())
      .length;
  const assets = matches(pages.get('/docs') ?? '', /(?:src|href)="(\/docs\/assets\/[^"]+)"/g);
  let shared = 0;
  for (const address of assets) shared += await sizeOf(address);
  for (const path of PATHS)
    expect([path, Math.max(MAX_BYTES, shared + (await sizeOf(path)))]).toEqual([path, MAX_BYTES]);
});

test('the dashboard links to the manual and to the API reference', async () => {
  const me = await signIn(instance, await instance.makeOwner());
  const page = await (await me.get('/dashboard/keys')).text();
  expect(page).toContain('href="/docs"');
  expect(page).toContain('href="/docs/api"');
});
