import { and, eq, gt, inArray, isNotNull, isNull, lt } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { Db } from '../database.ts';
import { formDays, forms, idempotencyKeys, outbox, submissions, webhooks, workspaces } from '../schema.ts';
import type { Store } from '../store.ts';
import { isInLiveForm } from './forms.ts';

/** Creates the store methods that move submissions and forms to the trash and back, and delete forms in it. */
export function trashStore(db: Db) {
  const isFormOf = (id: string, teamId: string) =>
    and(
      eq(forms.id, id),
      inArray(
        forms.workspaceId,
        db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.teamId, teamId)),
      ),
    );

  return {
    trashSubmissions: async (ids, teamId, at) => {
      const moved = await db
        .update(submissions)
        .set({ trashedAt: at })
        .where(
          and(
            inArray(submissions.id, [...ids]),
            isInLiveForm(db, teamId),
            at === null ? isNotNull(submissions.trashedAt) : isNull(submissions.trashedAt),
          ),
        )
        .returning({ id: submissions.id });
      return moved.map(({ id }) => id);
    },

    trashForm: async (id, teamId, at) => {
      const isMovable = and(isFormOf(id, teamId), at === null ? gt(forms.trashedAt, 0) : isNull(forms.trashedAt));
      return (await db.update(forms).set({ trashedAt: at }).where(isMovable).returning({ id: forms.id })).length > 0;
    },

    expireForm: async (id, teamId) => {
      const isTrashed = and(isFormOf(id, teamId), isNotNull(forms.trashedAt));
      return (await db.update(forms).set({ trashedAt: 0 }).where(isTrashed).returning({ id: forms.id })).length > 0;
    },

    listExpiredForms: async (before, limit) =>
      db
        .select({ id: forms.id, teamId: workspaces.teamId })
        .from(forms)
        .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
        .where(lt(forms.trashedAt, before))
        .limit(limit),

    deleteForm: (id) =>
      db.transaction(async (tx) => {
        const ofForm = eq(submissions.formId, id);
        const [left] = await tx.select({ id: submissions.id }).from(submissions).where(ofForm).limit(1);
        if (left) throw new AppError('conflict', 'This form still has submissions.');
        const isTrashed = and(eq(forms.id, id), isNotNull(forms.trashedAt));
        const [form] = await tx.select({ id: forms.id }).from(forms).where(isTrashed);
        if (!form) return;
        for (const table of [webhooks, outbox, idempotencyKeys, formDays]) {
          await tx.delete(table).where(eq(table.formId, id));
        }
        await tx.delete(forms).where(isTrashed);
      }),
  } satisfies Partial<Store>;
}
