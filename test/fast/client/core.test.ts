import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { CHALLENGES } from '../../../src/domain/forms/challenge.ts';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';

type Data = FormData | Record<string, unknown>;
type Result = Readonly<Record<string, unknown> & { ok: boolean }>;
type Form = Readonly<{ busy: boolean; submit: (data: Data, options?: { signal?: AbortSignal }) => Promise<Result> }>;

/** Loaded by its path: a static import would add the types of browsers to all sources. */
const { createForm } = (await import(join(import.meta.dir, '../../../src/client/index.ts'))) as {
  createForm: (url: string, options?: { language?: string }) => Form;
};

const instance = await startInstance();
afterAll(instance.stop);

const THANKS = { ok: true, message: 'Thank you, your submission was received.', redirectUrl: null };
const FAILED = 'Your message could not be sent. Please try again.';

async function withForm(settings: Parameters<typeof instance.makeForm>[1] = {}) {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, settings);
  const url = `${instance.url}/v1/forms/${form.id}/submissions`;
  return { url, stored: () => instance.stored(owner, form) };
}

/** Starts a server that gives these responses one after another, the last one repeatedly, and notes the keys it gets. */
function answering(...responses: ReadonlyArray<() => Response>) {
  const keys: Array<string | null> = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ headers }) => {
      keys.push(headers.get('idempotency-key'));
      return (responses[keys.length - 1] ?? responses.at(-1) ?? Response.error)();
    },
  });
  return { url: server.url.href, keys, [Symbol.asyncDispose]: () => server.stop(true) };
}

const json =
  (status: number, body: unknown, headers = {}) =>
  () =>
    Response.json(body, { status, headers });
const stored = json(200, { success: true, message: 'Stored.' });

describe('data is stored as', () => {
  test('values with numbers, lists and objects', async () => {
    const { url, stored } = await withForm();
    const data = { name: 'Ada', age: 36, topics: ['engine'], address: { city: 'London' } };
    expect(await createForm(url).submit(data)).toEqual(THANKS);
    expect((await stored()).map((item) => item.data)).toEqual([data]);
  });

  test('form data with a file', async () => {
    const { url, stored } = await withForm();
    const data = new FormData();
    data.set('name', 'Ada');
    data.set('cv', new File(['text'], 'cv.txt'));
    expect(await createForm(url).submit(data)).toEqual(THANKS);
    expect(await stored()).toMatchObject([{ data: { name: 'Ada' }, file_metadata: { files: [{ name: 'cv.txt' }] } }]);
  });

  test('values with files in them', async () => {
    const { url, stored } = await withForm();
    const files = ['a.txt', 'b.txt'].map((name) => new File([name], name));
    const data = {
      name: 'Ada',
      age: 36,
      none: null,
      topics: ['x', 'y'],
      address: { city: 'London' },
      at: new Date(0),
      files,
    };
    expect(await createForm(url).submit(data)).toEqual(THANKS);
    expect(await stored()).toMatchObject([
      {
        data: {
          name: 'Ada',
          age: '36',
          topics: ['x', 'y'],
          address: '{"city":"London"}',
          at: '1970-01-01T00:00:00.000Z',
        },
        file_metadata: { files: [{ name: 'a.txt' }, { name: 'b.txt' }] },
      },
    ]);
  });
});

test('a success has the redirect URL', async () => {
  const { url } = await withForm({ redirectUrl: 'https://example.com/thanks' });
  expect(await createForm(url).submit({ a: 1 })).toMatchObject({ ok: true, redirectUrl: 'https://example.com/thanks' });
});

test('a refusal has the code, the message in the wanted language and the invalid fields', async () => {
  const fields = [{ name: 'email', label: 'Email', type: 'email', required: true }];
  const { url, stored } = await withForm({ fields, enforcesRules: true });
  expect(await createForm(url, { language: 'de-AT' }).submit({ name: 'Ada' })).toEqual({
    ok: false,
    code: 'invalid_fields',
    message: expect.stringMatching(/./),
    errors: [{ field: 'email', message: 'Diese Angabe ist erforderlich.' }],
    retryAfter: null,
    status: 400,
  });
  expect(await stored()).toEqual([]);
});

