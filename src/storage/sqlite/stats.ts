import { statSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { MAIL_STATES, type MailState } from '../../domain/mail.ts';
import type { Micros } from '../../lib/clock.ts';
import { CLOCK, LASTING } from '../counters.ts';
import type { Db } from '../database.ts';
import type { EngineStores } from '../store.ts';
import { mailCounts } from '../stores/team-stats.ts';
import { checkIntegrity, type Drizzle } from './database.ts';
import type { Units } from './units.ts';

type DatabaseStats = Readonly<{
  nextDueAt: Micros | null;
  lastCreatedAt: Micros | null;
  databaseBytes: number;
  schema: string;
  engine: string;
}>;

/** Returns SQL for figures of the database, with mails counted up to `maxMails`. */
export const databaseStats = (db: Db, maxMails: number) => sql`SELECT
  (SELECT due_at FROM outbox
   WHERE state IN ('queued', 'retrying') AND webhook_id IS NULL ORDER BY due_at LIMIT 1) AS nextDueAt,
  (SELECT amount FROM counters WHERE until = ${LASTING} AND owner = ${CLOCK}) AS lastCreatedAt,
  (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS databaseBytes,
  (SELECT max(name) FROM migrations) AS schema,
  'SQLite ' || sqlite_version() AS engine,
  ${mailCounts(db, maxMails)}`;

/** Creates the store methods about the database as a whole. */
export function statsStore(drizzle: Drizzle, db: Db) {
  return {
    readStats: async (maxMails) => {
      const [stats] = await db.rows<DatabaseStats & Record<MailState, number>>(databaseStats(db, maxMails));
      if (!stats) throw new Error('no stats were read');
      const { nextDueAt, lastCreatedAt, databaseBytes, schema, engine } = stats;
      return {
        ...{ nextDueAt, lastCreatedAt, databaseBytes, schema, engine },
        mails: MAIL_STATES.map((state) => [state, stats[state]] as const),
        logBytes: statSync(`${drizzle.$client.filename}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      };
    },

    checkIntegrity: () => checkIntegrity(drizzle),

    // The settings of SQLite were checked when the database was opened.
    readDurability: () => ({ machines: 1, says: 'acknowledged means on 1 machine', faults: [], isRefusing: false }),
  } satisfies Partial<Units<EngineStores['upkeep']>>;
}
