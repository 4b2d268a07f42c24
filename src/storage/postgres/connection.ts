import { sql } from 'drizzle-orm';
import type { Store } from '../store.ts';
import { unavailable } from '../unavailable.ts';
import type { Postgres } from './database.ts';
import { describeDurability, durabilityFaults, lossFault, readDurability } from './durability.ts';

import type { Pipeline } from './pipeline.ts';

/** Creates the store methods about the connection to the database. `pipeline` stores submissions. */
export function connectionStore({ pool, db }: Postgres, pipeline: Pipeline) {
  let isRefusing = false;

  return {
    readDurability: async () => {
      const client = await pool.connect();
      try {
        const durability = await readDurability(client);
        const fault = lossFault(durability);
        // The next submission opens a new connection, which is refused.
        if (fault !== null) pipeline.disconnect();
        isRefusing = fault !== null;
        return {
          machines: durability.machines,
          says: describeDurability(durability),
          faults: [...(fault === null ? [] : [fault]), ...durabilityFaults(durability)],
          isRefusing,
        };
      } finally {
        client.release();
      }
    },

    // Writes to the log of the server and waits for its sync, without a change of data.
    probe: async () => {
      if (isRefusing) throw unavailable(new Error('a crash of the database could lose submissions'));
      await db.rows(sql`SELECT pg_logical_emit_message(true, 'formstead', '')`);
    },
  } satisfies Partial<Store>;
}
