import { eq } from 'drizzle-orm';
import { MAIL_SERVER_ID } from '../../domain/mail/mail-server.ts';
import { type Db, upsert } from '../database.ts';
import { mailServers } from '../schema.ts';

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
