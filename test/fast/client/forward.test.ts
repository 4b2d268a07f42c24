import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { namedBlock } from '../../support/documents.ts';
import { type Instance, type Owner, startInstance, temporaryDir } from '../../support/instance.ts';
import { Receiver } from '../../support/receiver.ts';

type Forward = (
  url: string,
  source: Request | FormData,
  options?: Readonly<{ clientAddress?: string; headers?: Headers; signal?: AbortSignal }>,
) => Promise<Readonly<{ ok: boolean; message: string }>>;

// Not imported by name: the types of browsers, which the client needs, conflict with those of Bun.
const FORWARD = join(import.meta.dir, '../../../src/client/forward.ts');
const { forward } = (await import(FORWARD)) as { forward: Forward };

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ env: { TRUSTED_PROXIES: '127.0.0.1', POSTS_PER_MINUTE: '2' } });
});
afterAll(() => instance.stop());

const ORIGIN = 'https://www.example.com';
const urlOf = (id: string) => `${instance.url}/v1/forms/${id}/submissions`;

/** Returns the form data of a visitor's post, or the post as a server receives it. */
const dataOf = (fields: Record<string, string | Blob>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
};
const requestOf = (fields: Record<string, string | Blob>, headers: Record<string, string> = {}) =>
  new Request('http://app.example/contact', { method: 'POST', body: dataOf(fields), headers });

const payloads = async (owner: Owner) => (await instance.stored(owner)).map(({ data }) => data);

let visitors = 0;
/** Returns another address for each call, because each address has its own limit. */
const visitor = () => `192.0.2.${++visitors}`;

describe('forward', () => {
  test('submits form data with files, without the fields of React', async () => {
    const owner = await instance.makeOwner();
    const data = dataOf({
      $ACTION_REF_1: '',
      '$ACTION_1:0': '{}',
      message: 'Hello',
      file: new File(['text'], 'a.txt', { type: 'text/plain' }),
    });
    const result = await forward(urlOf(owner.form.id), data, { clientAddress: visitor() });
    expect(result).toMatchObject({ ok: true, redirectUrl: null });
    expect(await payloads(owner)).toEqual([{ message: 'Hello' }]);
    expect(await instance.stored(owner)).toMatchObject([{ file_metadata: { files: [{ name: 'a.txt', size: 4 }] } }]);
  });

  test('does not throw for a request without form data', async () => {
    const json = new Request('http://app.example/contact', { method: 'POST', body: '{}' });
    const broken = new Request('http://app.example/contact', {
      ...{ method: 'POST', body: 'no parts' },
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    });
    for (const request of [json, broken]) {
      expect(await forward(urlOf('frm_0'), request)).toMatchObject({ ok: false, code: 'invalid_data', status: null });
    }
  });

  test('submits a request, with the language, origin and page of the visitor', async () => {
    const owner = await instance.makeOwner();
    const fields = [{ name: 'message', label: '', type: 'text', required: true, max_length: 3 }];
    const form = await instance.makeForm(owner, { fields, enforcesRules: true, allowedOrigins: [ORIGIN] });
    const headers = { 'Accept-Language': 'fr;q=0.2, de', Origin: ORIGIN };
    const clientAddress = visitor();
    const refused = await forward(urlOf(form.id), requestOf({ message: 'Hello' }, headers), { clientAddress });
    expect(refused).toMatchObject({ ok: false, code: 'invalid_fields', errors: [{ field: 'message' }], status: 400 });
    expect(refused.message).toStartWith('Einige Angaben');
    expect(await forward(urlOf(form.id), requestOf({ message: 'Yes' }, headers), { clientAddress })).toMatchObject({
      ok: true,
    });
    const options = { clientAddress: visitor() };
    expect(await forward(urlOf(form.id), requestOf({ message: 'Yes' }), options)).toMatchObject({
      code: 'origin_not_allowed',
    });
    const given = { ...options, headers: new Headers(headers) };
    expect(await forward(urlOf(form.id), dataOf({ message: 'Yes' }), given)).toMatchObject({ ok: true });
  });

  test('counts posts by the address of the visitor', async () => {
    const owner = await instance.makeOwner();
    const [first, second] = [visitor(), visitor()];
    const results = [];
    for (const clientAddress of [first, first, second, first]) {
      results.push(await forward(urlOf(owner.form.id), dataOf({ message: 'Hello' }), { clientAddress }));
    }
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, false]);
    expect(results[3]).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: expect.any(Number) });
  });

  test('retries with the same key, and ends with the signal', async () => {
    const receiver = new Receiver();
    try {
      receiver.next.push(() => new Response('', { status: 503 }));
      receiver.usual = () => Response.json({ success: true, message: 'Thanks.' });
      expect(await forward(receiver.url, dataOf({ message: 'Hello' }))).toMatchObject({ ok: true, message: 'Thanks.' });
      const keys = receiver.received.map(({ headers }) => headers.get('Idempotency-Key'));
      expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
      expect(await forward(receiver.url, dataOf({}), { signal: AbortSignal.abort() })).toMatchObject({
        code: 'aborted',
      });
    } finally {
      await receiver.stop();
    }
  });
});

describe('the example for', () => {
  /** Runs an example of the manual with stubs of its framework. Returns its exports. */
  async function example(
    name: string,
    formId: string,
    stubs: Record<string, string>,
  ): Promise<Record<string, unknown>> {
    const text = namedBlock(name).replaceAll('http://127.0.0.1:3000', instance.url).replaceAll('FORM_ID', formId);
    const folder = temporaryDir();
    try {
      await Bun.write(join(folder, 'example.ts'), text.replaceAll('@formstead/client/forward', FORWARD));
      for (const [module, code] of Object.entries(stubs)) {
        await Bun.write(join(folder, 'node_modules', module, 'index.js'), code);
      }
      return await import(join(folder, 'example.ts'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test('SvelteKit returns the result, or fails with the status', async () => {
    const owner = await instance.makeOwner();
    const fail = 'export const fail = (status, data) => ({ status, data });';
    const { actions } = await example('sveltekit', owner.form.id, { '@sveltejs/kit': fail });
    const { default: act } = actions as { default: (event: object) => Promise<unknown> };
    const getClientAddress = visitor;
    expect(await act({ request: requestOf({ message: 'Hello' }), getClientAddress })).toMatchObject({ ok: true });
    expect(await act({ request: requestOf({ message: ' ' }), getClientAddress })).toMatchObject({
      status: 400,
      data: { code: 'empty_submission' },
    });
    expect(await payloads(owner)).toEqual([{ message: 'Hello' }]);
  });

  test('Next.js passes the headers of the visitor', async () => {
    const owner = await instance.makeOwner();
    const headers = "export const headers = async () => new Headers({ 'Accept-Language': 'de' });";
    const { send } = await example('nextjs', owner.form.id, { 'next/headers': headers });
    const result = await (send as (previous: null, form: FormData) => Promise<unknown>)(
      null,
      dataOf({ message: 'Hello' }),
    );
    expect(result).toMatchObject({ ok: true, message: expect.stringContaining('Vielen Dank') });
    expect(await payloads(owner)).toEqual([{ message: 'Hello' }]);
  });
});
