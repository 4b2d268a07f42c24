import { and, asc, count, eq } from 'drizzle-orm';
import type { FormLayout, InboxViewRecord } from '../../domain/submissions/inbox.ts';
import { type Db, deleteRows, firstRow, upsert } from '../database.ts';
import { inboxLayouts, inboxViews } from '../schema.ts';

export function inboxPreferenceStore(db: Db) {
  const ofUser = (userId: string, teamId: string) => and(eq(inboxViews.userId, userId), eq(inboxViews.teamId, teamId));
  const { layout, columns } = inboxLayouts;

  return {
    /** Lists the saved views of a user in a team, oldest first. */
    listViews: async (userId: string | null, teamId: string): Promise<InboxViewRecord[]> => {
      const isListed = userId === null ? eq(inboxViews.teamId, teamId) : ofUser(userId, teamId);
      return db.select().from(inboxViews).where(isListed).orderBy(asc(inboxViews.id));
    },

    /** Saves a view. Returns false if the user has `max` in this team already. */
    createView: (view: InboxViewRecord, max: number): Promise<boolean> =>
      db.transaction(async (tx) => {
        const [found] = await tx.select({ total: count() }).from(inboxViews).where(ofUser(view.userId, view.teamId));
        if ((found?.total ?? 0) >= max) return false;
        await tx.insert(inboxViews).values({ ...view, view: Buffer.from(view.view) });
        return true;
      }),

    /** Returns false if the user has no such view in this team. */
    deleteView: async (id: string, userId: string, teamId: string): Promise<boolean> => {
      return (await deleteRows(db, inboxViews, and(eq(inboxViews.id, id), ofUser(userId, teamId)))) > 0;
    },

    /** Returns how a user sees the submissions of a form; null without a choice. */
    findLayout: async (userId: string, formId: string): Promise<FormLayout | null> => {
      const isChosen = and(eq(inboxLayouts.userId, userId), eq(inboxLayouts.formId, formId));
      return firstRow(db.select({ layout, columns }).from(inboxLayouts).where(isChosen));
    },

    setLayout: (userId: string, formId: string, chosen: FormLayout): Promise<void> =>
      upsert(db, inboxLayouts, ['userId', 'formId'], { userId, formId, ...chosen }),
  };
}
