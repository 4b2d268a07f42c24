import { afterAll, describe, expect, test } from 'bun:test';
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DAY } from '../../../src/lib/clock.ts';
import { newId } from '../../../src/lib/ids.ts';
import { LASTING } from '../../../src/storage/counters.ts';
import { connect } from '../../../src/storage/postgres/database.ts';
import { openPostgres } from '../../../src/storage/postgres/open.ts';
import { postgresStore } from '../../../src/storage/postgres/postgres-store.ts';
import type { SealedCursor } from '../../../src/storage/records.ts';
import { JULY, openFixture } from '../../fast/storage/contract/fixture.ts';
import { migratedDatabase, startPostgres, withClient } from '../../support/postgres.ts';

/** The stored counters, and the same counted from the submissions. */
const COUNTERS = `
  SELECT (SELECT amount FROM counters WHERE owner = $1 AND until = ${LASTING}) AS stored,
    (SELECT sum(amount) || '/' || sum(spam) FROM counters WHERE owner = $2) AS days,
    coalesce(sum(length(payload) + coalesce(length(files), 0) + file_bytes), 0)::bigint AS "countedStored",
    count(*) FILTER (WHERE NOT is_spam AND trashed_at IS NULL) || '/' || count(*) FILTER (WHERE is_spam AND trashed_at IS NULL)
      AS "countedDays"
  FROM submissions WHERE form_key = (SELECT key FROM forms WHERE id = $2)`;

