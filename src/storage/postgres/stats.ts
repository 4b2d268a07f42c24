import { sql } from 'drizzle-orm';
import { MAIL_STATES, type MailState } from '../../domain/mail.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Store, TeamStats } from '../store.ts';
import type { Db } from './database.ts';
import { LIVE, newestLive } from './live-submissions.ts';

const FORMS_OF_TEAM = sql.raw(
  'workspaces w JOIN forms f ON f.workspace_id = w.id WHERE w.team_id = t.id AND f.trashed_at IS NULL',
);

// Submissions are counted by day, and the last one of each form is read from an index.
const TEAM_STATS = sql`SELECT t.id, t.name, t.plan, t.created_at AS "createdAt",
  (SELECT count(*) FROM ${FORMS_OF_TEAM}) AS forms,
  (SELECT coalesce(sum((SELECT sum(genuine + spam) FROM form_days WHERE form_id = f.id)), 0)::bigint
    FROM ${FORMS_OF_TEAM}) AS submissions,
  coalesce((SELECT bytes FROM team_storage WHERE team_id = t.id), 0) AS bytes,
  greatest(
    (SELECT max(${newestLive(LIVE, sql.raw('f.id'))}) FROM ${FORMS_OF_TEAM}),
    (SELECT at FROM audit WHERE team_id = t.id ORDER BY id DESC LIMIT 1)
  ) AS "lastActivity"
  FROM teams t ORDER BY t.created_at, t.id`;

/** Counts the mails of a state, up to a limit, along the indexes of forms and teams. */
const mailsIn = (state: MailState, limit: number) => {
  const mailsOf = (owner: 'form' | 'team') =>
    sql.raw(`SELECT 1 FROM ${owner}s JOIN outbox ON outbox.${owner}_id = ${owner}s.id AND outbox.state = '${state}'`);
  return sql`(SELECT count(*) FROM (${mailsOf('form')} UNION ALL ${mailsOf('team')} LIMIT ${limit}) AS counted)`;
};

type DatabaseStats = Readonly<{
  nextDueAt: Micros | null;
  lastCreatedAt: Micros;
  databaseBytes: number;
  schema: string;
  engine: string;
}>;

/** Creates the store methods about the database as a whole. */
export function statsStore(db: Db) {
  return {
    readStats: async (maxMails) => {
      const counts = MAIL_STATES.map((state) => sql`${mailsIn(state, maxMails)} AS ${sql.identifier(state)}`);
      const { rows } = await db.execute<DatabaseStats & Record<MailState, number>>(sql`SELECT
        (SELECT due_at FROM outbox
         WHERE state IN ('queued', 'retrying') AND webhook_id IS NULL ORDER BY due_at LIMIT 1) AS "nextDueAt",
        (SELECT last_created_at FROM submission_clock) AS "lastCreatedAt",
        pg_database_size(current_database()) AS "databaseBytes",
        (SELECT max(name) FROM migrations) AS schema,
        'PostgreSQL ' || current_setting('server_version') AS engine,
        ${sql.join(counts, sql`, `)}`);
      const [stats] = rows;
      if (!stats) throw new Error('no stats were read');
      const { nextDueAt, lastCreatedAt, databaseBytes, schema, engine } = stats;
      return {
        ...{ nextDueAt, lastCreatedAt: lastCreatedAt || null, databaseBytes, schema, engine },
        mails: MAIL_STATES.map((state) => [state, stats[state]] as const),
        // The log belongs to the server.
        logBytes: 0,
      };
    },

    listTeamStats: async () => (await db.execute<TeamStats>(TEAM_STATS)).rows,
  } satisfies Partial<Store>;
}
