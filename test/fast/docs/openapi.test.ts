import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { OpenApiDocument } from '../../../src/api/openapi/document.ts';
import { createApp } from '../../../src/app.ts';
import { type ErrorCode, STATUS_OF } from '../../../src/domain/errors.ts';
import { Conformance } from '../../support/conformance.ts';
import { documentText } from '../../support/documents.ts';
import { type Instance, startInstance } from '../../support/instance.ts';

let instance: Instance;
let document: OpenApiDocument;
beforeAll(async () => {
  instance = await startInstance();
  document = (await (await fetch(`${instance.url}/openapi.json`)).json()) as OpenApiDocument;
});
afterAll(() => instance.stop());

test('the document contains exactly the routes under /v1', () => {
  const routes = createApp(instance.context)
    .routes.filter(({ path, method }) => path.startsWith('/v1') && method !== 'OPTIONS')
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.sort()).toEqual(routes.sort());
});

test('changes have no defaults, and objects with any names no patterns', () => {
  const changes = Object.values(document.paths).flatMap(({ patch, put }) => [patch, put].filter(Boolean));
  expect(changes.length).toBeGreaterThan(3);
  expect(JSON.stringify(changes)).not.toContain('"default":');
  expect(JSON.stringify(document.paths['/v1/forms/{formId}/webhooks']?.post)).toContain('"default":true');
  expect(JSON.stringify(document)).not.toContain('patternProperties');
});

test('every example matches its schema', () => {
  expect(new Conformance(document).checkExamples()).toBeGreaterThan(40);
});

test('every request example is accepted unchanged', async () => {
  const body = document.paths['/v1/forms/{formId}/submissions']?.post?.requestBody;
  const examples = Object.entries((body as { content: Record<string, { example: Example }> }).content);
  for (const [type, { example }] of examples) {
    const answer = await instance.post(instance.owner.form.id, encode(type, example), contentType(type));
    expect([type, answer.status]).toEqual([type, 200]);
  }
  const stored = await instance.stored(instance.owner);
  expect(stored.length).toBe(examples.length);
  expect(new Set(stored.map(({ data }) => JSON.stringify(data))).size).toBe(1);
});

type Example = Record<string, string | string[]> | string;

function encode(type: string, example: Example): string | FormData | URLSearchParams {
  if (typeof example === 'string') return example;
  if (type === 'application/json') return JSON.stringify(example);
  const body = type === 'multipart/form-data' ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(example)) {
    for (const one of Array.isArray(value) ? value : [value]) body.append(name, one);
  }
  return body;
}

/** Returns no Content-Type for multipart: fetch adds it with the boundary. */
function contentType(type: string): Record<string, string> {
  return type === 'multipart/form-data' ? {} : { 'Content-Type': type };
}

const PUBLIC_CODES: ErrorCode[] = [
  'empty_submission',
  'unreadable_body',
  'too_many_fields',
  'name_too_long',
  'value_too_long',
  'too_deep',
  'form_paused',
  'form_not_found',
  'body_too_large',
  'unsupported_content_type',
  'rate_limited',
  'submission_cap_reached',
  'internal_error',
  'storage_unavailable',
  'server_busy',
];

test('every error code of the public endpoint is in the document and the manual, under its status', async () => {
  const chapter = documentText('src/manual/connect-forms.md');
  const responses = document.paths['/v1/forms/{formId}/submissions']?.post?.responses ?? {};
  for (const code of PUBLIC_CODES) {
    expect(responses[STATUS_OF[code]]?.description).toContain(`\`${code}\`: `);
    expect(chapter).toMatch(new RegExp(`\\| ${STATUS_OF[code]} \\|.*\`${code}\``));
  }
});

test('the conformance check rejects responses that differ from the document', async () => {
  const conformance = new Conformance(document);
  const url = `${instance.url}/v1/usage`;
  const headers = { 'Content-Type': 'application/json' };
  await expect(conformance.check('GET', url, Response.json({ success: true, data: {} }, { headers }))).rejects.toThrow(
    'usage',
  );
  await expect(conformance.check('GET', url, new Response(null, { status: 418 }))).rejects.toThrow('418');
});
