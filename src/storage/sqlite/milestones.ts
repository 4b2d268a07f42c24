import type { Drizzle } from './database.ts';
import { milestones } from './schema.ts';
import type { StoreUnits } from './units.ts';

/** Creates the store methods for the steps of setting up the instance. */
export function milestoneStore(db: Drizzle) {
  return {
    reachMilestone: (name, reachedAt) =>
      void db.insert(milestones).values({ name, reachedAt }).onConflictDoNothing().run(),

    listMilestones: () =>
      db
        .select({ name: milestones.name })
        .from(milestones)
        .all()
        .map(({ name }) => name),
  } satisfies Partial<StoreUnits>;
}
