import { expect } from 'bun:test';
import type { Instance } from '../../support/instance.ts';
import { dataOf, type Page } from './support.ts';

const BATCH = 100;

/** Runs a task `count` times in concurrent batches. */
export async function inBatches(count: number, task: (index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += BATCH) {
    await Promise.all(Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => task(start + index)));
  }
}

/** Returns the ids of all submissions of a form, newest first. */
export async function idsIn({ context, owner }: Instance, formId: string): Promise<string[]> {
  const all = await context.store.submissions.list(owner.teamId, formId, { before: null, limit: 100_000 });
  return (all?.items ?? []).map(({ id }) => id);
}

/** Pages through a form; every `changeEvery` pages one submission is added and one is deleted. */
export async function walk(
  instance: Instance,
  formId: string,
  { limit, changeEvery }: Readonly<{ limit: number; changeEvery: number }>,
) {
  const { api, post, owner } = instance;
  const { readKey, writeKey } = owner;
  const earlier = await idsIn(instance, formId);
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

/** Throws unless all submissions that were not deleted meanwhile were seen once, in their order. */
export function expectEachOnce({ earlier, seen, deleted }: Awaited<ReturnType<typeof walk>>): void {
  const seenOnce = new Set(seen);
  expect(seen).toHaveLength(seenOnce.size);
  expect(earlier.filter((id) => !seenOnce.has(id) && !deleted.has(id))).toEqual([]);
  expect(seen).toEqual(earlier.filter((id) => seenOnce.has(id)));
  expect(deleted.size).toBeGreaterThan(10);
}
