import { afterAll, expect, test } from 'bun:test';
import { USAGE_TEXTS } from '../../../src/dashboard/usage/texts.ts';
import { startInstance } from '../../support/instance.ts';
import { signIn } from '../dashboard/signed-in.ts';
import { filePart } from './files.ts';
import { expectAccepted, expectRefused, multipart, send, used } from './helpers.ts';

const PLANS = JSON.stringify({
  small: { api_access: true, submissions_limit: null, storage_bytes: 100_000 },
  none: { api_access: true, submissions_limit: null, storage_bytes: 0 },
});
const instance = await startInstance({ env: { PLANS } });
afterAll(instance.stop);

const upload = (bytes: number) => multipart([filePart('cv', 'cv.txt', 'a'.repeat(bytes))]);

test('a team whose storage is full gets no more submissions until some are deleted', async () => {
  const owner = await instance.makeOwner('small');
  const { context, post, api } = instance;
  await expectAccepted(await send(instance, owner, upload(60_000)));
  const stored = await context.store.usage.countStorage(owner.teamId);
  expect(stored).toBeGreaterThan(60_000);
  expect(stored).toBeLessThan(61_000);
  await expectRefused(await send(instance, owner, upload(40_000)), 403, 'storage_limit_reached');
  await expectRefused(await post(owner.form.id, { a: 'b'.repeat(40_000) }), 403, 'storage_limit_reached');
  await expectAccepted(await post(owner.form.id, { a: 'b'.repeat(30_000) }));
  expect(await used(instance, owner)).toBe(2);

  const [text, file] = await instance.stored(owner);
  for (const submission of [file, text]) {
    const answer = await api('DELETE', `/v1/submissions/${submission?.id}`, { key: owner.writeKey });
    expect(answer.status).toBe(200);
    await expectAccepted(await post(owner.form.id, { a: 'b' }));
  }
  const page = await context.store.submissions.list(owner.teamId, owner.form.id, { before: null, limit: 10 });
  const left = page?.items.map(({ payload }) => payload.length) ?? [];
  expect([left.length, await context.store.usage.countStorage(owner.teamId)]).toEqual([
    2,
    (left[0] ?? 0) + (left[1] ?? 0),
  ]);
});

test('concurrent posts do not exceed the limit together', async () => {
  const owner = await instance.makeOwner('small');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => instance.post(owner.form.id, { a: 'b'.repeat(9_500) })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(await instance.context.store.usage.countStorage(owner.teamId)).toBeLessThanOrEqual(100_000);
});

test('a team without a limit is not refused, and retention and erasure give room back', async () => {
  const owner = await instance.makeOwner();
  await expectAccepted(await send(instance, owner, upload(60_000)));
  await expectAccepted(await send(instance, owner, upload(60_000)));
  const { store, clock } = instance.context;
  // A batch has as many as a slow machine deletes in time.
  const deleteSome = async () => (await store.retention.deleteOlder(owner.form.id, clock() + 1_000_000)).submissions;
  let deleted = 0;
  for (let some = await deleteSome(); some > 0; some = await deleteSome()) deleted += some;
  expect([deleted, await store.usage.countStorage(owner.teamId)]).toEqual([2, 0]);
});

test('the usage page shows the storage', async () => {
  const owner = await instance.makeOwner('small');
  await expectAccepted(await instance.post(owner.form.id, { a: 'b'.repeat(40_000) }));
  const me = await signIn(instance, owner);
  expect(await me.page('/dashboard/usage')).toContain(USAGE_TEXTS.en.ofStorage('40.1 kB', '100 kB'));
  const unlimited = await signIn(instance, instance.owner);
  expect((await unlimited.get('/dashboard/usage')).status).toBe(404);
});

test('a limit of 0 takes nothing', async () => {
  const owner = await instance.makeOwner('none');
  await expectRefused(await instance.post(owner.form.id, { a: 'b' }), 403, 'storage_limit_reached');
});
