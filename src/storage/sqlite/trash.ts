import { and, eq, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { Drizzle } from './database.ts';
import { formDays, forms, idempotencyKeys, outbox, submissions, webhooks, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Creates the store methods that move submissions and forms to the trash and back, and delete forms in it. */
export function trashStore(db: Drizzle) {
  const liveFormsOf = (teamId: string) =>
    sql`SELECT f.id FROM forms f JOIN workspaces w ON w.id = f.workspace_id
        WHERE w.team_id = ${teamId} AND f.trashed_at IS NULL`;
  const isFormOf = (id: string, teamId: string) =>
    and(
      eq(forms.id, id),
      inArray(
        forms.workspaceId,
        db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.teamId, teamId)),
      ),
    );

  return {
    trashSubmissions: (ids, teamId, at) =>
      db
        .update(submissions)
        .set({ trashedAt: at })
        .where(
          and(
            sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
            // The unary plus makes SQLite search by id instead of by form.
            sql`+form_id IN (${liveFormsOf(teamId)})`,
            at === null ? isNotNull(submissions.trashedAt) : isNull(submissions.trashedAt),
          ),
        )
        .returning({ id: submissions.id })
        .all()
        .map(({ id }) => id),

    trashForm: (id, teamId, at) => {
      const isMovable = and(isFormOf(id, teamId), at === null ? gt(forms.trashedAt, 0) : isNull(forms.trashedAt));
      return db.update(forms).set({ trashedAt: at }).where(isMovable).returning({ id: forms.id }).all().length > 0;
    },

    expireForm: (id, teamId) => {
      const isTrashed = and(isFormOf(id, teamId), isNotNull(forms.trashedAt));
      return db.update(forms).set({ trashedAt: 0 }).where(isTrashed).returning({ id: forms.id }).all().length > 0;
    },

    listExpiredForms: (before, limit) =>
      db
        .select({ id: forms.id, teamId: workspaces.teamId })
        .from(forms)
        .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
        .where(lt(forms.trashedAt, before))
        .limit(limit)
        .all(),

    deleteForm: (id) =>
      transaction(db, () => {
        if (db.select().from(submissions).where(eq(submissions.formId, id)).limit(1).get()) {
          throw new AppError('conflict', 'This form still has submissions.');
        }
        const isTrashed = and(eq(forms.id, id), isNotNull(forms.trashedAt));
        if (!db.select({ id: forms.id }).from(forms).where(isTrashed).get()) return;
        for (const table of [webhooks, outbox, idempotencyKeys, formDays]) {
          db.delete(table).where(eq(table.formId, id)).run();
        }
        db.delete(forms).where(isTrashed).run();
      }),
  } satisfies Partial<StoreUnits>;
}
