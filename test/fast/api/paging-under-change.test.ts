import { afterAll, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { expectEachOnce, idsIn, inBatches, walk } from './paging-walk.ts';
import { keep } from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { owner, post, makeForm } = instance;

test('2,000 concurrent submissions are each listed exactly once while others are added and deleted', async () => {
  const { id: formId } = owner.form;
  const sent = new Set<number>();
  await inBatches(500, async (index) => {
    const { status } = await post(formId, { index });
    if (status === 200) sent.add(index);
  });
  await inBatches(1_500, (index) => keep(instance, owner, { index: index + 500 }));
  expect(sent.size).toBe(500);
  expect(await idsIn(instance, formId)).toHaveLength(2_000);

  expectEachOnce(await walk(instance, formId, { limit: 7, changeEvery: 10 }));
  expectEachOnce(await walk(instance, formId, { limit: 100, changeEvery: 1 }));
});

test('120 submissions are each listed exactly once with one per page', async () => {
  const { id: formId } = await makeForm(owner);
  await inBatches(120, (index) => keep(instance, owner, { index }, { formId }));
  expectEachOnce(await walk(instance, formId, { limit: 1, changeEvery: 3 }));
});
