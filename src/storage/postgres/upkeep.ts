import type { Clock } from '../../lib/clock.ts';
import { SEALED_TABLES } from '../sealed-tables.ts';
import type { EngineStores } from '../store.ts';
import { readPurges, recordPurge, requestPurge } from '../stores/purges.ts';
import type { Postgres } from './database.ts';

const VACUUM = `VACUUM files, ${SEALED_TABLES.map(({ table }) => table).join(', ')}`;

const LASTING =
  'PostgreSQL keeps deleted rows in free space of its files and in its write-ahead log until it overwrites them, and in backups. They are encrypted: rotate the master key and remove the old one to destroy them.';

export function upkeepStore({ pool, db }: Postgres, clock: Clock) {
  const read = () => readPurges(db, LASTING);

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
      await recordPurge(db, requested, clock());
      return null;
    },

    maintain: async () => {},
  } satisfies Partial<EngineStores['upkeep']>;
}
