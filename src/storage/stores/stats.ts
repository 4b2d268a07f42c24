import { sql } from 'drizzle-orm';
import { MAIL_STATES, type MailState } from '../../domain/mail/mail.ts';
import { CLOCK, LASTING } from '../counters.ts';
import type { Db } from '../database.ts';
import type { StoreStats } from '../records.ts';
import { mailCounts } from './team-stats.ts';

const OF_ENGINE = {
  sqlite: sql`(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS "databaseBytes",
    'SQLite ' || sqlite_version() AS engine`,
  postgres: sql`pg_database_size(current_database()) AS "databaseBytes",
    'PostgreSQL ' || current_setting('server_version') AS engine`,
};

/** Returns SQL for figures of the database, with mails counted up to `maxMails`. */
export const databaseStats = (db: Db, maxMails: number) => sql`SELECT
  (SELECT due_at FROM outbox
   WHERE state IN ('queued', 'retrying') AND webhook_id IS NULL ORDER BY due_at LIMIT 1) AS "nextDueAt",
  (SELECT amount FROM counters WHERE until = ${LASTING} AND owner = ${CLOCK}) AS "lastCreatedAt",
  (SELECT max(name) FROM migrations) AS schema,
  ${OF_ENGINE[db.engine]},
  ${mailCounts(db, maxMails)}`;

/** Creates the store method about the database as a whole. `logBytes` returns the size of its write-ahead log. */
export function statsStore(db: Db, logBytes: () => number) {
  return {
    readStats: async (maxMails: number): Promise<StoreStats> => {
      type Row = Omit<StoreStats, 'mails' | 'logBytes'> & Record<MailState, number>;
      const [stats] = await db.rows<Row>(databaseStats(db, maxMails));
      if (!stats) throw new Error('no stats were read');
      const { nextDueAt, lastCreatedAt, databaseBytes, schema, engine } = stats;
      const mails = MAIL_STATES.map((state) => [state, stats[state]] as const);
      return { nextDueAt, lastCreatedAt, databaseBytes, schema, engine, mails, logBytes: logBytes() };
    },
  };
}
