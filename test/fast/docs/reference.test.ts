import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { OpenApiDocument } from '../../../src/routes/api/openapi/document.ts';
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

test('the reference page links to the manual', () => {
  expect(page).toContain('<a href="/docs">Manual</a>');
});
