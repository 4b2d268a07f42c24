import { type SQL, sql } from 'drizzle-orm';
import { MAIL_STATES, type MailState } from '../../domain/mail/mail.ts';
import type { Micros } from '../../lib/clock.ts';
import { LASTING } from '../counters.ts';
import { type Db, hint } from '../database.ts';
import type { TeamStats } from '../records.ts';
import { LIVE, newestLive } from './live-submissions.ts';

type Row = Omit<TeamStats, 'lastActivity'> & Readonly<{ lastArrival: Micros | null; lastAudit: Micros | null }>;

const FORMS_OF_TEAM = sql.raw(
  'workspaces w JOIN forms f ON f.workspace_id = w.id WHERE w.team_id = t.id AND f.trashed_at IS NULL',
);

/** Creates the store method that lists teams with their stats. */
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
export function mailCounts(db: Db, limit: number): SQL {
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