describe('submissions on PostgreSQL', async () => {
  const url = await migratedDatabase();
  const fixture = await openFixture({
    name: 'PostgreSQL',
    createDatabase: async () => async (clock, limitOf) => postgresStore(await connect(url), clock, limitOf),
  });
  const { store, clock, open, makeForm, submission, page } = fixture;
  afterAll(() => store.close());

  test('are posted, marked, moved, deleted and imported at once by two processes, and all counters stay exact', async () => {
    const place = await makeForm();
    const { teamId, form } = place;
    const other = await open(
      () => clock.now,
      () => null,
    );
    const importId = newId('imp');
    await store.imports.create({ id: importId, formId: form.id, source: 'plain', createdAt: clock.now });
    const repeat = async (times: number, step: (index: number) => Promise<unknown>) => {
      for (let index = 0; index < times; index++) await step(index);
    };
    const accepted: string[] = [];
    const post = (of: typeof store) => async (index: number) => {
      const sent = { ...submission(place), isSpam: index % 3 === 0, spamReasons: Buffer.from('sealed') };
      const { outcome } = await of.queue.accept(sent);
      if (outcome === 'stored') accepted.push(sent.id);
    };
    const some = (index: number) => accepted.slice((index * 7) % (accepted.length + 1)).slice(0, 5);
    const row = (index: number) => ({
      ...{ id: newId('sub'), isSpam: false, payload: Buffer.from('row'), files: null, blobs: [], fileBytes: 3 },
      ...{ createdAt: JULY - DAY, hash: `${importId}${index}` },
    });
    await Promise.all([
      ...Array.from({ length: 4 }, () => repeat(60, post(store))),
      ...Array.from({ length: 4 }, () => repeat(60, post(other))),
      repeat(40, async (index) => {
        for (const id of some(index)) await store.submissions.mark(id, index % 2 === 0, [], []);
      }),
      repeat(40, (index) => other.inbox.markSpam(some(index + 3), teamId)),
      repeat(40, (index) => store.trash.moveSubmissions(some(index + 5), teamId, index % 3 === 0 ? null : clock.now)),
      repeat(20, () => other.retention.deleteTrashed(form.id, clock.now + 1)),
      repeat(20, (index) => store.retention.deleteTrashedSubmissions(some(index), teamId)),
      repeat(20, (index) => other.retention.deleteSubmission(some(index + 9)[0] ?? '', teamId)),
      repeat(10, (index) => store.retention.deleteOlder(form.id, JULY + index)),
      repeat(20, (index) => other.imports.add(importId, [row(index), row(index + 1)])),
    ]);
    await other.close();
    const [counted] = await withClient(url, async (client) => (await client.query(COUNTERS, [teamId, form.id])).rows);
    const { stored, days, countedStored, countedDays } = counted;
    expect([stored, days]).toEqual([countedStored, countedDays]);
    expect(accepted).toHaveLength(480);
  });

  test('are deleted once by two processes, which report each blob once', async () => {
    const place = await makeForm();
    const sent = Array.from({ length: 150 }, () => ({ ...submission(place), blobs: [newId('blob')] }));
    await Promise.all(sent.map((one) => store.queue.accept(one)));
    const batches = await Promise.all(
      Array.from({ length: 4 }, () => store.retention.deleteOlder(place.form.id, JULY + DAY)),
    );
    const rest = await store.retention.deleteOlder(place.form.id, JULY + DAY);
    const all = [...batches, rest];
    expect(all.reduce((sum, { submissions }) => sum + submissions, 0)).toBe(150);
    expect(all.flatMap(({ blobs }) => blobs).sort()).toEqual(sent.flatMap(({ blobs }) => blobs).sort());
    expect(await page(place)).toEqual([]);
  });

  test('of one imported time get the next free microseconds around those taken', async () => {
    const place = await makeForm();
    const importId = newId('imp');
    await store.imports.create({ id: importId, formId: place.form.id, source: 'plain', createdAt: clock.now });
    const time = JULY - 9 * DAY;
    const row = (createdAt: number) => ({
      ...{ id: newId('sub'), isSpam: false, payload: Buffer.from('row'), files: null, blobs: [], fileBytes: 0 },
      ...{ createdAt, hash: newId('h') },
    });
    await store.imports.add(importId, [row(time + 1), row(time + 2), row(time + 4)]);
    const rows = [row(time), row(time), row(time + 1), row(time + 4), row(time)];
    await store.imports.add(importId, rows);
    const found = new Map((await page(place))?.map(({ id, createdAt }) => [id, createdAt - time]));
    expect(rows.map(({ id }) => found.get(id))).toEqual([0, 3, 5, 6, 7]);
  });

  test('are listed for rotation in pages of some bytes, each once', async () => {
    const place = await makeForm();
    const sent = Array.from({ length: 7 }, (_, index) => ({
      ...submission(place),
      payload: Buffer.alloc(100_000, index + 1),
    }));
    for (const one of sent) await store.queue.accept(one);
    const [pages, found]: [number[], string[]] = [[], []];
    const isWanted = new Set(sent.map(({ id }) => id));
    for (let from: SealedCursor | null = { table: 0, after: JULY }; from?.table === 0; ) {
      const listed = await store.sealedRecords.list(from, null);
      const wanted = listed.records.filter(({ aad }) => aad.column === 'payload' && isWanted.has(aad.row));
      found.push(...wanted.map(({ aad }) => aad.row));
      if (wanted.length > 0) pages.push(wanted.length);
      from = listed.next;
    }
    expect(found).toEqual(sent.map(({ id }) => id));
    expect(Math.max(...pages)).toBeLessThanOrEqual(3);
  });

  test('that were deleted leave copies that only a rotation of the key destroys', async () => {
    await store.upkeep.requestPurge();
    const { requested, lasting } = await store.upkeep.readPurges();
    expect(lasting).toContain('rotate the master key');
    expect(await store.upkeep.purge()).toBeNull();
    expect(await store.upkeep.readPurges()).toMatchObject({ requested, purged: requested });
    const [dead] = await withClient(
      url,
      async (client) =>
        (
          await client.query(
            "SELECT last_vacuum IS NOT NULL AS done FROM pg_stat_user_tables WHERE relname = 'submissions'",
          )
        ).rows,
    );
    expect(dead).toEqual({ done: true });
  });
});

test('the integrity check on PostgreSQL names the tables with damaged pages', async () => {
  const server = await startPostgres();
  const store = postgresStore(await openPostgres(server.url, { mayCreate: true }), () => JULY);
  const team = { plan: 'pro', requiresSecondFactor: false, learnsSpam: true, setUpAt: null, createdAt: 1 };
  await store.teams.create({ id: 't', name: 'T', ...team });
  expect(await store.upkeep.checkIntegrity()).toEqual([]);
  const file = await withClient(server.url, async (client) => {
    await client.query('CHECKPOINT');
    const { rows } = await client.query(
      "SELECT current_setting('data_directory') AS data, pg_relation_filepath('teams') AS path",
    );
    return join(rows[0].data, rows[0].path);
  });
  await server.restart(async () => void writeSync(openSync(file, 'r+'), Buffer.alloc(8_192, 0xff)));
  expect(await store.upkeep.checkIntegrity()).toEqual([expect.stringMatching(/^teams: invalid page in block 0/)]);
  await store.close();
  await server.stop();
});
