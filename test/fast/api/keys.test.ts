import { afterAll, describe, expect, test } from 'bun:test';
import { loadSecrets } from '../../../src/config/config.ts';
import { openContext } from '../../../src/context/context.ts';
import { hashSecret, isWellFormedSecret, newSecret } from '../../../src/domain/api-key.ts';
import { SECOND } from '../../../src/lib/clock.ts';
import { databaseSettings, startInstance } from '../../support/instance.ts';
import { addressOf, dataOf, keep, managementRoutes, refused, rows } from './support.ts';

let now = Date.UTC(2026, 10, 21, 8) * 1000;
const instance = await startInstance({ clock: () => now });
afterAll(instance.stop);
const { api, context, makeKey, owner } = instance;
const submissionId = await keep(instance, owner);

describe('a secret', () => {
  test('begins with fs_live_ and is well-formed', () => {
    expect(newSecret()).toMatch(/^fs_live_[0-9A-Za-z]{36}$/);
    expect(isWellFormedSecret(newSecret())).toBe(true);
  });

  test('with one character changed, removed or added is not well-formed', () => {
    const secret = newSecret();
    for (let at = 0; at < secret.length; at++) {
      const changed = secret.charAt(at) === 'A' ? 'B' : 'A';
      expect(isWellFormedSecret(secret.slice(0, at) + changed + secret.slice(at + 1))).toBe(false);
      expect(isWellFormedSecret(secret.slice(0, at) + secret.slice(at + 1))).toBe(false);
    }
    for (const longer of [`${secret}A`, ` ${secret}`, `${secret}\n`]) expect(isWellFormedSecret(longer)).toBe(false);
  });

  test('is unique', () => {
    expect(new Set(Array.from({ length: 1_000 }, newSecret)).size).toBe(1_000);
  });

  test('is stored only as a hash', async () => {
    const { id, secret } = await makeKey(owner);
    const [row] = rows(instance, 'SELECT * FROM api_keys WHERE id = ?', id);
    expect(row).toMatchObject({ id, hash: hashSecret(secret), scope: 'read' });
    expect(JSON.stringify(row)).not.toContain(secret.slice(8, 30));
  });
});

describe('a key is read from the Authorization header only', () => {
  const { writeKey } = owner;
  const routes = managementRoutes(instance).map(({ method, path }) => ({
    method,
    address: addressOf(path, { formId: owner.form.id, submissionId }),
  }));

  test('never from the query, even with another scheme in the header', async () => {
    const names = ['access_token', '', 'key', 'api_key', 'bearer', 'token', 'undefined', 'Authorization'];
    for (const { method, address } of routes) {
      for (const name of names) {
        await refused(api(method, `${address}?${name}=${writeKey}`), 401);
        const headers = { Authorization: `Basic ${writeKey}` };
        await refused(api(method, `${address}?${name}=${writeKey}`, { headers }), 401);
      }
    }
  });

  test('never from the body, JSON or urlencoded', async () => {
    const json = { 'Content-Type': 'application/json' };
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const { method, address } of routes.filter((route) => route.method !== 'GET')) {
      for (const name of ['access_token', 'key', 'bearer', 'name']) {
        await refused(api(method, address, { body: { [name]: writeKey }, headers: json }), 401);
        await refused(api(method, address, { body: `${name}=${writeKey}`, headers: form }), 401);
      }
    }
    expect(rows(instance, 'SELECT name FROM forms WHERE id = ?', owner.form.id)).toEqual([{ name: 'Contact' }]);
  });

  test('never from another header', async () => {
    for (const name of ['X-Api-Key', 'Cookie', 'Proxy-Authorization', 'X-Authorization']) {
      await refused(api('GET', '/v1/forms', { headers: { [name]: `Bearer ${writeKey}` } }), 401);
    }
  });

  test('never with another scheme or without one', async () => {
    const values = [`Basic ${writeKey}`, writeKey, `Token ${writeKey}`, `BearerX${writeKey}`, `Bearer x ${writeKey}`];
    for (const value of values) await refused(api('GET', '/v1/forms', { headers: { Authorization: value } }), 401);
  });

  test('with the scheme in upper or lower case', async () => {
    const paths = ['/v1/forms', `/v1/forms/${owner.form.id}/submissions`, '/v1/workspaces', '/v1/usage'];
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
      const headers = { Authorization: `${scheme} ${writeKey}` };
      for (const path of paths) await dataOf(api('GET', path, { headers }));
    }
  });
});

describe('a key', () => {
  test('is refused from the next request after it was revoked', async () => {
    const { id, secret } = await makeKey(owner);
    await dataOf(api('GET', '/v1/forms', { key: secret }));
    await context.store.keys.revoke(id, now);
    await refused(api('GET', '/v1/forms', { key: secret }), 401);
    await dataOf(api('GET', '/v1/forms', { key: owner.readKey }));
  });

  test('is valid until it expires', async () => {
    const { secret } = await makeKey(owner, 'read', now + 60 * SECOND);
    now += 60 * SECOND - 1;
    await dataOf(api('GET', '/v1/forms', { key: secret }));
    now += 1;
    await refused(api('GET', '/v1/forms', { key: secret }), 401);
  });

  test('keeps its scope', async () => {
    const { id, secret } = await makeKey(owner, 'read');
    await refused(api('PATCH', `/v1/forms/${owner.form.id}`, { key: secret, body: { name: 'Changed' } }), 403);
    await makeKey(owner, 'read_write');
    await refused(api('DELETE', `/v1/submissions/${submissionId}`, { key: secret }), 403);
    expect(rows(instance, 'SELECT scope FROM api_keys WHERE id = ?', id)).toEqual([{ scope: 'read' }]);
  });

  test('with the scope read_write can also read', async () => {
    await dataOf(api('GET', `/v1/submissions/${submissionId}`, { key: owner.writeKey }));
  });
});

test('the last use of a key is recorded after the request', async () => {
  const short = await startInstance({ clock: () => now });
  const { id, secret } = await short.makeKey(short.owner);
  const lastUse = () => rows(short, 'SELECT last_used_at FROM api_keys WHERE id = ?', id);
  now += SECOND;
  for (let time = 0; time < 20; time++) await dataOf(short.api('GET', '/v1/forms', { key: secret }));
  expect(lastUse()).toEqual([{ last_used_at: null }]);
  await short.context.keyUse.flush();
  expect(lastUse()).toEqual([{ last_used_at: now }]);

  now += SECOND;
  await dataOf(short.api('GET', '/v1/forms', { key: secret }));
  await short.context.close();
  const reopened = await openContext({
    config: short.context.config,
    secrets: loadSecrets(databaseSettings(short.dataDir), () => ''),
    writeLog: () => {},
    prettyLog: false,
  });
  const key = (await reopened.store.keys.list(short.owner.teamId)).find((one) => one.id === id);
  expect(key?.lastUsedAt).toBe(now);
  await reopened.close();
  await short.stop();
});
