import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { MailState } from '../../domain/mail/mail.ts';
import type { Clock } from '../../lib/clock.ts';
import { countRows, type Db, hint, updateRows } from '../database.ts';
import type { TeamMail } from '../records.ts';
import { forms, outbox, workspaces } from '../schema.ts';
import { requeued, toMail } from './outbox.ts';
import { IN_WORKSPACE, isOfTeam, teamCondition } from './reach.ts';

/** The condition of the index `mails_failed`. */
const IS_FAILED = sql`state = 'dead' AND kind NOT IN ('auto_reply', 'confirmation')`;

/** A value above every id. */
const MAX_ID = '~';

/** Exclusive bounds of ids, and the maximum number of rows. */
type Span = Readonly<{ state: MailState; above?: string; below: string; limit: number; recipient?: string | null }>;

/** Up to `limit` failed mails, or those of one state and to one recipient alone. */
export type FailedMails = Readonly<{ limit: number; state?: 'dead' | 'retrying'; recipient?: string | null }>;

/**
 * Creates the store methods for a team's mails: those of its forms and those to its members. Each form is queried along
 * an index, so the cost depends neither on other teams nor on the number of mails.
 */
export function teamMailStore(db: Db, clock: Clock) {
  /** Mails about the team as a whole are for those who see all of it. */
  const seesTeamMails = db.reach ? sql`AND FALSE` : sql``;
  const getForms = (teamId: string) => sql`
    SELECT f.id FROM forms f JOIN workspaces w ON w.id = f.workspace_id WHERE ${teamCondition(db, teamId)}`;
  /** Returns SQL for the newest mails of a team itself or of a form, newest first. */
  const getNewest = (
    owner: 'form' | 'team',
    id: string | SQL,
    { state, above = '', below, limit, recipient = null }: Span,
  ) => sql`
    SELECT id FROM outbox ${hint(db, `mails_of_${owner}`)} WHERE ${sql.identifier(`${owner}_id`)} = ${id} ${owner === 'team' ? seesTeamMails : sql``}
      AND state = ${state} AND id < ${below} AND id > ${above} ${recipient === null ? sql`` : sql`AND recipient = ${recipient}`} ORDER BY id DESC LIMIT ${limit}`;

  /** Returns SQL for mails that contain the newest ones. For PostgreSQL, where each further query would be a round trip. */
  const newestOfAll = (teamId: string, span: Span) => sql`
    SELECT m.id FROM (${getForms(teamId)}) AS f CROSS JOIN LATERAL (${getNewest('form', sql.raw('f.id'), span)}) AS m
    UNION ALL (${getNewest('team', teamId, span)})`;

  /** Returns the newest mails of a team and its forms. */
  const newestIds = async (tx: Db, teamId: string, span: Span): Promise<string[]> => {
    const { limit } = span;
    if (tx.engine === 'postgres') {
      const rows = await tx.rows<{ id: string }>(
        sql`SELECT id FROM (${newestOfAll(teamId, span)}) AS newest ORDER BY id COLLATE "C" DESC LIMIT ${limit}`,
      );
      return rows.map(({ id }) => id);
    }
    // Once there are enough, each further form is only read down to the oldest of them.
    let ids = (await tx.rows<{ id: string }>(getNewest('team', teamId, span))).map(({ id }) => id);
    for (const form of await tx.rows<{ id: string }>(getForms(teamId))) {
      const above = ids.length === limit ? (ids.at(-1) ?? '') : '';
      const more = await tx.rows<{ id: string }>(getNewest('form', form.id, { ...span, above }));
      if (more.length > 0) ids = [...ids, ...more.map(({ id }) => id)].sort().reverse().slice(0, limit);
    }
    return ids;
  };

  const findMail = async (tx: Db, id: string, teamId: string, states: readonly MailState[]) => {
    const isMailOfTeam = or(isOfTeam(db, teamId), and(eq(outbox.teamId, teamId), sql`TRUE ${seesTeamMails}`));
    const isFound = and(eq(outbox.id, id), inArray(outbox.state, [...states]), isMailOfTeam);
    const { recipient, formId } = outbox;
    const withForm = tx.select({ id: outbox.id, recipient }).from(outbox).leftJoin(forms, eq(forms.id, formId));
    return withForm.leftJoin(workspaces, IN_WORKSPACE).where(isFound);
  };

  return {
    /** Lists the mails of a team's forms and members with an id below `before` (null: from the newest), newest first. */
    listOfTeam: async (
      teamId: string,
      { state, before, limit }: Readonly<{ state: MailState; before: string | null; limit: number }>,
    ): Promise<TeamMail[]> => {
      const ids = await newestIds(db, teamId, { state, below: before ?? MAX_ID, limit });
      const columns = { ...getTableColumns(outbox), formName: forms.name };
      const query = db.select(columns).from(outbox).leftJoin(forms, eq(forms.id, outbox.formId));
      return (await query.where(inArray(outbox.id, ids)).orderBy(desc(outbox.id))).map(toMail);
    },

    /**
     * Returns the recipients of failed mails of a team or of all, one for each mail, up to `max`; null for a visitor.
     * Auto-replies don't count: visitors mistype their addresses.
     */
    failedRecipients: async (teamId: string | null, max: number): Promise<(string | null)[]> => {
      const failed = sql`SELECT m.recipient FROM outbox m ${hint(db, 'mails_failed')}`;
      const rows = await db.rows<{ recipient: string | null }>(
        teamId === null
          ? // The order makes PostgreSQL take the index.
            sql`${failed} WHERE ${IS_FAILED} ORDER BY form_id LIMIT ${max}`
          : sql`SELECT m.recipient FROM (${getForms(teamId)}) AS f CROSS JOIN outbox m ${hint(db, 'mails_failed')}
              WHERE m.form_id = f.id AND ${IS_FAILED}
            UNION ALL SELECT m.recipient FROM outbox m WHERE m.team_id = ${teamId} ${seesTeamMails} AND ${IS_FAILED} LIMIT ${max}`,
      );
      return rows.map(({ recipient }) => recipient);
    },

    /** Counts the mails of a team in a state, up to `max`. */
    countOfTeam: async (teamId: string, state: MailState, max: number): Promise<number> => {
      const span = { state, below: MAX_ID, limit: max };
      return db.engine === 'postgres'
        ? countRows(db, sql`SELECT 1 FROM (${newestOfAll(teamId, span)}) AS mails LIMIT ${max}`)
        : (await newestIds(db, teamId, span)).length;
    },

    /** Returns the recipient of a mail of a team; null if there is no such mail, or it is to a visitor. */
    findRecipient: async (id: string, teamId: string): Promise<string | null> =>
      (await findMail(db, id, teamId, ['dead', 'retrying', 'queued', 'sent']))[0]?.recipient ?? null,

    /** Deletes failed mails of a team, auto-replies included. Returns the count. */
    dismissOfTeam: (teamId: string, failed: FailedMails): Promise<number> =>
      db.transaction(async (tx) => {
        const ids = await newestIds(tx, teamId, { state: 'dead', below: MAX_ID, ...failed });
        // Without its mail a reply counts as sent.
        await updateRows(tx, outbox, { state: 'canceled' }, and(inArray(outbox.id, ids), isNotNull(outbox.replyId)));
        await tx.delete(outbox).where(and(inArray(outbox.id, ids), isNull(outbox.replyId)));
        return ids.length;
      }),

    /** Requeues one failed mail of a team, or several. Returns the count. */
    retryOfTeam: (teamId: string, which: Readonly<{ id: string }> | FailedMails): Promise<number> =>
      db.transaction(async (tx) => {
        const ids =
          'id' in which
            ? (await findMail(tx, which.id, teamId, ['dead', 'retrying'])).map(({ id }) => id)
            : await newestIds(tx, teamId, { state: 'dead', below: MAX_ID, ...which });
        await updateRows(tx, outbox, requeued(clock()), inArray(outbox.id, ids));
        return ids.length;
      }),
  };
}
