import { afterAll, describe, expect, test } from 'bun:test';
import { DAY } from '../../../src/lib/clock.ts';
import { startInstance } from '../../support/instance.ts';
import { addressOf, bodyOf, dataOf, keep, managementRoutes, refused, rows, tamper } from './support.ts';

let now = Date.UTC(2026, 10, 21, 8) * 1000;
const instance = await startInstance({ clock: () => now });
afterAll(instance.stop);
const { api, context, owner } = instance;

type Options = { key?: string; path?: string };

/** Creates a workspace, or posts to another path, with an Idempotency-Key. */
const post = (idempotencyKey: string, body: unknown, { key = owner.writeKey, path = '/v1/workspaces' }: Options = {}) =>
  api('POST', path, { key, body, headers: { 'Idempotency-Key': idempotencyKey } });
const count = (name: string) => rows(instance, 'SELECT id FROM workspaces WHERE name = ?', name).length;
const audited = () => rows(instance, "SELECT id FROM audit WHERE action = 'workspace.created'").length;

describe('a POST with an Idempotency-Key', () => {
  test('repeated returns the first response, once done and once recorded', async () => {
    const before = audited();
    const first = await post('order 4711', { name: 'Once' });
    const again = await post('order 4711', { name: 'Once' });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.text()).toBe(await first.text());
    expect([first, again].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([null, 'true']);
    expect([count('Once'), audited() - before]).toEqual([1, 1]);
  });

  test('with another body or path returns 422 and changes nothing', async () => {
    await dataOf(post('k2', { name: 'Second' }), 201);
    await refused(post('k2', { name: 'Other' }), 422);
    await refused(post('k2', { ids: ['sub_x'] }, { path: '/v1/submissions/delete' }), 422);
    expect(count('Other')).toBe(0);
  });

  test('twenty at once run once; the others get 409 or the response', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('k3', { name: 'Third' })));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
    for (const { status, headers } of answers) if (status === 409) expect(headers.get('Retry-After')).toBe('1');
    expect(count('Third')).toBe(1);
    await dataOf(post('k3', { name: 'Third' }), 201);
  });

  test('is separate per API key', async () => {
    const { secret } = await instance.makeKey(owner, 'read_write');
    await dataOf(post('k4', { name: 'Fourth' }), 201);
    await dataOf(post('k4', { name: 'Fourth' }, { key: secret }), 201);
    expect(count('Fourth')).toBe(2);
  });

  test('runs again after 24 hours, and the job deletes old ones', async () => {
    await dataOf(post('k5', { name: 'Fifth' }), 201);
    now += DAY - 1;
    await context.store.idempotency.pruneExpired();
    await dataOf(post('k5', { name: 'Fifth' }), 201);
    expect(count('Fifth')).toBe(1);
    now += 1;
    await dataOf(post('k5', { name: 'Fifth' }), 201);
    expect(count('Fifth')).toBe(2);
    now += DAY;
    await context.store.idempotency.pruneExpired();
    expect(rows(instance, 'SELECT id FROM api_requests')).toEqual([]);
  });

  test('that was refused can be repeated, with another body too', async () => {
    await refused(post('k6', { name: '' }), 400);
    await refused(post('k6', { name: 'A', workspace_id: 'wsp_x' }, { path: '/v1/forms' }), 404);
    await dataOf(post('k6', { name: 'Sixth' }), 201);
    expect(count('Sixth')).toBe(1);
  });

  test('that was interrupted returns 409 without running again', async () => {
    await dataOf(post('k7', { name: 'Seventh' }), 201);
    tamper(instance, 'UPDATE api_requests SET status = NULL, response = NULL');
    const { error } = await refused(post('k7', { name: 'Seventh' }), 409);
    expect(error).toContain('Check whether it took effect');
    expect(count('Seventh')).toBe(1);
  });

  test.each(['', 'x'.repeat(256)])('of %j returns 400', async (key) => {
    await refused(post(key, { name: 'Wrong' }), 400);
    expect(count('Wrong')).toBe(0);
  });

  test('keeps neither the key nor the response in the clear', async () => {
    await dataOf(post('a telling key', { name: 'A telling name' }), 201);
    const stored = rows<{ response: Uint8Array }>(instance, 'SELECT * FROM api_requests').map((row) =>
      [JSON.stringify(row), Buffer.from(row.response ?? []).toString('latin1')].join(),
    );
    expect(stored.join()).not.toContain('telling');
  });

  test('is checked after key, scope and rate, and a replay after a revocation is refused', async () => {
    const { id, secret } = await instance.makeKey(owner, 'read_write');
    await dataOf(post('k8', { name: 'Eighth' }, { key: secret }), 201);
    await context.store.keys.revoke(id, now);
    await refused(post('k8', { name: 'Eighth' }, { key: secret }), 401);
    await refused(post('k8', { name: 'Eighth' }, { key: owner.readKey }), 403);
  });
});

const posts = managementRoutes(instance).filter(({ method }) => method === 'POST');

test.each(posts)('$name takes an Idempotency-Key', async ({ name, path }) => {
  const formId = (await instance.makeForm(owner)).id;
  if (path.endsWith('/restore')) await context.store.trash.moveForm(formId, owner.teamId, now);
  const submissionId = await keep(instance, owner);
  const address = addressOf(path, { formId, submissionId, workspaceId: owner.workspaceId });
  const body = bodyOf(name, owner.workspaceId, submissionId);
  const send = () => api('POST', address, { key: owner.writeKey, body, headers: { 'Idempotency-Key': name } });
  const first = await send();
  const again = await send();
  expect([again.status, await again.text()]).toEqual([first.status, await first.text()]);
  if (first.ok) expect(again.headers.get('Idempotent-Replayed')).toBe('true');
});

test('a GET, PATCH or DELETE ignores the header', async () => {
  const headers = { 'Idempotency-Key': 'same' };
  for (const name of ['A', 'B']) {
    const patch = api('PATCH', `/v1/forms/${owner.form.id}`, { key: owner.writeKey, body: { name }, headers });
    expect(await dataOf(patch)).toMatchObject({ name });
  }
  await dataOf(api('GET', '/v1/forms', { key: owner.readKey, headers }));
});
