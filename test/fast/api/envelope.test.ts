import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import {
  dataOf,
  keep,
  managementRoutes,
  type Page,
  refused,
  rows,
  type ShownForm,
  type Submission,
  TIMESTAMP,
} from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { api, owner } = instance;
const { form, readKey, writeKey } = owner;

const SUBMISSION = ['id', 'created_at', 'is_spam', 'data', 'file_metadata'];

test('the management API has the eight specified operations', () => {
  expect(managementRoutes(instance).map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'GET /v1/forms',
      'GET /v1/forms/:formId',
      'GET /v1/forms/:formId/submissions',
      'GET /v1/submissions/:submissionId',
      'GET /v1/workspaces',
      'GET /v1/usage',
      'DELETE /v1/submissions/:submissionId',
      'PATCH /v1/forms/:formId',
    ]),
  );
});

describe('a success response', () => {
  test('of GET /v1/forms is an array of id, name, short_id and created_at', async () => {
    const [shown] = await dataOf<ShownForm[]>(api('GET', '/v1/forms', { key: readKey }));
    expect(Object.keys(shown ?? {})).toEqual(['id', 'name', 'short_id', 'created_at']);
    expect(shown).toMatchObject({ id: form.id, name: 'Contact', short_id: form.shortId });
    expect(shown?.created_at).toMatch(TIMESTAMP);
  });

  test('of GET /v1/forms/:formId adds is_active and the configured fields in order', async () => {
    const fields = [
      { name: 'email', label: 'E-mail', type: 'email', required: true },
      { name: 'a', label: '', type: 'text', required: false },
      { name: 'color', label: 'Color', type: 'select', required: false, options: ['Red', 'Blue'] },
      { name: 'stars', label: 'Stars', type: 'rating', required: false, max: 10 },
    ];
    const { id } = await instance.makeForm(owner, { fields });
    const shown = await dataOf(api('GET', `/v1/forms/${id}`, { key: readKey }));
    expect(Object.keys(shown)).toEqual(['id', 'name', 'short_id', 'created_at', 'is_active', 'fields']);
    expect(shown).toMatchObject({ id, is_active: true, fields });
    expect(shown.created_at).toMatch(TIMESTAMP);
  });

  test('of a form without configured fields has an empty array', async () => {
    expect((await dataOf(api('GET', `/v1/forms/${form.id}`, { key: readKey }))).fields).toEqual([]);
  });

  test('of the list of submissions is items and next_cursor, and each item has five fields', async () => {
    const id = await keep(instance, owner, { email: 'ada@example.com', n: 1, tags: ['a', 'b'] });
    const page = await dataOf<Page>(api('GET', `/v1/forms/${form.id}/submissions`, { key: readKey }));
    expect(Object.keys(page)).toEqual(['items', 'next_cursor']);
    const [item] = page.items;
    expect(Object.keys(item ?? {})).toEqual(SUBMISSION);
    expect(item).toMatchObject({ id, is_spam: false, file_metadata: null });
    expect(item?.data).toEqual({ email: 'ada@example.com', n: 1, tags: ['a', 'b'] });
    expect(item?.created_at).toMatch(TIMESTAMP);
  });

  test('of GET /v1/submissions/:submissionId is the same as in the list, also for spam', async () => {
    const id = await keep(instance, owner, { note: 'buy' }, { isSpam: true });
    const { items } = await dataOf<Page>(api('GET', `/v1/forms/${form.id}/submissions`, { key: readKey }));
    const single = await dataOf<Submission>(api('GET', `/v1/submissions/${id}`, { key: readKey }));
    expect(Object.keys(single)).toEqual(SUBMISSION);
    expect(items[0]).toEqual(single);
    expect(single.is_spam).toBe(true);
  });

  test('of GET /v1/workspaces is an array of id, name and created_at', async () => {
    const [workspace, ...others] = await dataOf<ShownForm[]>(api('GET', '/v1/workspaces', { key: readKey }));
    expect(Object.keys(workspace ?? {})).toEqual(['id', 'name', 'created_at']);
    expect(workspace).toMatchObject({ id: owner.workspaceId, name: 'Workspace' });
    expect(workspace?.created_at).toMatch(TIMESTAMP);
    expect(others).toEqual([]);
  });

  test('of GET /v1/usage has five fields', async () => {
    const usage = await dataOf(api('GET', '/v1/usage', { key: readKey }));
    const names = ['period_start', 'period_end', 'submissions_used', 'submissions_limit', 'remaining'];
    expect(Object.keys(usage)).toEqual(names);
    expect(usage.period_start).toMatch(TIMESTAMP);
    expect(usage.period_end).toMatch(TIMESTAMP);
    expect(usage.submissions_used).toBeNumber();
  });

  test('of DELETE is the id and deleted true', async () => {
    const id = await keep(instance, owner);
    const data = await dataOf(api('DELETE', `/v1/submissions/${id}`, { key: writeKey }));
    expect(Object.entries(data)).toEqual(Object.entries({ id, deleted: true }));
  });

  test('of PATCH is id, name and is_active', async () => {
    const { id } = await instance.makeForm(owner);
    const data = await dataOf(api('PATCH', `/v1/forms/${id}`, { key: writeKey, body: { isActive: false } }));
    expect(Object.entries(data)).toEqual(Object.entries({ id, name: 'Contact', is_active: false }));
  });
});

describe('an error response', () => {
  test('has only success, error and statusCode for every status', async () => {
    const free = await instance.makeOwner('free');
    await refused(api('PATCH', `/v1/forms/${form.id}`, { key: writeKey, body: {} }), 400);
    await refused(api('GET', '/v1/forms'), 401);
    await refused(api('GET', '/v1/forms', { key: free.readKey }), 403);
    await refused(api('GET', '/v1/forms/frm_unknown', { key: readKey }), 404);
    await refused(api('PUT', '/v1/forms', { key: writeKey }), 405);
    await refused(api('PATCH', `/v1/forms/${form.id}`, { key: writeKey, body: ' '.repeat(65_537) }), 413);
  });

  test('has the X-Request-Id of the log line', async () => {
    const { headers } = await refused(api('GET', '/v1/submissions/sub_unknown', { key: readKey }), 404);
    const line = instance.logs.find((text) => text.includes(`"${headers.get('X-Request-Id')}"`));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ route: '/v1/submissions/:submissionId', status: 404 });
  });

  test('has a unique X-Request-Id', async () => {
    const first = await refused(api('GET', '/v1/forms'), 401);
    const second = await refused(api('GET', '/v1/forms'), 401);
    expect(first.headers.get('X-Request-Id')).not.toBe(second.headers.get('X-Request-Id'));
  });
});

test('ids are opaque strings with a prefix, and short ids have 8 unambiguous characters', () => {
  expect(owner.teamId).toStartWith('team_');
  expect(owner.workspaceId).toStartWith('wsp_');
  expect(form.id).toStartWith('frm_');
  expect(form.shortId).toMatch(/^[2-9a-z]{8}$/);
  expect(form.shortId).not.toMatch(/[01ilo]/);
  expect(rows<{ id: string }>(instance, 'SELECT id FROM api_keys').map(({ id }) => id.slice(0, 4))).toContain('key_');
  expect(rows<{ id: string }>(instance, 'SELECT id FROM submissions')[0]?.id).toStartWith('sub_');
});
