import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts';
import { html } from '../../../src/lib/html.ts';
import { type Instance, startInstance } from '../../support/instance.ts';

let instance: Instance;
let page: string;
let answer: Response;
beforeAll(async () => {
  instance = await startInstance();
  answer = await fetch(`${instance.url}/docs`);
  page = await answer.text();
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

test('the reference page has no script and loads nothing from anywhere', () => {
  expect(page).not.toMatch(/<script|<img|<iframe|<link|@import|url\(|\son\w+=/i);
  expect(answer.headers.get('content-security-policy')).toStartWith("default-src 'none'; style-src 'sha256-");
});

test('every link on the reference page leads somewhere', async () => {
  const targets = Array.from(page.matchAll(/href="([^"]+)"/g), ([, target = '']) => target);
  expect(targets.length).toBeGreaterThan(5);
  for (const target of targets) {
    if (target.startsWith('#')) expect(page).toContain(`id="${target.slice(1)}"`);
    else expect((await fetch(new URL(target, instance.url))).status).toBe(200);
  }
});

test('what is put into a page is escaped unless it is markup already', () => {
  const attack = '<script>alert("x")</script>\'&';
  expect(html`<p title="${attack}">${[attack, html`<b>${1}</b>`, null, false]}</p>`.toString()).toBe(
    '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#x27;&amp;">&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#x27;&amp;<b>1</b></p>',
  );
});
