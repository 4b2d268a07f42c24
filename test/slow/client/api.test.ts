import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TESTING_TYPES, testingTypes } from '../../../.ci/api-types.ts';
import type { OpenApiDocument } from '../../../src/api/openapi/document.ts';
import { type ApiClient, ApiError, createClient } from '../../../src/client/api.ts';
import { keep } from '../../fast/api/support.ts';
import { startForwarder } from '../../support/forwarder.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';

let instance: Instance;
let document: OpenApiDocument;
let client: ApiClient;

beforeAll(async () => {
  instance = await startInstance();
  document = (await (await fetch(`${instance.url}/openapi.json`)).json()) as OpenApiDocument;
  client = createClient({ url: instance.url, key: instance.owner.writeKey });
});
afterAll(() => instance.stop());

/** Returns the error that a call rejects with. */
async function errorOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

test('the committed types of formstead/testing have the settings of forms (bun run generate api-types)', async () => {
  const source = await Bun.file(TESTING_TYPES).text();
  expect(source).toBe(await testingTypes(source));
});

test('every operation that needs a key can be called and returns its data', async () => {
  const owner = await instance.makeOwner();
  const proxy = await startForwarder(instance.url);
  const { get, post, patch, delete: remove, download } = createClient({ url: proxy.url, key: owner.writeKey });

  const workspace = await post('/v1/workspaces', { body: { name: 'Campaigns' } });
  const workspaceId = workspace.id;
  await patch('/v1/workspaces/{workspaceId}', { path: { workspaceId }, body: { name: 'Campaigns 2026' } });
  expect(await get('/v1/workspaces')).toContainEqual({ ...workspace, name: 'Campaigns 2026' });

  const form = await post('/v1/forms', { body: { name: 'Orders', workspace_id: workspaceId } });
  const path = { formId: form.id };
  await patch('/v1/forms/{formId}', { path, body: { name: 'Orders 2' } });
  const settings = await get('/v1/forms/{formId}/settings', { path });
  expect(await patch('/v1/forms/{formId}/settings', { path, body: { thread_mails: true } })).toEqual({
    ...settings,
    thread_mails: true,
  });
  await remove('/v1/forms/{formId}', { path });
  await post('/v1/forms/{formId}/restore', { path });
  expect(await get('/v1/forms/{formId}', { path: { formId: form.short_id } })).toEqual({ ...form, name: 'Orders 2' });
  expect((await get('/v1/forms')).map(({ id }) => id)).toContain(form.id);

  const upload = new FormData();
  upload.set('note', 'hello & welcome');
  upload.set('cv', new File(['{"data":1}'], 'cv.json', { type: 'application/json' }));
  await instance.post(form.id, upload);
  await instance.post(form.id, { note: 'second' });
  const { items } = await get('/v1/forms/{formId}/submissions', { path, query: { limit: 2 } });
  const [second = '', first = ''] = items.map(({ id }) => id);
  const search = { query: { form: form.id, q: 'hello & welcome', spam: false } };
  // A search that took too long returns what it found until then.
  const all = await until(async () => {
    const found = await get('/v1/submissions', search);
    return found.items.length > 0 ? found : null;
  }, 'a search that reaches the submission');
  expect(all.items).toMatchObject([{ id: first, form_id: form.id, is_read: false }]);
  await patch('/v1/submissions/{submissionId}', { path: { submissionId: first }, body: { is_read: true } });
  const submission = await get('/v1/submissions/{submissionId}', { path: { submissionId: first } });
  expect(submission.data).toEqual({ note: 'hello & welcome' });

  const fileId = submission.file_metadata?.files[0]?.id ?? '';
  const file = await download('/v1/submissions/{submissionId}/files/{fileId}', {
    path: { submissionId: first, fileId },
  });
  expect(await file.text()).toBe('{"data":1}');
  const csv = await download('/v1/forms/{formId}/export', { path, query: { format: 'csv' } });
  expect((await csv.text()).split('\r\n')).toHaveLength(4);

  const hook = { url: 'http://127.0.0.1:1/', is_active: false };
  const webhook = await post('/v1/forms/{formId}/webhooks', { path, body: hook });
  const target = { path: { webhookId: webhook.id } };
  expect(await get('/v1/forms/{formId}/webhooks', { path })).toHaveLength(1);
  await patch('/v1/webhooks/{webhookId}', { ...target, body: { include_spam: true } });
  expect((await get('/v1/webhooks/{webhookId}', target)).include_spam).toBe(true);
  expect((await post('/v1/webhooks/{webhookId}/test', target)).delivered).toBe(false);
  expect((await post('/v1/webhooks/{webhookId}/rotate-secret', target)).secret).not.toBe(webhook.secret ?? '');
  expect(await post('/v1/webhooks/{webhookId}/redeliver', { ...target, body: { past: 1 } })).toEqual({ queued: 1 });
  expect((await get('/v1/webhooks/{webhookId}/deliveries', target)).items).toHaveLength(1);
  await remove('/v1/webhooks/{webhookId}', target);

  await remove('/v1/submissions/{submissionId}', { path: { submissionId: first } });
  expect((await post('/v1/submissions/delete', { body: { ids: [second] } })).ids).toEqual([second]);
  const empty = await post('/v1/workspaces', { body: { name: 'Empty' } });
  await remove('/v1/workspaces/{workspaceId}', { path: { workspaceId: empty.id } });
  expect((await get('/v1/me')).scope).toBe('read_write');
  expect((await get('/v1/usage')).submissions_used).toBe(2);
  proxy.stop();

  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length > 0)
      .map(([method]) => ({ method: method.toUpperCase(), template })),
  );
  const isCalled = ({ method, template }: (typeof operations)[number]) =>
    proxy.requests.some(
      (request) =>
        request.method === method &&
        new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(request.path.split('?')[0] ?? ''),
    );
  expect(operations.length).toBeGreaterThan(25);
  expect(operations.filter((operation) => !isCalled(operation))).toEqual([]);
});

