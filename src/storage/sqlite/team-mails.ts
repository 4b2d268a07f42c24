import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, or } from 'drizzle-orm';
import type { MailState } from '../../domain/mail.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { toMail } from './outbox.ts';
import { forms, outbox, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** The condition of the index `mails_failed`. */
const IS_FAILED = "m.state = 'dead' AND m.kind <> 'auto_reply'";

/** A value above every id. */
const MAX_ID = '~';

type Span = [owner: string, state: MailState, below: string, above: string, limit: number];

/**
 * Creates the store methods for a team's mails: those of its forms and those to its members. Each form is queried along
 * an index, so the cost depends neither on other teams nor on the number of mails.
 */
export function teamMailStore(db: Drizzle, clock: Clock) {
  const { $client } = db;
  const pathIds = (owner: 'form' | 'team') =>
    $client.query<{ id: string }, Span>(
      `SELECT id FROM outbox INDEXED BY mails_of_${owner}
       WHERE ${owner}_id = ? AND state = ? AND id < ? AND id > ? ORDER BY id DESC LIMIT ?`,
    );
  const ofForm = pathIds('form');
  const ofTeam = pathIds('team');
  const failedOfTeam = $client.query<{ count: number }, [team: string, max: number]>(
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM workspaces w CROSS JOIN forms f ON f.workspace_id = w.id
       CROSS JOIN outbox m INDEXED BY mails_failed ON m.form_id = f.id AND ${IS_FAILED} WHERE w.team_id = ?1
       UNION ALL SELECT 1 FROM outbox m INDEXED BY mails_of_team WHERE m.team_id = ?1 AND ${IS_FAILED} LIMIT ?2
     )`,
  );
  const failed = $client.query<{ count: number }, [max: number]>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM outbox m INDEXED BY mails_failed WHERE ${IS_FAILED} LIMIT ?)`,
  );
  const formsOf = (teamId: string) =>
    db
      .select({ id: forms.id })
      .from(forms)
      .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
      .where(eq(workspaces.teamId, teamId))
      .all();

  const newestIds = (teamId: string, state: MailState, below: string, limit: number): string[] => {
    let ids = ofTeam.all(teamId, state, below, '', limit).map(({ id }) => id);
    for (const form of formsOf(teamId)) {
      const above = ids.length === limit ? (ids.at(-1) ?? '') : '';
      const more = ofForm.all(form.id, state, below, above, limit);
      if (more.length > 0) ids = [...ids, ...more.map(({ id }) => id)].sort().reverse().slice(0, limit);
    }
    return ids;
  };

  const findFailed = (id: string, teamId: string): string[] =>
    db
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
      )
      .all()
      .map((mail) => mail.id);

  return {
    listTeamMails: (teamId, { state, before, limit }) =>
      db
        .select({ ...getTableColumns(outbox), formName: forms.name })
        .from(outbox)
        .leftJoin(forms, eq(forms.id, outbox.formId))
        .where(inArray(outbox.id, newestIds(teamId, state, before ?? MAX_ID, limit)))
        .orderBy(desc(outbox.id))
        .all()
        .map(toMail),

    countFailedMails: (teamId, max) => (teamId === null ? failed.get(max) : failedOfTeam.get(teamId, max))?.count ?? 0,

    countTeamMails: (teamId, state, max) => {
      let count = ofTeam.all(teamId, state, MAX_ID, '', max).length;
      for (const form of formsOf(teamId)) {
        if (count === max) break;
        count += ofForm.all(form.id, state, MAX_ID, '', max - count).length;
      }
      return count;
    },

    dismissTeamMails: (teamId, limit) =>
      transaction(db, () => {
        const ids = newestIds(teamId, 'dead', MAX_ID, limit);
        // Without its mail a reply counts as sent.
        db.update(outbox)
          .set({ state: 'canceled' })
          .where(and(inArray(outbox.id, ids), isNotNull(outbox.replyId)))
          .run();
        db.delete(outbox)
          .where(and(inArray(outbox.id, ids), isNull(outbox.replyId)))
          .run();
        return ids.length;
      }),

    retryTeamMails: (teamId, which) =>
      transaction(db, () => {
        const ids = 'id' in which ? findFailed(which.id, teamId) : newestIds(teamId, 'dead', MAX_ID, which.dead);
        db.update(outbox)
          .set({ state: 'queued', failures: 0, dueAt: clock(), settledAt: null, reason: null })
          .where(inArray(outbox.id, ids))
          .run();
        return ids.length;
      }),
  } satisfies Partial<StoreUnits>;
}
