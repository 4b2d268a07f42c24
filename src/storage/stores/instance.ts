import { eq } from 'drizzle-orm';
import type { Milestone } from '../../domain/instance/milestone.ts';
import { MAIL_SERVER_ID } from '../../domain/mail/mail-server.ts';
import type { Micros } from '../../lib/clock.ts';
import { type Db, upsert } from '../database.ts';
import { mailServers, milestones } from '../schema.ts';

/** Creates the store methods for the mail server that was set up in the dashboard. */
export function mailServerStore(db: Db) {
  return {
    /** Returns the sealed settings; null without such a server. */
    read: async (): Promise<Uint8Array | null> => {
      const [row] = await db.select().from(mailServers).where(eq(mailServers.id, MAIL_SERVER_ID));
      return row?.settings ?? null;
    },

    /** Replaces the sealed settings; null removes them. */
    write: async (sealed: Uint8Array | null): Promise<void> => {
      if (sealed === null) return void (await db.delete(mailServers));
      await upsert(db, mailServers, ['id'], { id: MAIL_SERVER_ID, settings: Buffer.from(sealed) });
    },
  };
}

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
