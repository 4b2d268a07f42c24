import { CLOCK, LASTING } from '../counters.ts';
import type { EngineStores } from '../store.ts';
import { unavailable } from '../unavailable.ts';
import type { Postgres } from './database.ts';
import { describeDurability, durabilityFaults, lossFault, readDurability } from './durability.ts';
import type { Pipeline } from './pipeline.ts';

/** Creates the store methods that prove that submissions can be stored. `pipeline` stores them. */
export function connectionStore({ pool }: Postgres, pipeline: Pipeline) {
  let isRefusing = false;

  return {
    durability: {
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
            message: describeDurability(durability),
            faults: [...(fault === null ? [] : [fault]), ...durabilityFaults(durability)],
            isRefusing,
          };
        } finally {
          client.release();
        }
      },
    } satisfies Partial<EngineStores['upkeep']>,

    probe: async (large?: boolean) => {
      if (isRefusing) throw unavailable(new Error('a crash of the database could lose submissions'));
      const client = await pool.connect();
      try {
        await client.query(probeText(large ? 65_536 : 1));
        client.release();
      } catch (error) {
        // Its transaction is still open.
        client.release(true);
        throw error;
      }
    },
  };
}

/**
 * Returns the statements that store a submission to any form in a transaction like that of accepting, and roll it back. A
 * rollback is not synced: the message, of which only the log has a record, is. Random content cannot be compressed.
 */
const probeText = (pieces: number): string => `BEGIN ISOLATION LEVEL READ COMMITTED;
  SELECT 1 FROM leases WHERE name = '${CLOCK}' FOR UPDATE;
  INSERT INTO submissions (created_at, id, form_key, is_spam, payload)
    SELECT coalesce((SELECT amount FROM counters WHERE until = ${LASTING} AND owner = '${CLOCK}'), 0) + 1,
      'probe', f.key, false, c.bytes
    FROM (SELECT key FROM forms LIMIT 1) AS f,
      (SELECT decode(string_agg(md5(random()::text), ''), 'hex') AS bytes FROM generate_series(1, ${pieces})) AS c;
  ROLLBACK;
  SELECT pg_logical_emit_message(true, 'formstead', '')`;
