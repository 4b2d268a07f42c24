import { sql } from 'drizzle-orm';
import { MAIL_STATES, type MailState } from '../../domain/mail.ts';
import type { Micros } from '../../lib/clock.ts';
import { CLOCK, LASTING } from '../counters.ts';
import type { Db } from '../database.ts';
import type { EngineStores } from '../store.ts';
import { mailCounts } from '../stores/team-stats.ts';

type DatabaseStats = Readonly<{
  nextDueAt: Micros | null;
  lastCreatedAt: Micros | null;
  databaseBytes: number;
  schema: string;
  engine: string;
}>;

/** Creates the store methods about the database as a whole. */
export function statsStore(db: Db) {
  return {
    readStats: async (maxMails) => {
      const rows = await db.rows<DatabaseStats & Record<MailState, number>>(sql`SELECT
        (SELECT due_at FROM outbox
         WHERE state IN ('queued', 'retrying') AND webhook_id IS NULL ORDER BY due_at LIMIT 1) AS "nextDueAt",
        (SELECT amount FROM counters WHERE until = ${LASTING} AND owner = ${CLOCK}) AS "lastCreatedAt",
        pg_database_size(current_database()) AS "databaseBytes",
        (SELECT max(name) FROM migrations) AS schema,
        'PostgreSQL ' || current_setting('server_version') AS engine,
        ${mailCounts(db, maxMails)}`);
      const [stats] = rows;
      if (!stats) throw new Error('no stats were read');
      const { nextDueAt, lastCreatedAt, databaseBytes, schema, engine } = stats;
      return {
        ...{ nextDueAt, lastCreatedAt, databaseBytes, schema, engine },
        mails: MAIL_STATES.map((state) => [state, stats[state]] as const),
        // The log belongs to the server.
        logBytes: 0,
      };
    },
  } satisfies Partial<EngineStores['upkeep']>;
}
