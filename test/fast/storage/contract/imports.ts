import { afterAll, describe, expect, test } from 'bun:test';
import { DAY } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import type { ImportedSubmission } from '../../../../src/storage/records.ts';
import { type Engine, JULY, openFixture, type Place } from './fixture.ts';

/** Tests imports. */
export async function describeImports(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission, used, page } = await openFixture(engine);

  const start = async ({ form }: Place) => {
    const id = newId('imp');
    await store.imports.create({ id, formId: form.id, source: 'plain', createdAt: clock.now });
    return id;
  };
  const row = (hash: string, createdAt = JULY - DAY, parts: Partial<ImportedSubmission> = {}): ImportedSubmission => ({
    ...{ id: newId('sub'), isSpam: false, payload: Buffer.from([1, 2, 3]), files: null, blobs: [], fileBytes: 0 },
    ...{ createdAt, hash, ...parts },
  });
  const undo = async (id: string) => {
    let [after, deleted, blobs]: [string | null, number, string[]] = ['', 0, []];
    while (after !== null) {
      const batch = await store.retention.deleteImported(id, after);
      deleted += batch.submissions;
      blobs = [...blobs, ...batch.blobs];
      after = batch.last;
    }
    return { deleted, blobs };
  };

  describe(`imports in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('store rows at their times, read, without usage, and counted per day', async () => {
      const place = await makeForm();
      const rows = [row(newId('h')), row(newId('h'), JULY - 2 * DAY, { isSpam: true })];
      const added = await store.imports.add(await start(place), rows);
      expect(added).toEqual(rows.map(({ id }) => id));
      const stored = (await page(place)) ?? [];
      expect(stored.map(({ id, createdAt, isSpam, readAt }) => ({ id, createdAt, isSpam, readAt }))).toEqual(
        rows.map(({ id, createdAt, isSpam }) => ({ id, createdAt, isSpam, readAt: clock.now })),
      );
      expect(await used(place)).toBe(0);
      const span = { formId: place.form.id, state: 'spam', from: 0, until: Number.MAX_SAFE_INTEGER } as const;
      expect((await store.exports.estimate(span)).atMost).toBe(1);
    });

    test('give rows of one time the next free microseconds, in order', async () => {
      const place = await makeForm();
      const time = JULY - 3 * DAY;
      const [first, second, third] = [row(newId('h'), time), row(newId('h'), time), row(newId('h'), time + 1)];
      await store.imports.add(await start(place), [first, second, third]);
      const later = row(newId('h'), time);
      await store.imports.add(await start(place), [later]);
      const times = (await page(place))?.map(({ id, createdAt }) => [id, createdAt - time]);
      expect(times).toEqual([
        [later.id, 3],
        [third.id, 2],
        [second.id, 1],
        [first.id, 0],
      ]);
    });

    test('do not change the time of the next submission', async () => {
      const place = await makeForm();
      const accepted = await store.queue.accept(submission(place));
      await store.imports.add(await start(place), [row(newId('h'))]);
      const next = await store.queue.accept(submission(place));
      if (accepted.outcome !== 'stored' || next.outcome !== 'stored') throw new Error('not stored');
      expect(next.createdAt).toBe(accepted.createdAt + 1);
    });

    test('store each hash once, also within a batch and after its submission was deleted', async () => {
      const place = await makeForm();
      const hash = newId('h');
      const importId = await start(place);
      const [first, twin] = [row(hash), row(hash)];
      const added = await store.imports.add(importId, [first, twin]);
      expect(added).toEqual([first.id]);
      await store.retention.deleteSubmission(first.id, place.teamId);
      expect(await store.imports.findHashes([hash, 'other'])).toEqual([hash]);
      expect(await store.imports.add(await start(place), [row(hash)])).toEqual([]);
      expect(await page(place)).toEqual([]);
    });

    test('are undone with their files, except for the hashes of rows deleted earlier', async () => {
      const place = await makeForm();
      const importId = await start(place);
      const [gone, kept] = [row(newId('h')), row(newId('h'), JULY - DAY, { blobs: ['b1'], fileBytes: 5 })];
      const many = Array.from({ length: 450 }, () => row(newId('h')));
      await store.imports.add(importId, [gone, kept, ...many]);
      await store.retention.deleteSubmission(gone.id, place.teamId);
      expect(await store.imports.find(importId)).toMatchObject({ added: 452, undoneAt: null });
      expect(await undo(importId)).toEqual({ deleted: 451, blobs: ['b1'] });
      expect(await store.imports.findHashes([gone.hash, kept.hash])).toEqual([gone.hash]);
      expect(await page(place)).toEqual([]);
      expect(await undo(importId)).toEqual({ deleted: 0, blobs: [] });
    });

    test('end when they are undone or their form is in the trash', async () => {
      const place = await makeForm();
      const importId = await start(place);
      await store.imports.setEnd(importId, { undoneAt: clock.now });
      expect(await store.imports.add(importId, [row(newId('h'))])).toBeNull();
      const other = await start(place);
      await store.trash.moveForm(place.form.id, place.teamId, clock.now);
      expect(await store.imports.add(other, [row(newId('h'))])).toBeNull();
      expect(await store.imports.add('imp_unknown', [row(newId('h'))])).toBeNull();
    });

    test('are listed newest first, and deleted with their form after their hashes', async () => {
      const place = await makeForm();
      const hash = newId('h');
      const first = await start(place);
      clock.now += 1;
      const second = await start(place);
      clock.now -= 1;
      await store.imports.setEnd(first, { finishedAt: JULY });
      const added = row(hash);
      await store.imports.add(first, [added]);
      expect((await store.imports.list(place.form.id, 10)).map(({ id }) => id)).toEqual([second, first]);
      expect(await store.imports.find(first)).toMatchObject({ source: 'plain', added: 1, finishedAt: JULY });
      await store.retention.deleteSubmission(added.id, place.teamId);
      await store.trash.moveForm(place.form.id, place.teamId, JULY);
      expect(await store.imports.deleteRows(place.form.id, 10)).toBe(1);
      expect(await store.imports.deleteRows(place.form.id, 10)).toBe(0);
      await store.trash.deleteForm(place.form.id);
      expect(await store.imports.find(first)).toBeNull();
      expect(await store.imports.findHashes([hash])).toEqual([]);
    });
  });
}
