import { sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import { SEALED_TABLES } from '../sealed-tables.ts';
import type { PurgeProgress, Store } from '../store.ts';
import type { Db, Postgres } from './database.ts';
import { rewrites } from './schema.ts';

const VACUUM = `VACUUM files, ${SEALED_TABLES.map(({ table }) => table).join(', ')}`;

const LASTING =
  'PostgreSQL keeps deleted rows in free space of its files and in its write-ahead log until it overwrites them, and in backups. They are encrypted: rotate the master key and remove the old one to destroy them.';

const NONE: PurgeProgress = { requested: 0, purged: 0, purgedAt: 0, lasting: LASTING };

/** Requests a purge, also within another transaction. */
export async function requestPurge(tx: Db): Promise<void> {
  await tx
    .insert(rewrites)
    .values({ id: 1, requested: 1, rewritten: 0, cleared: 0, attemptedAt: 0 })
    .onConflictDoUpdate({ target: rewrites.id, set: { requested: sql`${rewrites.requested} + 1` } });
}

/** Creates the store methods for the upkeep of the database, most of which PostgreSQL does itself. */
export function upkeepStore({ pool, db }: Postgres, clock: Clock) {
  const read = async () => {
    const { requested, cleared: purged, attemptedAt: purgedAt } = rewrites;
    const [progress] = await db.select({ requested, purged, purgedAt }).from(rewrites);
    return progress ? { ...progress, lasting: LASTING } : NONE;
  };

  return {
    readPurges: read,

    requestPurge: () => requestPurge(db),

    // Removes deleted rows from tables and indexes.
    purge: async (signal) => {
      const { requested } = await read();
      if (signal?.aborted) return { reason: 'the server stops', until: null };
      const client = await pool.connect();
      try {
        await client.query('SET statement_timeout = 0');
        await client.query(VACUUM);
      } finally {
        // The settings of the connection have changed.
        client.release(true);
      }
      const done = { cleared: requested, attemptedAt: clock() };
      await db
        .insert(rewrites)
        .values({ id: 1, requested, rewritten: 0, ...done })
        .onConflictDoUpdate({ target: rewrites.id, set: done });
      return null;
    },

    maintain: async () => {},
  } satisfies Partial<Store>;
}
