import { type SQL, sql } from 'drizzle-orm';
import { MAIL_STATES, type MailState } from '../../domain/mail/mail.ts';
import type { Micros } from '../../lib/clock.ts';
import { CLOCK, LASTING } from '../counters.ts';
import { type Db, hint } from '../database.ts';
import type { StoreStats, TeamStats } from '../records.ts';
import { LIVE, newestLive } from './live-submissions.ts';

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

type Row = Omit<TeamStats, 'lastActivity'> & Readonly<{ lastArrival: Micros | null; lastAudit: Micros | null }>;

const FORMS_OF_TEAM = sql.raw(
  'workspaces w JOIN forms f ON f.workspace_id = w.id WHERE w.team_id = t.id AND f.trashed_at IS NULL',
);

export function teamStatsStore(db: Db) {
  return {
    // Submissions are counted by day, and the last one of each form is read from an index.
    /** Lists teams with their stats, oldest first. */
    listStats: async (): Promise<TeamStats[]> => {
      const teams = await db.rows<Row>(sql`SELECT t.id, t.name, t.plan, t.created_at AS "createdAt",
        (SELECT count(*) FROM ${FORMS_OF_TEAM}) AS forms,
        (SELECT CAST(coalesce(sum((SELECT sum(amount + spam) FROM counters WHERE owner = f.id)), 0) AS bigint)
          FROM ${FORMS_OF_TEAM}) AS submissions,
        coalesce((SELECT amount FROM counters WHERE owner = t.id AND until = ${LASTING}), 0) AS bytes,
        (SELECT max(${newestLive(db, LIVE, sql.raw('f.key'))}) FROM ${FORMS_OF_TEAM}) AS "lastArrival",
        (SELECT at FROM audit ${hint(db, 'audit_of_team')} WHERE team_id = t.id ORDER BY id DESC LIMIT 1) AS "lastAudit"
        FROM teams t ORDER BY t.created_at, t.id`);
      return teams.map(({ lastArrival, lastAudit, ...team }) => {
        return { ...team, lastActivity: Math.max(lastArrival ?? 0, lastAudit ?? 0) || null };
      });
    },
  };
}

/** Returns SQL for the number of mails of each state, up to a limit, along the indexes of forms and teams. */
function mailCounts(db: Db, limit: number): SQL {
  // So that sent mails of the last days are not scanned.
  const getMails = (owner: 'form' | 'team', state: MailState) => sql`SELECT 1 FROM ${sql.raw(`${owner}s`)}
    CROSS JOIN outbox ${hint(db, `mails_of_${owner}`)}
    WHERE outbox.${sql.raw(`${owner}_id = ${owner}s.id`)} AND outbox.state = ${state}`;
  const counts = MAIL_STATES.map(
    (state) =>
      sql`(SELECT count(*) FROM (${getMails('form', state)} UNION ALL ${getMails('team', state)} LIMIT ${limit}) AS counted)
        AS ${sql.identifier(state)}`,
  );
  return sql.join(counts, sql`, `);
}