describe('submit never throws', () => {
  const failure = (code: string, message = FAILED) =>
    ({ ok: false, code, message, errors: [], retryAfter: null, status: null }) as const;

  test('while an earlier submission runs', async () => {
    const { url, stored } = await withForm();
    const form = createForm(url);
    const first = form.submit({ a: 1 });
    expect(form.busy).toBe(true);
    expect(await form.submit({ a: 1 })).toEqual(failure('busy', 'Sending…'));
    expect(await first).toEqual(THANKS);
    expect([form.busy, (await stored()).length]).toEqual([false, 1]);
  });

  test('for values that JSON lacks', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const form = createForm(instance.url);
    expect(await form.submit(cycle)).toMatchObject({ ok: false, code: 'invalid_data' });
    expect(await form.submit({ big: 1n })).toMatchObject({ ok: false, code: 'invalid_data' });
    expect(form.busy).toBe(false);
  });

  test('after an abort, before it and while it waits for another attempt', async () => {
    await using server = answering(json(503, {}));
    const form = createForm(server.url);
    expect(await form.submit({ a: 1 }, { signal: AbortSignal.abort() })).toEqual(failure('aborted'));
    expect(server.keys).toEqual([]);
    const controller = new AbortController();
    const submitted = form.submit({ a: 1 }, { signal: controller.signal });
    await until(() => server.keys.length === 1, 'the first attempt');
    controller.abort();
    expect(await submitted).toEqual(failure('aborted'));
    expect([server.keys.length, form.busy]).toEqual([1, false]);
  });

  test('for a response that is not from Formstead', async () => {
    await using server = answering(() => new Response('<p>Log in to the wifi</p>'));
    expect(await createForm(server.url).submit({ a: 1 })).toEqual({ ...failure('unexpected_response'), status: 200 });
    expect(server.keys.length).toBe(1);
  });
});

describe('another attempt', () => {
  test.each([
    ['a server error', json(500, { success: false, message: 'Oops.', code: 'internal_error' })],
    ['an error page of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['a key in use', json(409, { success: false, message: 'In use.', code: 'idempotency_key_in_use' })],
  ])('with the same key follows %s', async (_, failure) => {
    await using server = answering(failure, stored);
    expect(await createForm(server.url).submit({ a: 1 })).toEqual({ ok: true, message: 'Stored.', redirectUrl: null });
    expect([server.keys.length, new Set(server.keys).size]).toEqual([2, 1]);
  });

  test('is left to the caller after a long Retry-After, and keeps the key only if the first may have been stored', async () => {
    const busy = { success: false, message: 'Unavailable.', code: 'storage_unavailable' };
    const capped = { success: false, message: 'Full.', code: 'submission_cap_reached' };
    const after = { 'Retry-After': '60' };
    await using server = answering(json(500, busy, after), json(429, capped, after), stored);
    const form = createForm(server.url);
    expect(await form.submit({ a: 1 })).toMatchObject({ code: 'storage_unavailable', retryAfter: 60, status: 500 });
    expect(await form.submit({ a: 1 })).toMatchObject({ code: 'submission_cap_reached', retryAfter: 60, status: 429 });
    expect(await form.submit({ a: 1 })).toMatchObject({ ok: true });
    const [first, second, third] = server.keys;
    expect([server.keys.length, first === second, second === third]).toEqual([3, true, false]);
  });

  test.each([
    ...Object.values(CHALLENGES).map(
      ({ tokenField: name }) => [`${name} changed`, { a: 1, [name]: 'one' }, { a: 1, [name]: 'two' }, 1] as const,
    ),
    ['a value changed', { a: 1 }, { a: 2 }, 2],
    ['a nested value changed', { a: { name: 'x', size: 1 } }, { a: { name: 'x', size: 1, b: 2 } }, 2],
  ])('if %s, has its own or the same key', async (_, before, after, keys) => {
    const unavailable = json(500, { success: false, message: 'x', code: 'x' }, { 'Retry-After': '60' });
    await using server = answering(unavailable, stored);
    const form = createForm(server.url);
    await form.submit(before);
    await form.submit(after);
    expect([server.keys.length, new Set(server.keys).size]).toEqual([2, keys]);
  });
});

test('the core takes at most 3 KB minified with gzip', async () => {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, '../../../src/client/index.ts')],
    target: 'browser',
    minify: true,
  });
  expect(Bun.gzipSync((await outputs[0]?.text()) ?? '', { level: 9 }).length).toBeWithin(1_000, 3_000);
});
