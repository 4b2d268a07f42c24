import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AcceptResult } from '../../../src/storage/records.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { sqliteStore } from '../../../src/storage/sqlite/sqlite-store.ts';
import { UnitQueue } from '../../../src/storage/sqlite/units.ts';
import { temporaryDir } from '../../support/instance.ts';
import { type OpenStore, openFixture } from './contract/fixture.ts';
import { describeStore } from './contract/index.ts';

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true }));

/** Units of work that let other events in before they ended. */
const slow: string[] = [];

const run = UnitQueue.prototype.retryWhileBusy;
UnitQueue.prototype.retryWhileBusy = function (work, maxWaitMs) {
  const { stack = '' } = new Error();
  const watched = async () => {
    // Queries of SQLite end at once, so a unit that awaits only these ends before the next turn of the event loop.
    const turn = setImmediate(() => slow.push(stack));
    try {
      return await work();
    } finally {
      clearImmediate(turn);
    }
  };
  return run.call(this, watched as typeof work, maxWaitMs) as ReturnType<typeof run<never>>;
};
afterAll(() => {
  UnitQueue.prototype.retryWhileBusy = run;
});

await describeStore({
  name: 'SQLite',
  createDatabase: async () => {
    const path = join(dir, `${crypto.randomUUID()}.db`);
    return async (clock, limitOf) => sqliteStore(openDatabase(path), clock, limitOf, () => 'mail.example');
  },
});

describe('a unit of work on SQLite', () => {
  test('awaits nothing but queries', async () => {
    expect(slow).toEqual([]);
    await new UnitQueue().run(() => Bun.sleep(1));
    expect(slow.splice(0)).toHaveLength(1);
  });

  test('that fails takes no submission with it that arrived in the middle', async () => {
    const path = join(dir, `${crypto.randomUUID()}.db`);
    let inTheMiddle = () => {};
    const open: OpenStore = async (clock, limitOf) => {
      const now = () => {
        inTheMiddle();
        return clock();
      };
      return sqliteStore(openDatabase(path), now, limitOf);
    };
    const { store, makeForm, submission, page } = await openFixture({
      name: 'SQLite',
      createDatabase: async () => open,
    });
    const place = await makeForm();
    const before = submission(place);
    await store.queue.accept(before);

    const during = submission(place);
    let accepted: Promise<AcceptResult> | undefined;
    // Reads the clock in its transaction, after a change.
    inTheMiddle = () => {
      inTheMiddle = () => {};
      accepted = store.queue.accept(during);
      void store.queue.flush();
      throw new Error('the unit fails');
    };
    await expect(store.inbox.markSpam([before.id], place.teamId)).rejects.toThrow('the unit fails');
    expect(await accepted).toMatchObject({ outcome: 'stored' });
    expect((await page(place))?.map(({ id, isSpam }) => [id, isSpam])).toEqual([
      [during.id, false],
      [before.id, false],
    ]);
    await store.close();
  });
});
