import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { OpenApiDocument } from '../../../src/api/openapi/document.ts';
import { type Instance, startInstance } from '../../support/instance.ts';

let instance: Instance;
let page: string;
beforeAll(async () => {
  instance = await startInstance();
  page = await (await fetch(`${instance.url}/docs/api`)).text();
});
afterAll(() => instance.stop());

test('the reference page names every operation and every schema', async () => {
  const document = (await (await fetch(`${instance.url}/openapi.json`)).json()) as OpenApiDocument;
  for (const [path, operations] of Object.entries(document.paths)) {
    expect(page).toContain(path);
    for (const { operationId } of Object.values(operations)) expect(page).toContain(`id="${operationId}"`);
  }
  for (const name of Object.keys(document.components.schemas as object)) expect(page).toContain(`id="schema-${name}"`);
});

test('the reference page has the chapters beside it, and lists its operations by method and path', () => {
  expect(page).toContain('<a href="/docs/management-api">Management API</a>');
  const [, list = ''] = page.split('<nav class="toc"');
  expect(list).toMatch(/<a href="#listForms"><b class="method get">GET<\/b> \/forms<\/a>/);
  expect(list).toContain('<a href="#authentication">');
});

test('every operation has a request for curl, JavaScript and Python, with the address of this instance', async () => {
  const document = (await (await fetch(`${instance.url}/openapi.json`)).json()) as OpenApiDocument;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const articles = page.split('<article class="operation">').slice(1);
  expect(articles).toHaveLength(operations.length);
  for (const article of articles) {
    for (const language of ['curl', 'JavaScript', 'Python'])
      expect(article).toContain(`<summary>${language}</summary>`);
    expect(article.split(`${instance.url}/v1/`).length).toBeGreaterThan(3);
  }
});

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#x27': "'", amp: '&' };

const samplesOf = (operationId: string) => {
  const [, article = ''] = page.split(`id="${operationId}"`);
  const codes = Array.from(article.matchAll(/<summary>(curl|JavaScript)<\/summary>.*?<code>(.*?)<\/code>/gs));
  const text = (markup = '') =>
    markup.replace(/<[^>]*>/g, '').replace(/&(lt|gt|quot|#x27|amp);/g, (_, name) => CHARACTERS[name] ?? '');
  return Object.fromEntries(codes.slice(0, 2).map(([, language, code]) => [language, text(code)]));
};

test('the curl and JavaScript requests of an operation work as they stand, with a key and an id filled in', async () => {
  const { owner } = instance;
  const filled = (code = '') =>
    code.replace('fs_live_…', owner.writeKey).replace('frm_01a1fd5b4a6f76be834e4aeb4b78f669', owner.form.id);
  const { curl, JavaScript } = samplesOf('changeForm');
  const answer: unknown = JSON.parse(await Bun.$`sh -c ${`${filled(curl)} -s`}`.text());
  expect(answer).toMatchObject({ success: true, data: { id: owner.form.id, name: 'Contact', is_active: false } });
  const lines: unknown[] = [];
  const run = new Function('console', `return (async () => { ${filled(JavaScript)} })()`);
  await run({ log: (...line: unknown[]) => lines.push(...line) });
  expect(lines[0]).toBe(200);
});

test('schemas are resolved', () => {
  expect(page).not.toContain('$ref');
  expect(page).not.toContain('#/components');
});

test('the manual is there as Markdown, with an overview for language models', async () => {
  const overview = await (await fetch(`${instance.url}/llms.txt`)).text();
  expect(overview).toStartWith('# Formstead\n');
  const addresses = Array.from(overview.matchAll(/\((\S+)\)/g), ([, address = '']) => address);
  expect(addresses.length).toBeGreaterThan(15);
  for (const address of addresses) {
    expect(address).toStartWith(instance.url);
    const answer = await fetch(address);
    expect(answer.status).toBe(200);
    if (address.endsWith('.md')) expect(await answer.text()).toStartWith('# ');
  }
  expect((await fetch(`${instance.url}/docs/none.md`)).status).toBe(404);
});
