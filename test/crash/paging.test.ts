import { afterAll, expect, test } from 'bun:test';
import { expectEachOnce, idsIn, inBatches, walk } from '../fast/api/paging-walk.ts';
import { startInstance } from '../support/instance.ts';

const instance = await startInstance();
afterAll(instance.stop);

test('10,000 posted submissions are each listed exactly once while others are added and deleted', async () => {
  const { owner, post } = instance;
  let stored = 0;
  await inBatches(10_000, async (index) => {
    const { status } = await post(owner.form.id, { index });
    if (status === 200) stored++;
  });
  expect(stored).toBe(10_000);
  expect(await idsIn(instance, owner.form.id)).toHaveLength(10_000);

  expectEachOnce(await walk(instance, owner.form.id, { limit: 7, changeEvery: 10 }));
  expectEachOnce(await walk(instance, owner.form.id, { limit: 100, changeEvery: 1 }));
});
