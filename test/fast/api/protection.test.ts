import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { newSecret } from '../../../src/domain/api-key.ts';
import { SECOND } from '../../../src/lib/clock.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { type Owner, startInstance } from '../../support/instance.ts';
import { addressOf, bodyOf, keep, managementRoutes, queryOf, refused, rows } from './support.ts';

let now = Date.UTC(2026, 10, 21, 8) * 1000;
const instance = await startInstance({ clock: () => now });
afterAll(instance.stop);
const { api, context, makeKey, owner } = instance;

const submissionId = await keep(instance, owner);
const other = await instance.makeOwner();
const free = await instance.makeOwner('free');
const hook = { url: 'http://127.0.0.1:1/', isActive: false };
const webhookId = (await createWebhook(context, owner.form.id, 'standard', hook)).webhook.id;

const lastCharacterChanged = (secret: string) => secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');

/** Returns every row that a request could change. */
const allRows = () => [
  rows(instance, 'SELECT * FROM forms'),
  rows(instance, 'SELECT created_at, id, form_key FROM submissions'),
  rows(instance, 'SELECT * FROM counters'),
  rows(instance, 'SELECT * FROM workspaces'),
  rows(instance, 'SELECT * FROM webhooks'),
];

describe.each(managementRoutes(instance))('$name', ({ name, method, path }) => {
  let before: ReturnType<typeof allRows>;
  beforeEach(() => {
    before = allRows();
  });
  const ids = { formId: owner.form.id, submissionId, workspaceId: owner.workspaceId, webhookId };
  const body = bodyOf(name, owner.workspaceId);
  const call = (key: string | undefined) => api(method, addressOf(path, ids) + queryOf(name), { key, body });
  const refusesKey = async (key: string | undefined) => {
    const { headers } = await refused(call(key), 401);
    expect(headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(allRows()).toEqual(before);
  };

  test('without a key returns 401', () => refusesKey(undefined));

  test('with a malformed key returns 401', async () => {
    for (const key of ['', 'x', 'fs_live_', `${owner.writeKey}0`, owner.writeKey.slice(8), 'null', 'fs_test_1']) {
      await refusesKey(key);
    }
  });

  test('with a wrong checksum in the key returns 401', () => refusesKey(lastCharacterChanged(owner.writeKey)));

  test('with an unknown key returns 401', () => refusesKey(newSecret()));

  test('with a revoked key returns 401', async () => {
    const { id, secret } = await makeKey(owner, 'read_write');
    await context.store.keys.revoke(id, now);
    await refusesKey(secret);
  });

  test('with an expired key returns 401', async () => {
    const { secret } = await makeKey(owner, 'read_write', now + SECOND);
    now += SECOND;
    await refusesKey(secret);
  });

  test('on a plan without API access returns 403', async () => {
    await refused(call(free.writeKey), 403);
    expect(allRows()).toEqual(before);
  });

  if (method !== 'GET') {
    test('with a read-only key returns 403', async () => {
      await refused(call(owner.readKey), 403);
      expect(allRows()).toEqual(before);
    });
  }

  if (path.includes(':')) {
    test('with the id of another team returns 404, like an unknown id', async () => {
      const theirs = await refused(call(other.writeKey), 404);
      expect(allRows()).toEqual(before);
      const unknown = addressOf(path, { formId: 'frm_unknown', submissionId: 'sub_unknown' }) + queryOf(name);
      expect(theirs.error).toBe((await refused(api(method, unknown, { key: other.writeKey, body }), 404)).error);
    });
  }
});

describe('a key only reads the data of its team', () => {
  const listed = async ({ readKey }: Owner, path: string) => {
    const { data } = (await (await api('GET', path, { key: readKey })).json()) as { data: Array<{ id: string }> };
    return data.map(({ id }) => id);
  };

  test('in the list of forms', async () => {
    expect(await listed(owner, '/v1/forms')).toEqual([owner.form.id]);
    expect(await listed(other, '/v1/forms')).toEqual([other.form.id]);
  });

  test('in the list of workspaces', async () => {
    expect(await listed(owner, '/v1/workspaces')).toEqual([owner.workspaceId]);
    expect(await listed(other, '/v1/workspaces')).toEqual([other.workspaceId]);
  });

  test('in all workspaces of the team', async () => {
    const team = await instance.makeOwner();
    const second = { id: 'wsp_second', teamId: team.teamId, name: 'Second', position: 0, createdAt: now };
    await context.store.workspaces.create(second);
    const form = await instance.makeForm({ ...team, workspaceId: second.id });
    expect(await listed(team, '/v1/workspaces')).toEqual([team.workspaceId, second.id]);
    expect((await listed(team, '/v1/forms')).sort()).toEqual([team.form.id, form.id].sort());
  });
});
