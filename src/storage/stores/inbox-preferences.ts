import { and, asc, count, eq } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { inboxLayouts, inboxViews } from '../schema.ts';
import type { Store } from '../store.ts';

/** Creates the store methods for saved views, and for the layout in which a user sees the submissions of a form. */
export function inboxPreferenceStore(db: Db) {
  const ofUser = (userId: string, teamId: string) => and(eq(inboxViews.userId, userId), eq(inboxViews.teamId, teamId));
  const { layout, columns } = inboxLayouts;

  return {
    listInboxViews: async (userId, teamId) =>
      db
        .select()
        .from(inboxViews)
        .where(userId === null ? eq(inboxViews.teamId, teamId) : ofUser(userId, teamId))
        .orderBy(asc(inboxViews.id)),

    createInboxView: (view, max) =>
      db.transaction(async (tx) => {
        const [found] = await tx.select({ total: count() }).from(inboxViews).where(ofUser(view.userId, view.teamId));
        if ((found?.total ?? 0) >= max) return false;
        await tx.insert(inboxViews).values({ ...view, view: Buffer.from(view.view) });
        return true;
      }),

    deleteInboxView: async (id, userId, teamId) => {
      const deleted = await db
        .delete(inboxViews)
        .where(and(eq(inboxViews.id, id), ofUser(userId, teamId)))
        .returning({ id: inboxViews.id });
      return deleted.length > 0;
    },

    findFormLayout: async (userId, formId) => {
      const [row] = await db
        .select({ layout, columns })
        .from(inboxLayouts)
        .where(and(eq(inboxLayouts.userId, userId), eq(inboxLayouts.formId, formId)));
      return row ?? null;
    },

    setFormLayout: async (userId, formId, chosen) => {
      const target = [inboxLayouts.userId, inboxLayouts.formId];
      await db
        .insert(inboxLayouts)
        .values({ userId, formId, ...chosen })
        .onConflictDoUpdate({ target, set: chosen });
    },
  } satisfies Partial<Store>;
}
