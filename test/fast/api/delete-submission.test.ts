import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { dataOf, keep, type Page, refused, rows } from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { api, owner } = instance;
const { readKey, writeKey } = owner;

const listed = async () => {
  const { items } = await dataOf<Page>(api('GET', `/v1/forms/${owner.form.id}/submissions`, { key: readKey }));
  return items.map(({ id }) => id);
};
const rowsOf = (id: string) => rows(instance, 'SELECT id FROM submissions WHERE id = ?', id);

describe('DELETE /v1/submissions/:submissionId', () => {
  test('removes the submission from the list, the single read and the database, and no other', async () => {
    const older = await keep(instance, owner);
    const id = await keep(instance, owner);
    const newer = await keep(instance, owner);
    expect(await dataOf(api('DELETE', `/v1/submissions/${id}`, { key: writeKey }))).toEqual({ id, deleted: true });
    await refused(api('GET', `/v1/submissions/${id}`, { key: readKey }), 404);
    expect(await listed()).toEqual([newer, older]);
    expect(rowsOf(id)).toEqual([]);
  });

  test('returns 404 the second time', async () => {
    const id = await keep(instance, owner);
    await dataOf(api('DELETE', `/v1/submissions/${id}`, { key: writeKey }));
    await refused(api('DELETE', `/v1/submissions/${id}`, { key: writeKey }), 404);
  });

  test('succeeds once for ten concurrent requests', async () => {
    const id = await keep(instance, owner);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api('DELETE', `/v1/submissions/${id}`, { key: writeKey })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(404)]);
  });

  test('does not reduce usage', async () => {
    const team = await instance.makeOwner('pro');
    const id = await keep(instance, team);
    await dataOf(api('DELETE', `/v1/submissions/${id}`, { key: team.writeKey }));
    const usage = await dataOf(api('GET', '/v1/usage', { key: team.readKey }));
    expect(usage).toMatchObject({ submissions_used: 1, remaining: 4_999 });
  });

  test('of a submission of another team returns 404 and deletes nothing', async () => {
    const other = await instance.makeOwner();
    const id = await keep(instance, other);
    await refused(api('DELETE', `/v1/submissions/${id}`, { key: writeKey }), 404);
    expect(rowsOf(id)).toEqual([{ id }]);
    await dataOf(api('GET', `/v1/submissions/${id}`, { key: other.readKey }));
  });

  test('of an unknown or malformed id returns 404 and deletes nothing', async () => {
    const id = await keep(instance, owner);
    for (const wrong of ['sub_unknown', id.toUpperCase(), `${id}x`, '%25', "'%20OR%201=1--", '*', '%00', 'a%2Fb']) {
      await refused(api('DELETE', `/v1/submissions/${wrong}`, { key: writeKey }), 404);
    }
    expect(rowsOf(id)).toEqual([{ id }]);
  });

  test('ignores a body', async () => {
    const [id, other] = [await keep(instance, owner), await keep(instance, owner)];
    await dataOf(api('DELETE', `/v1/submissions/${id}`, { key: writeKey, body: { submissionId: other } }));
    const malformed = { key: writeKey, body: '{', headers: { 'Content-Type': 'multipart/form-data' } };
    await dataOf(api('DELETE', `/v1/submissions/${other}`, malformed));
    expect([rowsOf(id), rowsOf(other)]).toEqual([[], []]);
  });
});
