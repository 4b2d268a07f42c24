import { expect, test } from 'bun:test';
import { promote, startPair, waitsForStandby } from '../../.ci/torture/postgres-failover.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { postgresStore } from '../../src/storage/postgres/postgres-store.ts';
import { withClient } from '../support/postgres.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

test(
  'a repeated post is not acknowledged before the standby has the first',
  async () => {
    const { primary, standby, link, stop } = await startPair(true);
    const store = postgresStore(await openPostgres(primary.url, { mayCreate: true }), systemClock);
    const accept = (id: string) =>
      store.queue
        .accept({
          ...{ id, formId: 'frm', isSpam: false, payload: Buffer.from('x'), files: null, blobs: [] },
          ...{ spamReasons: null, idempotency: { key: 'key', content: 'content' }, challenge: null },
          ...{ mails: [], deliveries: [] },
        })
        .then(
          ({ outcome }) => outcome as string,
          ({ code }) => code as string,
        );
    link.cut();
    const first = accept('first');
    await until(() => waitsForStandby(primary.url), 'the commit to wait for the standby');
    // The first post is in the log of the primary, so a start after a crash shows it.
    await primary.kill();
    expect(await first).toBe('storage_unavailable');
    await primary.start();
    const second = accept('second');
    await until(() => waitsForStandby(primary.url), 'the repeated post to wait for the standby');
    await primary.kill();
    expect(await second).toBe('storage_unavailable');
    await promote(standby.url);
    const rows = await withClient(
      standby.url,
      async (client) => (await client.query('SELECT id FROM submissions')).rows,
    );
    expect(rows).toEqual([]);
    await store.close();
    await stop();
  },
  limit(120),
);
