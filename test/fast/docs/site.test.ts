import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeSite, toFile } from '../../../.ci/site/make.ts';
import { CHAPTERS, GERMAN_CHAPTERS } from '../../../src/manual/index.ts';
import { temporaryDir } from '../../support/instance.ts';

const folder = temporaryDir();
const pages = new Map<string, string>();

beforeAll(async () => {
  await makeSite(folder);
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.html'))) {
    pages.set(name, await Bun.file(join(folder, name)).text());
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const matches = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = '']) => found);

test('the site has a start page, both editions of the manual, the API reference and both searches', () => {
  const expected = [
    ...['index.html', 'manual.html', 'de.html', 'api.html', 'search.html', 'de-search.html'],
    ...CHAPTERS.map(({ slug }) => `${slug}.html`),
    ...GERMAN_CHAPTERS.map(({ slug }) => `de-${slug}.html`),
  ];
  expect([...pages.keys()].sort()).toEqual(expected.sort());
});

test.each([
  ['/docs/spam#honeypot', 'spam.html#honeypot'],
  ['/docs/de/spam', 'de-spam.html'],
  ['/docs/assets/0123456789abcdef/manual.css', 'assets/manual.css'],
  ['http://127.0.0.1:3000/docs/api#submit', 'api.html#submit'],
  ['https://example.com/docs/spam', 'https://example.com/docs/spam'],
  ['#here', '#here'],
])('the address %s becomes %s', (address, file) => {
  expect(toFile(address)).toBe(file);
});

test('every link leads to a file and an anchor of the site, or to another site', () => {
  const dead: string[] = [];
  for (const [name, page] of pages) {
    for (const href of matches(page, / (?:href|action)="([^"]*)"/g)) {
      if (/^(?:https?:|data:)/.test(href)) continue;
      const [file = '', anchor] = href.split('#');
      const target = file === '' ? name : file;
      if (file.startsWith('/') || !existsSync(join(folder, target))) dead.push(`${name}: ${href}`);
      else if (anchor && !(pages.get(target) ?? '').includes(` id="${decodeURIComponent(anchor)}"`))
        dead.push(`${name}: ${href} has no such anchor`);
    }
  }
  expect(dead).toEqual([]);
});

test('pages load files of the site only, and contain no inline script or style', async () => {
  for (const [name, page] of pages) {
    const loaded = [
      ...matches(page, /<(?:script|img|iframe|source|embed)\b[^>]*?\s(?:src|srcset)="([^"]*)"/g),
      ...matches(page, /<link rel="(?:stylesheet|icon)" href="([^"]*)"/g),
    ].filter((address) => address !== 'data:,');
    expect([name, loaded.filter((address) => !existsSync(join(folder, address)))]).toEqual([name, []]);
    expect([name, /<style|<script(?! src=)|<[^>]+\s(?:style|on\w+)=/i.test(page)]).toEqual([name, false]);
  }
  for (const name of readdirSync(join(folder, 'assets')).filter((file) => file.endsWith('.css')))
    expect(await Bun.file(join(folder, 'assets', name)).text()).not.toMatch(/@import|url\(/);
});

test('the start page dates its sources and links each figure to its measurement', () => {
  const page = pages.get('index.html') ?? '';
  const [, sources = ''] = page.split('Sources:');
  expect(matches(sources, /<\/a>, ((?:read on|as of) \d{1,2} \w+ 20\d\d)/g).length).toBe(4);
  const measured = matches(page, /href="https:\/\/github\.com\/[^"]+\/blob\/main\/([^"]+)"/g);
  expect(measured.length).toBeGreaterThan(5);
  for (const path of measured)
    expect([path, existsSync(join(import.meta.dir, '../../..', path))]).toEqual([path, true]);
});
