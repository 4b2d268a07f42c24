import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { dataOf, keep, type Page, refused, rows, type ShownForm, TIMESTAMP } from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { api, owner, post } = instance;
const { readKey, writeKey, workspaceId } = owner;
const other = await instance.makeOwner();

type Detail = ShownForm & { is_active: boolean; fields: unknown[] };

const create = (body: unknown, key = writeKey) => api('POST', '/v1/forms', { key, body });
const created = (more: object = {}) =>
  dataOf<Detail>(create({ name: 'Contact', workspace_id: workspaceId, ...more }), 201);
const count = () => rows(instance, 'SELECT id FROM forms').length;
const auditOf = (formId: string) =>
  rows<{ action: string }>(
    instance,
    `SELECT action FROM audit WHERE CAST(details AS TEXT) LIKE '%' || ? || '%'`,
    formId,
  ).map(({ action }) => action);

describe('POST /v1/forms', () => {
  test('returns 201 with the form, which accepts posts at once', async () => {
    const form = await created({ name: '  Order form ' });
    expect(Object.keys(form)).toEqual(['id', 'name', 'short_id', 'created_at', 'is_active', 'fields']);
    expect(form).toMatchObject({ name: 'Order form', is_active: true, fields: [] });
    expect(form.created_at).toMatch(TIMESTAMP);
    expect(await dataOf<Detail>(api('GET', `/v1/forms/${form.id}`, { key: readKey }))).toEqual(form);
    expect((await post(form.id, { note: 'first' })).status).toBe(200);
    expect(rows(instance, 'SELECT workspace_id FROM forms WHERE id = ?', form.id)).toEqual([
      { workspace_id: workspaceId },
    ]);
  });

  test('takes a redirect URL', async () => {
    const form = await created({ redirect_url: 'https://example.com/thanks' });
    const answer = await post(form.id, { note: 'first' }, { Accept: 'text/html' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://example.com/thanks']);
  });

  test.each([
    [{ workspace_id: 'wsp_x' }, 'name'],
    [{ name: 'A' }, 'workspace_id'],
    [{ name: '', workspace_id: 'wsp_x' }, 'name'],
    [{ name: 'x'.repeat(201), workspace_id: 'wsp_x' }, 'name'],
    [{ name: 1, workspace_id: 'wsp_x' }, 'name'],
    [{ name: 'A', workspace_id: null }, 'workspace_id'],
    [{ name: 'A', workspace_id: 'wsp_x', redirect_url: 'javascript:alert(1)' }, 'redirect URL'],
    [{ name: 'A', workspace_id: 'wsp_x', redirect_url: null }, 'redirect_url'],
    [{ name: 'A', workspace_id: 'wsp_x', fields: [] }, '"fields"'],
    [{ name: 'A', workspace_id: 'wsp_x', id: 'frm_mine' }, '"id"'],
    [{}, 'name and workspace_id'],
    [[], 'object'],
    ['{', 'JSON'],
  ])('with %j returns 400, before the workspace is looked up', async (body, part) => {
    const before = count();
    expect((await refused(create(body), 400)).error).toContain(part);
    expect(count()).toBe(before);
  });

  test('with an unknown workspace, or one of another team, returns 404', async () => {
    const before = count();
    const unknown = await refused(create({ name: 'A', workspace_id: 'wsp_x' }), 404);
    const theirs = await refused(create({ name: 'A', workspace_id: other.workspaceId }), 404);
    expect(theirs.error).toBe(unknown.error);
    expect(count()).toBe(before);
  });

  test('returns 413 for a body over 64 KiB', async () => {
    await refused(create(' '.repeat(65_537)), 413);
  });
});

describe('DELETE /v1/forms/:formId', () => {
  test('moves the form to the trash, where nothing finds it', async () => {
    const form = await created();
    const submission = await keep(instance, owner, { note: 'x' }, { formId: form.id });
    const answer = await dataOf(api('DELETE', `/v1/forms/${form.id}`, { key: writeKey }));
    expect(Object.entries(answer)).toEqual([
      ['id', form.id],
      ['deleted', true],
    ]);
    const forms = await dataOf<ShownForm[]>(api('GET', '/v1/forms', { key: readKey }));
    expect(forms.map(({ id }) => id)).not.toContain(form.id);
    for (const id of [form.id, form.short_id]) {
      await refused(api('GET', `/v1/forms/${id}`, { key: readKey }), 404);
      await refused(api('GET', `/v1/forms/${id}/submissions`, { key: readKey }), 404);
      await refused(api('GET', `/v1/forms/${id}/webhooks`, { key: readKey }), 404);
      await refused(api('PATCH', `/v1/forms/${id}`, { key: writeKey, body: { name: 'A' } }), 404);
      await refused(api('DELETE', `/v1/forms/${id}`, { key: writeKey }), 404);
    }
    await refused(api('GET', `/v1/submissions/${submission}`, { key: readKey }), 404);
    expect((await post(form.id, { note: 'late' })).status).toBe(404);
  });

  test('does not reduce usage', async () => {
    const used = async () => (await dataOf(api('GET', '/v1/usage', { key: readKey }))).submissions_used;
    const form = await created();
    await post(form.id, { note: 'x' });
    const before = await used();
    await dataOf(api('DELETE', `/v1/forms/${form.id}`, { key: writeKey }));
    expect(await used()).toBe(before);
  });
});

describe('POST /v1/forms/:formId/restore', () => {
  test('takes the form with its submissions out of the trash, by id and by short id', async () => {
    const form = await created();
    const submission = await keep(instance, owner, { note: 'x' }, { formId: form.id });
    for (const id of [form.id, form.short_id]) {
      await dataOf(api('DELETE', `/v1/forms/${id}`, { key: writeKey }));
      const restored = await dataOf<Detail>(api('POST', `/v1/forms/${id}/restore`, { key: writeKey }));
      expect(restored).toEqual(form);
      const { items } = await dataOf<Page>(api('GET', `/v1/forms/${form.id}/submissions`, { key: readKey }));
      expect(items.map((item) => item.id)).toEqual([submission]);
    }
  });

  test('of a form that is not in the trash returns 404', async () => {
    const form = await created();
    await refused(api('POST', `/v1/forms/${form.id}/restore`, { key: writeKey }), 404);
    await refused(api('POST', '/v1/forms/frm_unknown/restore', { key: writeKey }), 404);
  });

  test('of a form of another team, or one that is being deleted, returns 404', async () => {
    const form = await created();
    await dataOf(api('DELETE', `/v1/forms/${form.id}`, { key: writeKey }));
    for (const id of [form.id, form.short_id]) {
      await refused(api('POST', `/v1/forms/${id}/restore`, { key: other.writeKey }), 404);
    }
    await instance.context.store.trash.expireForm(form.id, owner.teamId);
    await refused(api('POST', `/v1/forms/${form.id}/restore`, { key: writeKey }), 404);
  });
});

describe('a short id', () => {
  const short = owner.form.shortId;

  test('works in every operation on a form', async () => {
    const id = await keep(instance, owner);
    const shown = await dataOf(api('GET', `/v1/forms/${short}`, { key: readKey }));
    expect(shown).toEqual(await dataOf(api('GET', `/v1/forms/${owner.form.id}`, { key: readKey })));
    const page = await dataOf<Page>(api('GET', `/v1/forms/${short}/submissions`, { key: readKey }));
    expect(page.items.map((item) => item.id)).toEqual([id]);
    const patch = api('PATCH', `/v1/forms/${short}`, { key: writeKey, body: { name: 'Short' } });
    expect(await dataOf(patch)).toEqual({ id: owner.form.id, name: 'Short', is_active: true });
    expect(await dataOf<unknown[]>(api('GET', `/v1/forms/${short}/webhooks`, { key: readKey }))).toEqual([]);
  });

  test('of another team returns 404, like an unknown one', async () => {
    for (const path of ['', '/submissions', '/webhooks']) {
      const theirs = await refused(api('GET', `/v1/forms/${short}${path}`, { key: other.readKey }), 404);
      const unknown = await refused(api('GET', `/v1/forms/22222222${path}`, { key: other.readKey }), 404);
      expect(theirs.error).toBe(unknown.error);
    }
    await refused(api('PATCH', `/v1/forms/${short}`, { key: other.writeKey, body: { name: 'Theirs' } }), 404);
    await refused(api('DELETE', `/v1/forms/${short}`, { key: other.writeKey }), 404);
  });
});

test('the audit log has the full id for each change, also by short id', async () => {
  const form = await created();
  const path = `/v1/forms/${form.short_id}`;
  await dataOf(api('PATCH', path, { key: writeKey, body: { name: 'B' } }));
  await dataOf(api('DELETE', path, { key: writeKey }));
  await dataOf(api('POST', `${path}/restore`, { key: writeKey }));
  expect(auditOf(form.id)).toEqual(['form.created', 'form.changed', 'form.trashed', 'form.restored']);
});
