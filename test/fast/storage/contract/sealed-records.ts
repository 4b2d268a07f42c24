import { afterAll, describe, expect, test } from 'bun:test';
import type { SealedCursor, SealedRecord } from '../../../../src/storage/records.ts';
import { type Engine, openFixture } from './fixture.ts';

/** Tests sealed records. */
export async function describeSealedRecords(engine: Engine): Promise<void> {
  const { store, makeForm, submission } = await openFixture(engine);
  describe(`sealed records in ${engine.name}`, () => {
    afterAll(() => store.close());

    /** Returns random bytes with the header of a record under a key. */
    const record = (keyId: number, size = 64) => {
      const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(size)));
      bytes[0] = 1;
      bytes.writeUInt32BE(keyId, 1);
      return bytes;
    };
    const all = async (except: number | null = null) => {
      const records: SealedRecord[] = [];
      let scanned = 0;
      for (let from: SealedCursor | null | undefined; from !== null; ) {
        const page = await store.sealedRecords.list(from ?? null, except);
        records.push(...page.records);
        scanned += page.scanned;
        from = page.next;
      }
      return { records, scanned };
    };
    const keyOf = (bytes: Uint8Array) => Buffer.from(bytes).readUInt32BE(1);
    const ofKeys = async (...ids: number[]) => {
      const { records } = await all();
      return records.filter(({ record: bytes }) => ids.includes(keyOf(bytes)));
    };

    test('are listed once from all tables with their AAD, without those under the excluded key', async () => {
      const place = await makeForm();
      const { form } = place;
      await store.forms.update(form.id, { challengeSecret: record(101) });
      const spam = {
        ...submission(place),
        isSpam: true,
        payload: record(101),
        spamReasons: record(101),
        files: record(102),
      };
      await store.queue.accept(spam);
      const many = Array.from({ length: 450 }, () => ({ ...submission(place), payload: record(102) }));
      await Promise.all(many.map((one) => store.queue.accept(one)));
      const large = { ...submission(place), payload: record(102, 400_000) };
      await store.queue.accept(large);

      const found = await ofKeys(101, 102);
      const at = (column: string, row = spam.id, table = 'submissions') => ({ table, row, form: form.id, column });
      const places = [
        ...['payload', 'files', 'spam_reasons'].map((column) => at(column)),
        ...[...many, large].map(({ id }) => at('payload', id)),
        at('challenge_secret', form.id, 'forms'),
      ];
      expect(found.map((one) => one.aad)).toEqual(places);
      expect(found.at(-2)?.record).toEqual(large.payload);
      const others = (await all(102)).records.filter((one) => found.some(({ aad: { row } }) => row === one.aad.row));
      expect(others.map((one) => one.aad)).toEqual([
        at('payload'),
        at('spam_reasons'),
        at('challenge_secret', form.id, 'forms'),
      ]);
      const { records, rows } = await store.sealedRecords.count();
      expect([records.get(101), records.get(102)]).toEqual([3, 452]);
      expect((await all()).scanned).toBe(rows);
    });

    test('are replaced only if they have not changed', async () => {
      const place = await makeForm();
      const rows = Array.from({ length: 3 }, () => ({ ...submission(place), payload: record(201) }));
      for (const row of rows) await store.queue.accept(row);
      const changes = (await ofKeys(201)).map((one) => ({ ...one, resealed: record(202) }));
      const [first, second, third] = changes;
      // Simulate a concurrent change by another process.
      if (first) await store.sealedRecords.replace([{ ...first, resealed: record(203) }]);
      await store.retention.deleteSubmission(rows[1]?.id ?? '', place.teamId);
      expect(await store.sealedRecords.replace(changes)).toBe(1);
      expect(await store.sealedRecords.replace([])).toBe(0);
      expect((await ofKeys(201, 202, 203)).map(({ aad: { row }, record: bytes }) => [row, keyOf(bytes)])).toEqual([
        [first?.aad.row ?? '', 203],
        [third?.aad.row ?? '', 202],
      ]);
      expect(await store.submissions.find(second?.aad.row ?? '', place.teamId)).toBeNull();
      expect((await ofKeys(202))[0]?.record).toEqual(third?.resealed ?? Buffer.alloc(0));
    });
  });
}
