import { and, eq, gt, inArray, isNotNull, isNull, lt } from 'drizzle-orm';
import { conflict } from '../../domain/errors.ts';
import type { Micros } from '../../lib/clock.ts';
import { type Db, updateRows } from '../database.ts';
import { counters, forms, idempotencyKeys, outbox, submissions, webhooks, workspaces } from '../schema.ts';
import { isInFormOf } from './forms.ts';
import { hasId, keyOf } from './live-submissions.ts';
import { fromForms, isOfTeam } from './reach.ts';

export function trashStore(db: Db) {
  const isFormOf = (id: string, teamId: string) => {
    const ofTeam = db.select({ id: workspaces.id }).from(workspaces).where(isOfTeam(db, teamId));
    return and(eq(forms.id, id), inArray(forms.workspaceId, ofTeam));
  };

  return {
    /**
     * Moves submissions of a team to the trash at `at`, or out of it with null. Those of forms in the trash stay as they are.
     * Returns the ids of the submissions that moved.
     */
    moveSubmissions: async (ids: readonly string[], teamId: string, at: Micros | null): Promise<string[]> => {
      const { id, trashedAt } = submissions;
      const isElsewhere = at === null ? isNotNull(trashedAt) : isNull(trashedAt);
      const isMovable = and(hasId(...ids), isInFormOf(db, teamId, 'live'), isElsewhere);
      const moved = await db.update(submissions).set({ trashedAt: at }).where(isMovable).returning({ id });
      return moved.map((row) => row.id);
    },

    /**
     * Moves a form to the trash at `at`, or out of it with null. Returns false if the team has no such form there, or its
     * deletion has begun.
     */
    moveForm: async (id: string, teamId: string, at: Micros | null): Promise<boolean> => {
      const isMovable = and(isFormOf(id, teamId), at === null ? gt(forms.trashedAt, 0) : isNull(forms.trashedAt));
      return (await updateRows(db, forms, { trashedAt: at }, isMovable)) > 0;
    },

    /**
     * Begins the deletion of a form in the trash: sets its `trashedAt` to 0. Returns false if the team has no such form
     * there.
     */
    expireForm: async (id: string, teamId: string): Promise<boolean> => {
      const isTrashed = and(isFormOf(id, teamId), isNotNull(forms.trashedAt));
      return (await updateRows(db, forms, { trashedAt: 0 }, isTrashed)) > 0;
    },

    /** Lists up to `limit` forms of all teams trashed before `before`, with their teams. */
    listExpiredForms: async (before: Micros, limit: number) =>
      fromForms(db, { id: forms.id, teamId: workspaces.teamId }).where(lt(forms.trashedAt, before)).limit(limit),

    /** Deletes a form in the trash without submissions, with its webhooks, mails and counts. Usage is unchanged. */
    deleteForm: (id: string): Promise<void> =>
      db.transaction(async (tx) => {
        const ofForm = eq(submissions.formKey, keyOf(id));
        const [left] = await tx.select({ id: submissions.id }).from(submissions).where(ofForm).limit(1);
        if (left) throw conflict('This form still has submissions.');
        const isTrashed = and(eq(forms.id, id), isNotNull(forms.trashedAt));
        const [form] = await tx.select({ id: forms.id }).from(forms).where(isTrashed);
        if (!form) return;
        for (const table of [webhooks, outbox, idempotencyKeys]) await tx.delete(table).where(eq(table.formId, id));
        await tx.delete(counters).where(eq(counters.owner, id));
        await tx.delete(forms).where(isTrashed);
      }),
  };
}
