import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { makeSite } from '../../.ci/site/make.ts';
import { temporaryDir } from '../support/instance.ts';
import { openStage, type Stage } from './stage.ts';

/** The static site on a server that knows files only, below a path. */

const folder = temporaryDir();
const server = Bun.serve({
  port: 0,
  fetch: (request) => {
    const path = new URL(request.url).pathname.replace(/^\/formstead\//, '');
    return new Response(Bun.file(join(folder, path === '' ? 'index.html' : path)));
  },
});
const SITE = `http://127.0.0.1:${server.port}/formstead/`;

let stage: Stage;
beforeAll(async () => {
  await makeSite(folder);
  stage = await openStage();
}, 60_000);
afterEach(() => stage.closePages());
afterAll(async () => {
  await stage.close();
  await server.stop(true);
  rmSync(folder, { recursive: true });
});

async function open(path: string, options = {}) {
  const page = await (await stage.newContext(options)).newPage();
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(SITE) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  await page.goto(SITE + path);
  return { page, foreign };
}

test.each([
  ['search.html', 'use with Hugo', 'how-do-i.html#use-formstead-with-hugo-jekyll-eleventy-or-wordpress'],
  ['search.html', 'spam', 'spam.html#maybe-spam'],
  ['search.html', 'webhok signature', 'webhooks.html#verify-a-signature'],
  ['de-search.html', 'Passwort vergessen', 'de-erste-schritte.html#anmelden'],
])(
  '%s finds %p without a server',
  async (path, query, expected) => {
    const { page, foreign } = await open(path);
    await page.locator('#search-query').fill(query);
    await page.keyboard.press('Enter');
    const first = page.locator('.results a').first();
    await first.waitFor();
    const found = await page
      .locator('.results a')
      .evaluateAll((links) => links.slice(0, 2).map((a) => a.getAttribute('href')));
    expect(found).toContain(expected);
    await first.click();
    await page.waitForURL(/\.html(#|$)/);
    expect([await page.locator('h1').count(), foreign]).toEqual([1, []]);
  },
  30_000,
);

test('the form of the start page posts to the address that the visitor enters', async () => {
  const owner = await stage.instance.makeOwner();
  const { page } = await open('');
  await page
    .getByLabel('Address of your form')
    .fill(`${stage.instance.url}/v1/forms/${owner.form.shortId}/submissions`);
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Message').fill('Hello');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.waitForURL(`${stage.instance.url}/**`);
  expect((await stage.instance.stored(owner)).map(({ data }) => data)).toEqual([
    { email: 'ada@example.com', message: 'Hello' },
  ]);
}, 30_000);

type Finding = Readonly<{ id: string; nodes: ReadonlyArray<Readonly<{ html: string }>> }>;

test.each([1280, 360])(
  'the start page has no axe violations in both themes and fits a width of %i',
  async (width) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, foreign } = await open('', { viewport: { width, height: 800 }, colorScheme });
      await page.evaluate(axe.source);
      const findings = await page.evaluate<readonly Finding[]>('axe.run().then(({ violations }) => violations)');
      expect(findings.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      expect(foreign).toEqual([]);
    }
  },
  60_000,
);
