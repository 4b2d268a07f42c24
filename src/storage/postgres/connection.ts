import { sql } from 'drizzle-orm';
import type { Store } from '../store.ts';
import type { Postgres } from './database.ts';
import { describeDurability, durabilityFaults, readDurability } from './durability.ts';

/** Creates the store methods about the connection to the database. */
export function connectionStore({ pool, db }: Postgres) {
  return {
    readDurability: async () => {
      const client = await pool.connect();
      try {
        const durability = await readDurability(client);
        return { says: describeDurability(durability), faults: durabilityFaults(durability) };
      } finally {
        client.release();
      }
    },

    // Writes to the log of the server and waits for its sync, without a change of data.
    probe: async () => void (await db.execute(sql`SELECT pg_logical_emit_message(true, 'formstead', '')`)),
  } satisfies Partial<Store>;
}