test('iterate returns the items of all pages, requests each page when needed, and ends when it is left', async () => {
  const owner = await instance.makeOwner();
  const ids: string[] = [];
  for (let index = 0; index < 7; index++) ids.unshift(await keep(instance, owner, { index }));
  const proxy = await startForwarder(instance.url);
  const { iterate } = createClient({ url: proxy.url, key: owner.readKey });
  const options = { path: { formId: owner.form.id }, query: { limit: 3 } };

  const found = await Array.fromAsync(iterate('/v1/forms/{formId}/submissions', options), ({ id }) => id);
  expect(found).toEqual(ids);
  expect(proxy.requests).toHaveLength(3);

  for await (const { id } of iterate('/v1/submissions', { query: { limit: 3 } })) if (id === ids[1]) break;
  expect(proxy.requests).toHaveLength(4);
  expect(await Array.fromAsync(iterate('/v1/submissions', { query: { q: 'nothing' } }))).toEqual([]);
  proxy.stop();
});

test('an error has the message, status and request ID of the response', async () => {
  const missing = await errorOf(client.get('/v1/forms/{formId}', { path: { formId: 'frm_unknown' } }));
  expect(missing).toMatchObject({ name: 'ApiError', status: 404, message: 'There is no such form in this team.' });
  expect(missing.requestId).toMatch(/\S/);
  expect(instance.logs.join('\n')).toContain(missing.requestId ?? '?');
  const readOnly = createClient({ url: instance.url, key: instance.owner.readKey });
  expect((await errorOf(readOnly.post('/v1/workspaces', { body: { name: 'New' } }))).status).toBe(403);
  const file = { path: { submissionId: 'sub_unknown', fileId: 'file_unknown' } };
  const download = client.download('/v1/submissions/{submissionId}/files/{fileId}', file);
  expect((await errorOf(download)).status).toBe(404);
});

test('a response that is not from Formstead is an error with the remedy', async () => {
  const answers = [
    new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } }),
    new Response(null, { status: 301, headers: { Location: 'https://forms.example.com/v1/me' } }),
  ];
  const proxy = await startForwarder(instance.url, (_, index) => answers[index]);
  const { get } = createClient({ url: `${proxy.url}/`, key: instance.owner.readKey });
  const page = await errorOf(get('/v1/me'));
  expect([page.status, page.message]).toEqual([
    200,
    `GET ${proxy.url}/v1/me returned status 200 without an answer from Formstead. Check the url of the client: it must be the address of the instance.`,
  ]);
  const redirect = await errorOf(get('/v1/me'));
  expect([redirect.status, redirect.message]).toEqual([
    301,
    expect.stringContaining('returned a redirect to https://forms.example.com/v1/me.'),
  ]);
  proxy.stop();
});

