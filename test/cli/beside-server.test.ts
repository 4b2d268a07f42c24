import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { createTeamWithForm, instances, json, post, type Resource, read, storedNames } from './command-line.ts';

const fresh = instances();

describe('while a server runs', () => {
  const dataDir = fresh();
  let server: ServerProcess;

  beforeAll(async () => {
    server = await spawnServer(dataDir);
  });
  afterAll(async () => {
    expect(await server.end()).toBe(0);
  });

  test('a form created by a command accepts submissions at once', async () => {
    const { form, key } = await createTeamWithForm(dataDir);
    expect((await post(server.url, form.id, 'by id')).status).toBe(200);
    expect((await post(server.url, form.short_id, 'by short id')).status).toBe(200);
    expect(await storedNames(server.url, form, key.secret)).toEqual(['by short id', 'by id']);
  });

  test('a form paused by a command refuses submissions until it is active again', async () => {
    const { form, key } = await createTeamWithForm(dataDir);
    await json(dataDir, ['form', 'update', form.id, '--active', 'false']);
    const refusal = await post(server.url, form.id, 'paused');
    expect(refusal.status).toBe(403);
    expect(await refusal.json()).toMatchObject({ success: false, code: 'form_paused' });
    await json(dataDir, ['form', 'update', form.id, '--active', 'true']);
    expect((await post(server.url, form.id, 'active')).status).toBe(200);
    expect(await storedNames(server.url, form, key.secret)).toEqual(['active']);
  });

  test('a redirect URL set or removed by a command applies to the next post', async () => {
    const { form } = await createTeamWithForm(dataDir);
    await json(dataDir, ['form', 'update', form.id, '--redirect-url', 'https://example.com/thanks']);
    const endpoint = `${server.url}/v1/forms/${form.id}/submissions`;
    const send = () => fetch(endpoint, { method: 'POST', body: new URLSearchParams('a=b'), redirect: 'manual' });
    const answer = await send();
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://example.com/thanks']);
    await json(dataDir, ['form', 'update', form.id, '--redirect-url', '']);
    expect((await send()).status).toBe(200);
  });

  test('a name and fields set by a command are in the next API response', async () => {
    const { form, key } = await createTeamWithForm(dataDir);
    const fields = [{ name: 'email', label: 'E-mail', type: 'email', required: true }];
    await json(dataDir, ['form', 'update', form.id, '--name', 'Sales', '--fields', JSON.stringify(fields)]);
    const { data } = (await (await read(server.url, `/v1/forms/${form.id}`, key.secret)).json()) as { data: Resource };
    expect(data).toMatchObject({ id: form.id, name: 'Sales', fields });
  });

  test('a key works as soon as it is created, and only for its own team', async () => {
    const [mine, other] = [await createTeamWithForm(dataDir), await createTeamWithForm(dataDir)];
    const { data } = (await (await read(server.url, '/v1/forms', mine.key.secret)).json()) as { data: Resource[] };
    expect(data.map(({ id }) => id)).toEqual([mine.form.id]);
    expect((await read(server.url, `/v1/forms/${other.form.id}`, mine.key.secret)).status).toBe(404);
  });

  test('the next request with a revoked key gets 401, and other keys keep working', async () => {
    const { team, key } = await createTeamWithForm(dataDir);
    const other = await json<Resource>(dataDir, ['key', 'create', '--team', team, '--name', 'Other']);
    expect((await read(server.url, '/v1/forms', key.secret)).status).toBe(200);
    const revoked = await json<Resource>(dataDir, ['key', 'revoke', key.id, '--yes']);
    expect(revoked.revoked_at).toEqual(expect.any(String));
    expect((await read(server.url, '/v1/forms', key.secret)).status).toBe(401);
    expect((await read(server.url, '/v1/forms', other.secret)).status).toBe(200);
  });

  test('a read-only key created by a command cannot write', async () => {
    const { team, form } = await createTeamWithForm(dataDir);
    const { secret, scope } = await json<Resource>(dataDir, ['key', 'create', '--team', team, '--name', 'Reader']);
    expect(scope).toBe('read');
    const answer = await fetch(`${server.url}/v1/forms/${form.id}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Mine now' }),
    });
    expect(answer.status).toBe(403);
    expect(await json<Resource[]>(dataDir, ['form', 'list', '--team', team])).toMatchObject([{ name: 'Contact' }]);
  });

  test('a team on a plan without API access is refused by the next API request, but its forms stay open', async () => {
    const { team, form, key } = await createTeamWithForm(dataDir);
    await json(dataDir, ['team', 'update', team, '--plan', 'free']);
    const refusal = await read(server.url, '/v1/forms', key.secret);
    expect(refusal.status).toBe(403);
    expect(await refusal.json()).toMatchObject({ success: false, error: expect.stringContaining('plan') });
    expect((await post(server.url, form.id)).status).toBe(200);
    await json(dataDir, ['team', 'update', team, '--plan', 'pro']);
    expect(await storedNames(server.url, form, key.secret)).toEqual(['Ada']);
  });

  test('many concurrent commands and posts all succeed', async () => {
    const { team, form } = await createTeamWithForm(dataDir);
    const posts = Promise.all(Array.from({ length: 100 }, (_, n) => post(server.url, form.id, `${n}`)));
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const made = names.map((name) => formstead(dataDir, ['key', 'create', '--team', team, '--name', name, '--json']));
    expect((await Promise.all(made)).map(({ code }) => code)).toEqual(names.map(() => 0));
    expect(new Set((await posts).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await json<Resource[]>(dataDir, ['key', 'list', '--team', team])).toHaveLength(1 + names.length);
  });
});
