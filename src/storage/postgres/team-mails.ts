import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { MailState } from '../../domain/mail.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store.ts';
import type { Db } from './database.ts';
import { toMail } from './outbox.ts';
import { forms, outbox, workspaces } from './schema.ts';
import { transaction } from './units.ts';

/** The condition of the index `mails_failed`. */
const IS_FAILED = sql`state = 'dead' AND kind <> 'auto_reply'`;

/** A value above every id. */
const MAX_ID = '~';

/**
 * Creates the store methods for a team's mails: those of its forms and those to its members. Each form is queried along
 * an index, so the cost depends neither on other teams nor on the number of mails.
 */
export function teamMailStore(db: Db, clock: Clock) {
  const formsOf = (teamId: string) => sql`
    SELECT f.id FROM forms f JOIN workspaces w ON w.id = f.workspace_id WHERE w.team_id = ${teamId}`;

  /** Returns the newest mails of each form and of the team itself, which contain its newest ones. */
  const newest = (teamId: string, state: MailState, below: string, limit: number) => sql`
    SELECT m.id FROM (${formsOf(teamId)}) AS f CROSS JOIN LATERAL (
      SELECT id FROM outbox WHERE form_id = f.id AND state = ${state} AND id < ${below} ORDER BY id DESC LIMIT ${limit}
    ) AS m
    UNION ALL
    (SELECT id FROM outbox WHERE team_id = ${teamId} AND state = ${state} AND id < ${below} ORDER BY id DESC LIMIT ${limit})`;

  const newestIds = async (tx: Db, teamId: string, state: MailState, below: string, limit: number) => {
    const { rows } = await tx.execute<{ id: string }>(
      sql`SELECT id FROM (${newest(teamId, state, below, limit)}) AS newest ORDER BY id COLLATE "C" DESC LIMIT ${limit}`,
    );
    return rows.map(({ id }) => id);
  };

  const findFailed = async (tx: Db, id: string, teamId: string): Promise<string[]> => {
    const failed = await tx
      .select({ id: outbox.id })
      .from(outbox)
      .leftJoin(forms, eq(forms.id, outbox.formId))
      .leftJoin(workspaces, eq(workspaces.id, forms.workspaceId))
      .where(
        and(
          eq(outbox.id, id),
          inArray(outbox.state, ['retrying', 'dead']),
          or(eq(workspaces.teamId, teamId), eq(outbox.teamId, teamId)),
        ),
      );
    return failed.map((mail) => mail.id);
  };

  const count = async (rows: ReturnType<typeof sql>): Promise<number> => {
    const counted = await db.execute<{ count: number }>(sql`SELECT count(*) AS count FROM (${rows}) AS counted`);
    return counted.rows[0]?.count ?? 0;
  };

  return {
    listTeamMails: async (teamId, { state, before, limit }) => {
      const ids = await newestIds(db, teamId, state, before ?? MAX_ID, limit);
      const mails = await db
        .select({ ...getTableColumns(outbox), formName: forms.name })
        .from(outbox)
        .leftJoin(forms, eq(forms.id, outbox.formId))
        .where(inArray(outbox.id, ids))
        .orderBy(desc(outbox.id));
      return mails.map(toMail);
    },

    countFailedMails: async (teamId, max) =>
      count(
        teamId === null
          ? // The order makes the planner take the index.
            sql`SELECT 1 FROM outbox WHERE ${IS_FAILED} ORDER BY form_id LIMIT ${max}`
          : sql`SELECT 1 FROM (${formsOf(teamId)}) AS f CROSS JOIN LATERAL (
              SELECT 1 FROM outbox WHERE form_id = f.id AND ${IS_FAILED} LIMIT ${max}) AS m
            UNION ALL SELECT 1 FROM outbox WHERE team_id = ${teamId} AND ${IS_FAILED} LIMIT ${max}`,
      ),

    countTeamMails: async (teamId, state, max) =>
      count(sql`SELECT 1 FROM (${newest(teamId, state, MAX_ID, max)}) AS mails LIMIT ${max}`),

    dismissTeamMails: (teamId, limit) =>
      transaction(db, async (tx) => {
        const ids = await newestIds(tx, teamId, 'dead', MAX_ID, limit);
        // Without its mail a reply counts as sent.
        await tx
          .update(outbox)
          .set({ state: 'canceled' })
          .where(and(inArray(outbox.id, ids), isNotNull(outbox.replyId)));
        await tx.delete(outbox).where(and(inArray(outbox.id, ids), isNull(outbox.replyId)));
        return ids.length;
      }),

    retryTeamMails: (teamId, which) =>
      transaction(db, async (tx) => {
        const ids =
          'id' in which
            ? await findFailed(tx, which.id, teamId)
            : await newestIds(tx, teamId, 'dead', MAX_ID, which.dead);
        await tx
          .update(outbox)
          .set({ state: 'queued', failures: 0, dueAt: clock(), settledAt: null, reason: null })
          .where(inArray(outbox.id, ids));
        return ids.length;
      }),
  } satisfies Partial<Store>;
}
