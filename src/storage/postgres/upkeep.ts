import { sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import { SEALED_TABLES } from '../sealed-tables.ts';
import type { RewriteProgress, Store } from '../store.ts';
import type { Db, Postgres } from './database.ts';
import { rewrites } from './schema.ts';

const NONE: RewriteProgress = { requested: 0, rewritten: 0, cleared: 0, attemptedAt: 0 };

const VACUUM = `VACUUM files, ${SEALED_TABLES.map(({ table }) => table).join(', ')}`;

const RESIDUE =
  'PostgreSQL keeps deleted rows in free space of its files and in its write-ahead log until it overwrites them, and in backups. They are encrypted: rotate the master key and remove the old one to destroy them.';

/** Requests a rewrite, also within another transaction. */
export async function requestRewrite(tx: Db): Promise<void> {
  await tx
    .insert(rewrites)
    .values({ id: 1, requested: 1, rewritten: 0, cleared: 0, attemptedAt: 0 })
    .onConflictDoUpdate({ target: rewrites.id, set: { requested: sql`${rewrites.requested} + 1` } });
}

/** Creates the store methods for the upkeep of the database, most of which PostgreSQL does itself. */
export function upkeepStore({ pool, db }: Postgres, clock: Clock) {
  const read = async () => {
    const { requested, rewritten, cleared, attemptedAt } = rewrites;
    const [progress] = await db.select({ requested, rewritten, cleared, attemptedAt }).from(rewrites);
    return progress ?? NONE;
  };

  return {
    readRewrites: read,

    requestRewrite: () => requestRewrite(db),

    // Removes deleted rows from tables and indexes. Nothing removes their last copies, so the reason is always returned.
    rewriteDatabase: async () => {
      const { requested } = await read();
      const client = await pool.connect();
      try {
        await client.query('SET statement_timeout = 0');
        await client.query(VACUUM);
      } finally {
        // The settings of the connection have changed.
        client.release(true);
      }
      const done = { rewritten: requested, cleared: requested, attemptedAt: clock() };
      await db
        .insert(rewrites)
        .values({ id: 1, requested, ...done })
        .onConflictDoUpdate({ target: rewrites.id, set: done });
      return RESIDUE;
    },

    truncateWal: async () => true,

    checkpointWal: async () => {},
  } satisfies Partial<Store>;
}
