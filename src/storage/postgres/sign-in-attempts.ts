import { sql } from 'drizzle-orm';
import type { Clock, Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Db } from '../database.ts';
import type { AttemptLimit } from '../records.ts';
import type { EngineStores } from '../store.ts';

/** Expired attempts that each new one deletes: more than it adds, so that the table stays small. */
const PRUNED = 10;

/** Creates the store methods for attempts to sign in. `clock` replaces that of the database unless it is null. */
export function signInAttemptStore(db: Db, clock: Clock | null) {
  const now = () =>
    sql`coalesce(${clock?.() ?? null}::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)`;

  /** Returns the time until all names allow an attempt. Ignores times that only a jump of the clock explains. */
  const waitFor = async (tx: Db, limits: readonly AttemptLimit[], span: Micros): Promise<Micros> => {
    const rows = await tx.rows<{ wait: number | null }>(sql`SELECT max(wait) AS wait FROM (
      SELECT min(a.expires_at) - max(t.now) AS wait
      FROM unnest(${getNames(limits)}, ${sql.param(limits.map(({ limit }) => limit))}::bigint[]) AS l(name, "limit")
        CROSS JOIN (SELECT ${now()} AS now) AS t
        JOIN sign_in_attempts a ON a.name = l.name AND a.expires_at > t.now AND a.expires_at <= t.now + ${span}::bigint
      GROUP BY l.name, l."limit" HAVING count(*) >= l."limit"
    ) AS refused`);
    return rows[0]?.wait ?? 0;
  };

  return {
    count: async (limits, span) => {
      // Without a lock, so that a flood of refused attempts does not hold up others.
      const wait = await waitFor(db, limits, span);
      if (wait > 0) return wait;
      return db.lockingTransaction(async (tx) => {
        await tx.rows(sql`SELECT 1 FROM leases WHERE name = 'sign-in' FOR UPDATE`);
        const waitNow = await waitFor(tx, limits, span);
        if (waitNow > 0) return waitNow;
        await tx.rows(sql`WITH pruned AS (
            DELETE FROM sign_in_attempts WHERE id IN (SELECT id FROM sign_in_attempts
              WHERE expires_at <= ${now()} ORDER BY expires_at LIMIT ${PRUNED} FOR UPDATE SKIP LOCKED)
          )
          INSERT INTO sign_in_attempts (id, name, expires_at)
          SELECT id, name, ${now()} + ${span}::bigint
          FROM unnest(${sql.param(limits.map(() => newId('try')))}::text[], ${getNames(limits)}) AS attempts(id, name)`);
        return 0;
      });
    },

    takeBack: async (names) => {
      await db.rows(sql`DELETE FROM sign_in_attempts WHERE id IN (
        SELECT latest.id FROM unnest(${sql.param(names)}::text[]) AS l(name), LATERAL (
          SELECT id FROM sign_in_attempts a WHERE a.name = l.name ORDER BY a.expires_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED
        ) AS latest)`);
    },
  } satisfies EngineStores['signInAttempts'];
}

const getNames = (limits: readonly AttemptLimit[]) => sql`${sql.param(limits.map(({ name }) => name))}::text[]`;
