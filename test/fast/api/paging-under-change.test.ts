import { afterAll, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { dataOf, keep, type Page } from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { api, owner, post, makeForm } = instance;
const { readKey, writeKey } = owner;

const BATCH = 100;

/** Runs a task `count` times in concurrent batches. */
async function inBatches(count: number, task: (index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += BATCH) {
    await Promise.all(Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => task(start + index)));
  }
}

async function idsIn(formId: string): Promise<string[]> {
  const all = await instance.context.store.listSubmissions(owner.teamId, formId, { before: null, limit: 100_000 });
  return (all ?? []).map(({ id }) => id);
}

/** Pages through a form; every `changeEvery` pages one submission is added and one is deleted. */
async function walk(formId: string, { limit, changeEvery }: Readonly<{ limit: number; changeEvery: number }>) {
  const earlier = await idsIn(formId);
  const seen: string[] = [];
  const deleted = new Set<string>();
  let cursor: string | null = null;
  let pages = 0;
  do {
    const before: string = cursor === null ? '' : `&before=${cursor}`;
    const path = `/v1/forms/${formId}/submissions?limit=${limit}${before}`;
    const { items, next_cursor } = await dataOf<Page>(api('GET', path, { key: readKey }));
    seen.push(...items.map(({ id }) => id));
    cursor = next_cursor;
    if (pages++ % changeEvery === 0) {
      // In turn: the row of the cursor, one not seen yet, and any other.
      const ahead = earlier[Math.min(seen.length + 1, earlier.length - 1)];
      const victim = [items.at(-1)?.id, ahead, earlier[(pages * 7919) % earlier.length]][pages % 3] ?? '';
      await Promise.all([
        post(formId, { note: 'while paging' }),
        api('DELETE', `/v1/submissions/${victim}`, { key: writeKey }),
      ]);
      deleted.add(victim);
    }
  } while (cursor !== null);
  return { earlier, seen, deleted };
}

function expectEachOnce({ earlier, seen, deleted }: Awaited<ReturnType<typeof walk>>): void {
  const seenOnce = new Set(seen);
  expect(seen).toHaveLength(seenOnce.size);
  expect(earlier.filter((id) => !seenOnce.has(id) && !deleted.has(id))).toEqual([]);
  expect(seen).toEqual(earlier.filter((id) => seenOnce.has(id)));
  expect(deleted.size).toBeGreaterThan(10);
}

test('2,000 concurrent submissions are each listed exactly once while others are added and deleted', async () => {
  const { id: formId } = owner.form;
  const sent = new Set<number>();
  await inBatches(500, async (index) => {
    const { status } = await post(formId, { index });
    if (status === 200) sent.add(index);
  });
  await inBatches(1_500, (index) => keep(instance, owner, { index: index + 500 }));
  expect(sent.size).toBe(500);
  expect(await idsIn(formId)).toHaveLength(2_000);

  expectEachOnce(await walk(formId, { limit: 7, changeEvery: 10 }));
  expectEachOnce(await walk(formId, { limit: 100, changeEvery: 1 }));
});

test('120 submissions are each listed exactly once with one per page', async () => {
  const { id: formId } = await makeForm(owner);
  await inBatches(120, (index) => keep(instance, owner, { index }, { formId }));
  expectEachOnce(await walk(formId, { limit: 1, changeEvery: 3 }));
});
