import { afterAll, describe, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { exchange } from '../visitor/wire.ts';
import { dataOf, refused, rows } from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { api, owner, makeForm, post } = instance;
const { readKey, writeKey } = owner;

const patch = ({ id }: Form, body: unknown) => api('PATCH', `/v1/forms/${id}`, { key: writeKey, body });
const rowOf = ({ id }: Form) => rows(instance, 'SELECT * FROM forms WHERE id = ?', id)[0] ?? {};

/** Sends a body, expects it to be refused and the row to be unchanged, and returns the message. */
async function refusedPatch(body: unknown, status = 400): Promise<string> {
  const before = rowOf(owner.form);
  const { error } = await refused(patch(owner.form, body), status);
  expect(rowOf(owner.form)).toEqual(before);
  return error;
}

describe('PATCH /v1/forms/:formId', () => {
  test('changes the name and nothing else', async () => {
    const fields = [{ name: 'a', label: 'A', type: 'text', required: true }];
    const form = await makeForm(owner, { redirectUrl: 'https://example.com/', fields });
    await dataOf(patch(form, { isActive: false }));
    const before = rowOf(form);
    const neighbour = rowOf(owner.form);
    expect(await dataOf(patch(form, { name: 'Renamed' }))).toEqual({ id: form.id, name: 'Renamed', is_active: false });
    expect(rowOf(form)).toEqual({ ...before, name: 'Renamed' });
    expect(rowOf(owner.form)).toEqual(neighbour);
  });

  test('changes isActive and nothing else', async () => {
    const form = await makeForm(owner);
    const before = rowOf(form);
    expect(await dataOf(patch(form, { isActive: false }))).toEqual({ id: form.id, name: 'Contact', is_active: false });
    expect(rowOf(form)).toEqual({ ...before, is_active: 0 });
  });

  test('changes both at once, and later reads show it', async () => {
    const form = await makeForm(owner);
    expect(await dataOf(patch(form, { name: 'Both', isActive: false }))).toMatchObject({ name: 'Both' });
    const shown = await dataOf(api('GET', `/v1/forms/${form.id}`, { key: readKey }));
    expect(shown).toMatchObject({ name: 'Both', is_active: false });
  });

  test('pauses the form, which then refuses posts, and resumes it', async () => {
    const form = await makeForm(owner);
    await dataOf(patch(form, { isActive: false }));
    expect((await post(form.id, { note: 'paused' })).status).toBe(403);
    expect(await instance.stored(owner, form)).toEqual([]);
    await dataOf(patch(form, { isActive: true }));
    expect((await post(form.id, { note: 'resumed' })).status).toBe(200);
    expect((await instance.stored(owner, form)).map(({ data }) => data)).toEqual([{ note: 'resumed' }]);
  });

  test('accepts the current values', async () => {
    const form = await makeForm(owner);
    const before = rowOf(form);
    await dataOf(patch(form, { name: 'Contact', isActive: true }));
    expect(rowOf(form)).toEqual(before);
  });

  test('loses neither of two concurrent changes', async () => {
    for (let round = 0; round < 20; round++) {
      const form = await makeForm(owner);
      await Promise.all([dataOf(patch(form, { name: `Round ${round}` })), dataOf(patch(form, { isActive: false }))]);
      expect(rowOf(form)).toMatchObject({ name: `Round ${round}`, is_active: 0 });
    }
  });
});

describe('name', () => {
  test('is trimmed', async () => {
    const form = await makeForm(owner);
    expect(await dataOf(patch(form, { name: ' \t Trimmed name \n' }))).toMatchObject({ name: 'Trimmed name' });
    expect(rowOf(form)).toMatchObject({ name: 'Trimmed name' });
  });

  test('that is empty after trimming returns 400', async () => {
    for (const name of ['', '   ', '\n\t', '\u00a0']) expect(await refusedPatch({ name })).toContain('name');
  });

  test('may have 200 characters, and an emoji counts as one', async () => {
    const form = await makeForm(owner);
    for (const name of ['x'.repeat(200), '😀'.repeat(200), ` ${'ü'.repeat(200)} `]) {
      expect(await dataOf(patch(form, { name }))).toMatchObject({ name: name.trim() });
    }
  });

  test('of 201 characters returns 400', async () => {
    for (const name of ['x'.repeat(201), '😀'.repeat(201)]) expect(await refusedPatch({ name })).toContain('name');
  });

  test('may be any text and is returned unchanged', async () => {
    const form = await makeForm(owner);
    const name = `<b>"'\`\\ ${'€'} \u202e; DROP TABLE forms;-- %00`;
    expect(await dataOf(patch(form, { name }))).toMatchObject({ name });
    expect(await dataOf(api('GET', `/v1/forms/${form.id}`, { key: readKey }))).toMatchObject({ name });
  });
});

describe('a body is refused with 400', () => {
  test('with neither name nor isActive', async () => {
    expect(await refusedPatch({})).toMatch(/name.*isActive/);
  });

  test.each(['fields', 'is_active', 'Name', 'short_id', 'redirectUrl', 'id', '__proto__', 'constructor', ''])(
    'with the unknown field "%s", which is named, and no known field is changed',
    async (field) => {
      expect(await refusedPatch(`{"name": "Changed", ${JSON.stringify(field)}: []}`)).toContain(`"${field}"`);
    },
  );

  test.each([[null], [1], [true], [[]], [{}], [['A']]])('with the name %j', async (name) => {
    expect(await refusedPatch({ name })).toContain('name');
  });

  test.each([[null], [1], [0], ['true'], [''], [[]], [{}]])('with isActive %j', async (isActive) => {
    expect(await refusedPatch({ isActive })).toContain('isActive');
  });

  test('with one valid and one invalid field', async () => {
    expect(await refusedPatch({ name: 'Changed', isActive: 'no' })).toContain('isActive');
    expect(await refusedPatch({ name: '', isActive: false })).toContain('name');
  });

  test.each(['[]', '"x"', '1', 'null', 'true', '[{"name":"A"}]'])('that is %s, not an object', async (body) => {
    expect(await refusedPatch(body)).toContain('object');
  });

  test.each(['', ' ', '{', '{"name":"A"', 'name=A', "{'name':'A'}", '{"name":"A"}x', '{"name":NaN}'])(
    'that is %p, not JSON',
    async (body) => {
      expect(await refusedPatch(body)).toContain('JSON');
    },
  );

  test('that is not UTF-8', async () => {
    const before = rowOf(owner.form);
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xff, 0xc3), Buffer.from('"}')]);
    const headers = { Authorization: `Bearer ${writeKey}`, 'Content-Type': 'application/json' };
    await refused(fetch(`${instance.url}/v1/forms/${owner.form.id}`, { method: 'PATCH', headers, body }), 400);
    expect(rowOf(owner.form)).toEqual(before);
  });

  test('that is nested as deeply as 64 KiB allow', async () => {
    const nested = '['.repeat(32_000) + ']'.repeat(32_000);
    await refusedPatch(nested);
    expect(await refusedPatch(`{"name":${nested}}`)).toContain('name');
    expect(await refusedPatch(`{"deep":${nested}}`)).toContain('"deep"');
  });
});

