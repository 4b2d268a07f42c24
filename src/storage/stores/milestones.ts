import type { Db } from '../database.ts';
import { milestones } from '../schema.ts';
import type { Store } from '../store.ts';

/** Creates the store methods for the steps of setting up the instance. */
export function milestoneStore(db: Db) {
  return {
    reachMilestone: async (name, reachedAt) =>
      void (await db.insert(milestones).values({ name, reachedAt }).onConflictDoNothing()),

    listMilestones: async () => {
      const rows = await db.select({ name: milestones.name }).from(milestones);
      return rows.map(({ name }) => name);
    },
  } satisfies Partial<Store>;
}
