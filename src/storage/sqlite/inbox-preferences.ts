import { and, asc, count, eq } from 'drizzle-orm';
import type { Drizzle } from './database.ts';
import { inboxLayouts, inboxViews } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Creates the store methods for saved views, and for the layout in which a user sees the submissions of a form. */
export function inboxPreferenceStore(db: Drizzle) {
  const ofUser = (userId: string, teamId: string) => and(eq(inboxViews.userId, userId), eq(inboxViews.teamId, teamId));
  const { layout, columns } = inboxLayouts;

  return {
    listInboxViews: (userId, teamId) =>
      db
        .select()
        .from(inboxViews)
        .where(userId === null ? eq(inboxViews.teamId, teamId) : ofUser(userId, teamId))
        .orderBy(asc(inboxViews.id))
        .all(),

    createInboxView: (view, max) =>
      transaction(db, () => {
        const { userId, teamId } = view;
        const [found] = db.select({ total: count() }).from(inboxViews).where(ofUser(userId, teamId)).all();
        if ((found?.total ?? 0) >= max) return false;
        db.insert(inboxViews)
          .values({ ...view, view: Buffer.from(view.view) })
          .run();
        return true;
      }),

    deleteInboxView: (id, userId, teamId) =>
      db
        .delete(inboxViews)
        .where(and(eq(inboxViews.id, id), ofUser(userId, teamId)))
        .returning({ id: inboxViews.id })
        .all().length > 0,

    findFormLayout: (userId, formId) =>
      db
        .select({ layout, columns })
        .from(inboxLayouts)
        .where(and(eq(inboxLayouts.userId, userId), eq(inboxLayouts.formId, formId)))
        .get() ?? null,

    setFormLayout: (userId, formId, chosen) => {
      const target = [inboxLayouts.userId, inboxLayouts.formId];
      db.insert(inboxLayouts)
        .values({ userId, formId, ...chosen })
        .onConflictDoUpdate({ target, set: chosen })
        .run();
    },
  } satisfies Partial<StoreUnits>;
}