describe('a body of another content type than JSON', () => {
  const paths = ['/v1/forms/frm_x', '/v1/submissions/sub_x', '/v1/workspaces/wsp_x', '/v1/webhooks/whk_x'];
  const types = [
    ...[
      'text/plain',
      'text/plain;charset=UTF-8',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
    ],
    ...['application/jsonx', 'application/merge-patch+json', 'text/json', 'json', 'x; application/json'],
  ];

  test.each(types)('is refused with 415: %s', async (type) => {
    const before = rowOf(owner.form);
    const body = { key: writeKey, body: { name: 'Changed' }, headers: { 'Content-Type': type } };
    const { error } = await refused(api('PATCH', `/v1/forms/${owner.form.id}`, body), 415);
    expect(error).toContain('application/json');
    expect(rowOf(owner.form)).toEqual(before);
    for (const path of paths) await refused(api('PATCH', path, body), 415);
  });

  test.each(['application/json', 'Application/JSON; charset=utf-8', 'application/json;charset=UTF-8'])(
    'is not one of %s',
    async (type) => {
      const body = { key: writeKey, body: { name: 'Contact' }, headers: { 'Content-Type': type } };
      await dataOf(api('PATCH', `/v1/forms/${owner.form.id}`, body));
    },
  );

  test('is not one without a content type', async () => {
    const headers = { Authorization: `Bearer ${writeKey}` };
    const body = Buffer.from('{"name":"Contact"}');
    await dataOf(fetch(`${instance.url}/v1/forms/${owner.form.id}`, { method: 'PATCH', headers, body }));
  });

  test('is refused only after the key and its scope', async () => {
    const body = { body: '{}', headers: { 'Content-Type': 'text/plain' } };
    await refused(api('PATCH', `/v1/forms/${owner.form.id}`, body), 401);
    await refused(api('PATCH', `/v1/forms/${owner.form.id}`, { ...body, key: readKey }), 403);
  });
});

describe('a body over 64 KiB', () => {
  const padded = (size: number) => '{"name":"Contact"}'.padEnd(size);

  test('returns 413, and one of exactly 64 KiB does not', async () => {
    await dataOf(patch(owner.form, padded(65_536)));
    await refusedPatch(padded(65_537), 413);
    await refusedPatch({ name: 'x'.repeat(1_000_000) }, 413);
  });

  test('returns 413 even if its length is not declared', async () => {
    const headers = { Authorization: `Bearer ${writeKey}`, 'Content-Type': 'application/json' };
    const body = new Blob([' '.repeat(100_000)]).stream();
    await refused(fetch(`${instance.url}/v1/forms/${owner.form.id}`, { method: 'PATCH', headers, body }), 413);
  });
});

test('a key that is revoked while the body is received changes nothing', async () => {
  const { store, clock, keyUse } = instance.context;
  const { id, secret } = await instance.makeKey(owner, 'read_write');
  const before = rowOf(owner.form);
  const body = '{"isActive":false}';
  const head = [
    `PATCH /v1/forms/${owner.form.id} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ].join('\r\n');
  const answer = exchange(instance, `${head}\r\n\r\n{`, async () => {
    await until(async () => {
      await keyUse.flush();
      return (await store.keys.list(owner.teamId)).some((key) => key.id === id && key.lastUsedAt !== null);
    }, 'the request to be past its key');
    await store.keys.revoke(id, clock());
    return body.slice(1);
  });
  await refused(answer, 401);
  expect(rowOf(owner.form)).toEqual(before);
});
