import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OPERATIONS } from '../../../src/api/index.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { keep, managementRoutes, tamper } from './support.ts';

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => instance.stop());

const CANARY = 'kanarienvogel';

const allEntries = () => instance.context.store.audit.listFrom(null, { since: 0, after: 0, limit: 1000 });

/** Returns the status of a request and the audit entries it created. */
async function during(request: () => Promise<Response>) {
  const before = (await allEntries()).length;
  const { status } = await request();
  return { status, entries: (await allEntries()).slice(before) };
}

test('every write of the management API declares an action, and no read does', () => {
  const routes = managementRoutes(instance);
  expect(routes.length).toBeGreaterThan(20);

  for (const { name, method, path } of routes) {
    const operation = OPERATIONS.find((declared) => declared.method === method && declared.path === path);
    expect([name, operation?.audit]).toEqual([name, method === 'GET' ? undefined : expect.any(String)]);
  }
});

describe('a successful write is recorded once with key, address and object:', () => {
  const from = { 'X-Forwarded-For': '2001:db8:77::1' };
  const actorOf = async (secret: string) => {
    const keys = await instance.context.store.keys.list(instance.owner.teamId);
    const { status } = await instance.api('GET', '/v1/usage', { key: secret });
    expect(status).toBe(200);
    return { kind: 'key', id: keys.find(({ scope }) => scope === 'read_write')?.id, name: 'read_write' };
  };

  test('an updated form with the names of the changed settings', async () => {
    const { owner } = instance;
    const { status, entries } = await during(() =>
      instance.api('PATCH', `/v1/forms/${owner.form.id}`, {
        key: owner.writeKey,
        body: { name: CANARY, isActive: true },
        headers: from,
      }),
    );
    expect(status).toBe(200);
    expect(entries).toMatchObject([
      {
        teamId: owner.teamId,
        actor: { ...(await actorOf(owner.writeKey)), address: '2001:db8:77:…' },
        action: 'form.changed',
        details: { form_id: owner.form.id, settings: 'name, isActive' },
      },
    ]);
  });

  test('a deleted submission', async () => {
    const { owner } = instance;
    const id = await keep(instance, owner, { message: CANARY });
    const { entries } = await during(() =>
      instance.api('DELETE', `/v1/submissions/${id}`, { key: owner.writeKey, headers: from }),
    );
    expect(entries).toMatchObject([{ action: 'submission.deleted', details: { submission_id: id } }]);
    expect(entries[0]?.actor).toMatchObject(await actorOf(owner.writeKey));
  });
});

test('refused requests and reads are not recorded', async () => {
  const { owner, api } = instance;
  const path = `/v1/forms/${owner.form.id}`;
  const before = await allEntries();
  const other = await instance.makeOwner();
  const answers = [
    await api('PATCH', path, { body: { name: 'x' } }),
    await api('PATCH', path, { key: owner.readKey, body: { name: 'x' } }),
    await api('PATCH', path, { key: owner.writeKey, body: { name: '' } }),
    await api('PATCH', path, { key: owner.writeKey, body: { nme: 'x' } }),
    await api('PATCH', path, { key: other.writeKey, body: { name: 'x' } }),
    await api('DELETE', '/v1/submissions/sub_none', { key: owner.writeKey }),
    await api('GET', path, { key: owner.writeKey }),
    await api('GET', `${path}/submissions`, { key: owner.writeKey }),
    await instance.post(owner.form.id, { message: CANARY }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 403, 400, 400, 404, 404, 200, 200, 200]);
  expect(await allEntries()).toEqual(before);
});

test('entries contain no submitted data', async () => {
  expect(JSON.stringify(await allEntries())).not.toContain(CANARY);
});

test('a write that cannot be recorded succeeds and is logged', async () => {
  const { owner, logs } = instance;
  tamper(instance, 'ALTER TABLE audit RENAME TO elsewhere');
  const answer = await instance.api('PATCH', `/v1/forms/${owner.form.id}`, {
    key: owner.writeKey,
    body: { name: CANARY },
  });
  tamper(instance, 'ALTER TABLE elsewhere RENAME TO audit');
  expect(answer.status).toBe(200);
  const line = logs.find((log) => log.includes('could not be recorded')) ?? '';
  expect(JSON.parse(line)).toMatchObject({ level: 'error', action: 'form.changed', form_id: owner.form.id });
  expect(logs.join('')).not.toContain(CANARY);
});
