import type { Milestone } from '../../domain/instance/milestone.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Db } from '../database.ts';
import { milestones } from '../schema.ts';

export function milestoneStore(db: Db) {
  return {
    /** Records that a step of setting up the instance was done, once. */
    reach: async (name: Milestone, reachedAt: Micros): Promise<void> =>
      void (await db.insert(milestones).values({ name, reachedAt }).onConflictDoNothing()),

    list: async (): Promise<Milestone[]> => {
      const rows = await db.select({ name: milestones.name }).from(milestones);
      return rows.map(({ name }) => name);
    },
  };
}
