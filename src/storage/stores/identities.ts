import { and, eq, ne } from 'drizzle-orm';
import type { Identity, User } from '../../domain/users/user.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import { byAge, type Db, deleteRows, firstRow, insertNew } from '../database.ts';
import { identities, sessions, users } from '../schema.ts';
import { userColumns } from './users.ts';

/** Creates the store methods for accounts at OIDC providers. */
export function identityStore(db: Db, clock: Clock) {
  return {
    /** Returns the user of an identity. */
    findUser: ({ issuer, subject }: Identity): Promise<User | null> => {
      const ofUser = eq(users.id, identities.userId);
      const isIt = and(eq(identities.issuer, issuer), eq(identities.subject, subject));
      return firstRow(db.select(userColumns).from(identities).innerJoin(users, ofUser).where(isIt));
    },

    list: async (userId: string): Promise<Array<Identity & Readonly<{ createdAt: Micros }>>> => {
      const { issuer, subject, createdAt } = identities;
      const columns = { issuer, subject, createdAt };
      const ofUser = eq(identities.userId, userId);
      return db
        .select(columns)
        .from(identities)
        .where(ofUser)
        .orderBy(byAge({ createdAt, id: issuer }));
    },

    /** Adds an identity. Returns false if it is somebody's already, or the user has another one at the provider. */
    add: (userId: string, { issuer, subject }: Identity): Promise<boolean> =>
      insertNew(db, identities, { issuer, subject, userId, createdAt: clock() }),

    /** Removes a user's identity and ends all sessions except `keptSessionId`. Returns false if there is none. */
    remove: (userId: string, issuer: string, keptSessionId: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const isOwn = and(eq(identities.userId, userId), eq(identities.issuer, issuer));
        if ((await deleteRows(tx, identities, isOwn)) === 0) return false;
        await tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, keptSessionId)));
        return true;
      }),
  };
}