test('an ID cannot change the path', async () => {
  for (const formId of ['..', '.', '', undefined as unknown as string]) {
    const call = client.delete('/v1/forms/{formId}', { path: { formId } });
    await expect(call).rejects.toThrow(/^Could not request \/v1\/forms\/\{formId\}: formId is/);
  }
  const formId = `${instance.owner.form.id}/submissions?limit=1#`;
  expect((await errorOf(client.get('/v1/forms/{formId}', { path: { formId } }))).status).toBe(404);
});

test('a POST whose answer is lost takes effect once', async () => {
  const owner = await instance.makeOwner();
  const proxy = await startForwarder(instance.url, (_, index) => (index === 0 ? 'lose' : undefined));
  const { get, post } = createClient({ url: proxy.url, key: owner.writeKey });
  const { id } = await post('/v1/workspaces', { body: { name: 'Once' } });
  expect((await get('/v1/workspaces')).filter(({ name }) => name === 'Once')).toMatchObject([{ id }]);
  const [first, second] = proxy.requests.map(({ headers }) => headers['idempotency-key']);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first ?? '');
  proxy.stop();
});

test('a GET is retried after a broken connection and a bad gateway', async () => {
  const faults = ['cut', new Response('Bad gateway', { status: 502 })] as const;
  const proxy = await startForwarder(instance.url, (_, index) => faults[index]);
  const { get } = createClient({ url: proxy.url, key: instance.owner.readKey });
  expect((await get('/v1/me')).scope).toBe('read');
  expect(proxy.requests).toHaveLength(3);
  proxy.stop();
});

test('PATCH and DELETE are retried only if the server asks for it', async () => {
  const wait = (seconds: number) =>
    Response.json(
      { success: false, error: 'Busy.', statusCode: 503 },
      { status: 503, headers: { 'Retry-After': `${seconds}` } },
    );
  const faults = [wait(1), undefined, new Response('', { status: 502 }), 'lose', wait(61)] as const;
  const proxy = await startForwarder(instance.url, (_, index) => faults[index]);
  const { patch, delete: remove } = createClient({ url: proxy.url, key: instance.owner.writeKey });
  const path = { formId: instance.owner.form.id };
  const rename = () => patch('/v1/forms/{formId}', { path, body: { name: 'Renamed' } });
  expect((await rename()).name).toBe('Renamed');
  expect((await errorOf(rename())).status).toBe(502);
  const missing = remove('/v1/submissions/{submissionId}', { path: { submissionId: 'sub_unknown' } });
  await expect(missing).rejects.not.toBeInstanceOf(ApiError);
  expect(await errorOf(rename())).toMatchObject({ message: 'Busy.', status: 503, retryAfter: 61 });
  expect(proxy.requests).toHaveLength(5);
  proxy.stop();
});

test('three failed attempts are final', async () => {
  const proxy = await startForwarder(instance.url, () => 'cut');
  const { get } = createClient({ url: proxy.url, key: instance.owner.readKey });
  await expect(get('/v1/me')).rejects.not.toBeInstanceOf(ApiError);
  expect(proxy.requests).toHaveLength(3);
  proxy.stop();
});

test('a signal aborts a request and the wait for a retry', async () => {
  const controller = new AbortController();
  const proxy = await startForwarder(instance.url, () => {
    setTimeout(() => controller.abort(new Error('No longer needed')), 50);
    return new Response('', { status: 429, headers: { 'Retry-After': '60' } });
  });
  const { get, iterate } = createClient({ url: proxy.url, key: instance.owner.readKey });
  const { signal } = controller;
  await expect(get('/v1/me', { signal })).rejects.toThrow('No longer needed');
  await expect(iterate('/v1/submissions', { signal }).next()).rejects.toThrow('No longer needed');
  expect(proxy.requests).toHaveLength(1);
  proxy.stop();
});

test('a key of its own makes a POST repeatable across processes', async () => {
  const options = { body: { name: 'Nightly' }, idempotencyKey: 'nightly-2026-11-22' };
  const [first, second] = [await client.post('/v1/workspaces', options), await client.post('/v1/workspaces', options)];
  expect(second).toEqual(first);
  const other = client.post('/v1/workspaces', { ...options, body: { name: 'Other' } });
  expect((await errorOf(other)).status).toBe(422);
});
