import { afterAll, describe, expect, test } from 'bun:test';
import { newSecret } from '../../../src/domain/api-key.ts';
import { startInstance } from '../../support/instance.ts';
import { dataOf, refused, rows } from './support.ts';

const instance = await startInstance({ env: { READS_PER_MINUTE: '1', WRITES_PER_MINUTE: '1' }, monotonic: () => 0 });
afterAll(instance.stop);
const { api, owner, makeOwner } = instance;

/** A request with invalid input and an unknown form. */
const wrongPatch = (key?: string) => api('PATCH', '/v1/forms/frm_unknown', { key, body: '{' });
const wrongRead = (key?: string) => api('GET', '/v1/forms/frm_unknown/submissions?limit=0&before=x', { key });

describe('the order of checks', () => {
  test('a missing or unknown key is checked first', async () => {
    for (const key of [undefined, newSecret()]) {
      await refused(wrongPatch(key), 401);
      await refused(wrongRead(key), 401);
    }
  });

  test('the plan is checked before the scope', async () => {
    const free = await makeOwner('free');
    const ofPlan = await refused(wrongPatch(free.writeKey), 403);
    const ofScope = await refused(wrongPatch(owner.readKey), 403);
    expect((await refused(wrongPatch(free.readKey), 403)).error).toBe(ofPlan.error);
    expect(ofPlan.error).not.toBe(ofScope.error);
  });

  test('the plan is checked before the rate limit', async () => {
    const free = await makeOwner('free');
    for (let time = 0; time < 3; time++) {
      await refused(wrongPatch(free.writeKey), 403);
      await refused(wrongRead(free.readKey), 403);
    }
  });

  test('the scope is checked before the rate limit and does not count against it', async () => {
    const { readKey } = await makeOwner();
    for (let time = 0; time < 3; time++) await refused(wrongPatch(readKey), 403);
    await dataOf(api('GET', '/v1/forms', { key: readKey }));
  });

  test('the rate limit is checked before the input', async () => {
    const { form, writeKey } = await makeOwner();
    await dataOf(api('PATCH', `/v1/forms/${form.id}`, { key: writeKey, body: { name: 'First' } }));
    await refused(wrongPatch(writeKey), 429);
    await dataOf(api('GET', '/v1/forms', { key: writeKey }));
    await refused(wrongRead(writeKey), 429);
    expect(rows(instance, 'SELECT name FROM forms WHERE id = ?', form.id)).toEqual([{ name: 'First' }]);
  });

  test('the input is checked before the resource', async () => {
    const { writeKey } = await makeOwner();
    await refused(wrongPatch(writeKey), 400);
    await refused(wrongRead(writeKey), 400);
  });

  test('a valid request for an unknown form returns 404', async () => {
    const { writeKey } = await makeOwner();
    await refused(api('PATCH', '/v1/forms/frm_unknown', { key: writeKey, body: { name: 'A' } }), 404);
    await refused(api('GET', '/v1/forms/frm_unknown/submissions?limit=1', { key: writeKey }), 404);
  });

  test('a body of any size and type without a key returns 401', async () => {
    for (const type of ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded', 'x']) {
      const options = { body: '{'.repeat(100_000), headers: { 'Content-Type': type } };
      await refused(api('PATCH', '/v1/forms/frm_unknown', options), 401);
      await refused(api('DELETE', '/v1/submissions/sub_unknown', options), 401);
    }
  });
});
