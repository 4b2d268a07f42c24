import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { dataOf, refused, type ShownForm, TIMESTAMP } from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { api, owner } = instance;
const { readKey, writeKey } = owner;
const other = await instance.makeOwner();

type Workspace = { id: string; name: string; created_at: string };

const create = (body: unknown) => api('POST', '/v1/workspaces', { key: writeKey, body });
const created = () => dataOf<Workspace>(create({ name: 'Website' }), 201);
const rename = (id: string, body: unknown, key = writeKey) => api('PATCH', `/v1/workspaces/${id}`, { key, body });
const remove = (id: string, key = writeKey) => api('DELETE', `/v1/workspaces/${id}`, { key });
const list = () => dataOf<Workspace[]>(api('GET', '/v1/workspaces', { key: readKey }));

describe('POST /v1/workspaces', () => {
  test('returns 201 with the workspace, which is the last of the list', async () => {
    const workspace = await dataOf<Workspace>(create({ name: ' Website ' }), 201);
    expect(Object.keys(workspace)).toEqual(['id', 'name', 'created_at']);
    expect(workspace.name).toBe('Website');
    expect(workspace.created_at).toMatch(TIMESTAMP);
    expect((await list()).at(-1)).toEqual(workspace);
  });

  test.each([
    [{}],
    [{ name: '' }],
    [{ name: 'x'.repeat(201) }],
    [{ name: 1 }],
    [[]],
    ['{'],
    [{ name: 'A', id: 'wsp_x' }],
  ])('with %j returns 400', async (body) => {
    const before = await list();
    await refused(create(body), 400);
    expect(await list()).toEqual(before);
  });
});

describe('PATCH /v1/workspaces/:workspaceId', () => {
  test('changes the name and returns the workspace', async () => {
    const workspace = await created();
    const changed = await dataOf<Workspace>(rename(workspace.id, { name: ' Shop ' }));
    expect(changed).toEqual({ ...workspace, name: 'Shop' });
    expect(await list()).toContainEqual(changed);
  });

  test('with an invalid name returns 400, for an unknown workspace too', async () => {
    for (const body of [{}, { name: ' ' }, { name: 1 }, { name: 'A', position: 1 }]) {
      await refused(rename(owner.workspaceId, body), 400);
      await refused(rename('wsp_unknown', body), 400);
    }
  });

  test('of another team returns 404, like an unknown one', async () => {
    const theirs = await refused(rename(owner.workspaceId, { name: 'Theirs' }, other.writeKey), 404);
    const unknown = await refused(rename('wsp_unknown', { name: 'Theirs' }, other.writeKey), 404);
    expect(theirs.error).toBe(unknown.error);
    expect((await list()).map(({ name }) => name)).not.toContain('Theirs');
  });
});

describe('DELETE /v1/workspaces/:workspaceId', () => {
  test('deletes an empty workspace, once', async () => {
    const { id } = await created();
    expect(await dataOf(remove(id))).toEqual({ id, deleted: true });
    await refused(remove(id), 404);
    expect((await list()).map((workspace) => workspace.id)).not.toContain(id);
  });

  test('of one with forms returns 409 and deletes nothing', async () => {
    const workspace = await created();
    const body = { name: 'Contact', workspace_id: workspace.id };
    const form = await dataOf<ShownForm>(api('POST', '/v1/forms', { key: writeKey, body }), 201);
    expect((await refused(remove(workspace.id), 409)).error).toContain('Move or delete');
    expect(await list()).toContainEqual(workspace);
    await dataOf(api('GET', `/v1/forms/${form.id}`, { key: readKey }));
  });

  test('of one with forms in the trash moves these, so that they can be restored', async () => {
    const workspace = await created();
    const body = { name: 'Contact', workspace_id: workspace.id };
    const { id } = await dataOf<ShownForm>(api('POST', '/v1/forms', { key: writeKey, body }), 201);
    await dataOf(api('DELETE', `/v1/forms/${id}`, { key: writeKey }));
    await dataOf(remove(workspace.id));
    await dataOf(api('POST', `/v1/forms/${id}/restore`, { key: writeKey }));
  });

  test('of the only one returns 409', async () => {
    const lone = await instance.makeOwner();
    await dataOf(api('DELETE', `/v1/forms/${lone.form.id}`, { key: lone.writeKey }));
    expect((await refused(remove(lone.workspaceId, lone.writeKey), 409)).error).toContain('only workspace');
  });

  test('of another team returns 404', async () => {
    const { id } = await created();
    await refused(remove(id, other.writeKey), 404);
    expect((await list()).map((workspace) => workspace.id)).toContain(id);
  });
});
