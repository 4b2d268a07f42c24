import { beforeEach, describe, expect, test } from 'bun:test';
import type { Blobs } from '../../../src/storage/blobs.ts';
import { until } from '../../support/until.ts';

/** Blobs on an empty storage. `again` opens the same storage again, as another process would. */
export type OpenBlobs = () => Readonly<{ blobs: Blobs; again: () => Blobs }>;

/** Runs the contract tests of `Blobs` through the interface only. */
export function describeBlobs(name: string, open: OpenBlobs): void {
  describe(`blobs on ${name}`, () => {
    let blobs: Blobs;
    let again: () => Blobs;
    beforeEach(() => {
      ({ blobs, again } = open());
    });

    const keep = async (...pieces: string[]) => {
      const blob = await blobs.create();
      for (const piece of pieces) await blob.write([Buffer.from(piece)]);
      await blob.finish();
      return blob.name;
    };
    const read = async (name: string, from = blobs) => {
      const blob = await from.read(name);
      if (!blob) return null;
      const pieces = await Array.fromAsync(blob.bytes, (bytes) => Buffer.from(bytes));
      return { size: blob.size, text: Buffer.concat(pieces).toString() };
    };
    const listed = async (from = blobs) => (await Array.fromAsync(from.list())).map((facts) => facts.name).sort();

    test('are read as they were written, also by another process', async () => {
      const name = await keep('one', '', 'two');
      expect(await read(name)).toEqual({ size: 6, text: 'onetwo' });
      expect(await read(name, again())).toEqual({ size: 6, text: 'onetwo' });
    });

    test('may be empty or long', async () => {
      expect(await read(await keep())).toEqual({ size: 0, text: '' });
      const long = 'x'.repeat(700_000);
      expect(await read(await keep(long, long))).toEqual({ size: 1_400_000, text: long + long });
    });

    test('may consist of pieces of any length, also while others are written', async () => {
      const piecesOf = (first: string) => [first, 'b'.repeat(65_536), 'c', 'd'.repeat(65_535), 'e'.repeat(70_000), 'f'];
      const texts = ['', 'a', 'a'.repeat(65_536), 'a'.repeat(131_072), 'a'.repeat(131_073)];
      const names = await Promise.all(texts.map((first) => keep(...piecesOf(first))));
      const short = await keep('short');
      for (const [index, first] of texts.entries()) {
        const text = piecesOf(first).join('');
        expect(await read(names[index] ?? '')).toEqual({ size: text.length, text });
      }
      expect(await read(short)).toEqual({ size: 5, text: 'short' });
    });

    test('get a random name each', async () => {
      const names = await Promise.all(Array.from({ length: 100 }, () => keep('x')));
      expect(new Set(names).size).toBe(100);
      expect(names.every((name) => /^[0-9a-f]{32}$/.test(name))).toBe(true);
    });

    test('that do not exist read as null and are removed without an error', async () => {
      expect(await read('0'.repeat(32))).toBeNull();
      await blobs.remove(['0'.repeat(32)]);
    });

    test('are listed with size and age once they are referenced, and by other processes at once', async () => {
      const before = Date.now() * 1000;
      const name = await keep('12345');
      expect(await listed()).toEqual([]);
      expect(await listed(again())).toEqual([name]);
      blobs.markReferenced([name]);
      const [facts] = await Array.fromAsync(blobs.list());
      expect(facts).toMatchObject({ name, size: 5 });
      expect(Math.abs((facts?.modifiedAt ?? 0) - before)).toBeLessThan(60_000_000);
    });

    test('that were referenced earlier are listed by a later process', async () => {
      const names = [await keep('a'), await keep('b')].sort();
      blobs.markReferenced(names);
      expect(await listed()).toEqual(names);
    });

    test('are removed completely, also while they are written', async () => {
      const [whole, other] = [await keep('a'), await keep('b')];
      const half = await blobs.create();
      await half.write([Buffer.from('half')]);
      await blobs.remove([whole, half.name, 'f'.repeat(32)]);
      expect(await listed(again())).toEqual([other]);
      expect(await read(whole)).toBeNull();
    });

    test('that are removed during a read are read to their end', async () => {
      const long = 'x'.repeat(700_000);
      const name = await keep(long);
      const blob = await blobs.read(name);
      let length = 0;
      for await (const bytes of blob?.bytes ?? []) {
        length += bytes.length;
        await blobs.remove([name]);
      }
      expect(length).toBe(long.length);
    });

    test('that are opened but not read to their end leave no open file', async () => {
      const name = await keep('x'.repeat(700_000));
      for (let time = 0; time < 20; time++) {
        await blobs.read(name);
        for await (const _ of (await blobs.read(name))?.bytes ?? []) break;
      }
      // Bun would throw for an open file handle.
      await collectGarbage();
      expect(await read(name)).toMatchObject({ size: 700_000 });
    });
  });
}

/** Collects garbage and waits until finalizers have run, by a sentinel object. */
export async function collectGarbage(): Promise<void> {
  let isCollected = false;
  const registry = new FinalizationRegistry(() => {
    isCollected = true;
  });
  // A separate function, so that no stack frame keeps the object alive.
  (() => registry.register({}, null))();
  await until(() => {
    Bun.gc(true);
    return isCollected;
  }, 'the garbage collector');
}
