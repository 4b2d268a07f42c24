import { and, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { MAX_PASSKEYS, type Passkey } from '../../domain/users/passkey.ts';
import type { User } from '../../domain/users/user.ts';
import type { Clock } from '../../lib/clock.ts';
import { byAge, countRows, type Db, firstRow, insertNew, updateRows } from '../database.ts';
import type { SpentChallenge } from '../records.ts';
import { passkeys, recoveryCodes, spentChallenges, users } from '../schema.ts';
import { endOtherSessions } from './second-factor.ts';
import { userColumns, userStore } from './users.ts';

/** Creates the store methods for passkeys. An answer whose challenge was used before is `refused`. */
export function passkeyStore(db: Db, clock: Clock) {
  const countOf = (tx: Db, table: typeof passkeys | typeof recoveryCodes, userId: string) =>
    countRows(tx, sql`SELECT 1 FROM ${table} WHERE ${eq(table.userId, userId)}`);

  return {
    list: async (userId: string): Promise<Passkey[]> =>
      db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(byAge(passkeys)),

    /** Returns the passkey with this credential id and its user; null if there is none. */
    find: (credentialId: string): Promise<Readonly<{ passkey: Passkey; user: User }> | null> =>
      firstRow(
        db
          .select({ passkey: getTableColumns(passkeys), user: userColumns })
          .from(passkeys)
          .innerJoin(users, eq(users.id, passkeys.userId))
          .where(eq(passkeys.credentialId, credentialId)),
      ),

    /** Adds a passkey and uses up its challenge. Adds none if its credential is `known` or the user has `too many`. */
    add: (passkey: Passkey, challenge: SpentChallenge): Promise<'added' | 'refused' | 'known' | 'too many'> =>
      db.transaction(async (tx) => {
        if (!(await insertNew(tx, spentChallenges, challenge))) return 'refused';
        if ((await countOf(tx, passkeys, passkey.userId)) >= MAX_PASSKEYS) return 'too many';
        return (await insertNew(tx, passkeys, passkey)) ? 'added' : 'known';
      }),

    /** Records a use and uses up its challenge. If the counter neither grew nor stayed 0, the device was `cloned`. */
    use: (id: string, counter: number, challenge: SpentChallenge): Promise<'used' | 'refused' | 'cloned'> =>
      db.transaction(async (tx) => {
        if (!(await insertNew(tx, spentChallenges, challenge))) return 'refused';
        const isNext = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter);
        const used = { counter, lastUsedAt: clock() };
        if ((await updateRows(tx, passkeys, used, and(eq(passkeys.id, id), isNext))) > 0) return 'used';
        const [row] = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.id, id));
        return row ? 'cloned' : 'refused';
      }),

    rename: async (userId: string, id: string, name: string): Promise<void> =>
      void (await updateRows(db, passkeys, { name }, and(eq(passkeys.userId, userId), eq(passkeys.id, id)))),

    /** Removes a passkey and ends all sessions but one. Returns false if it is the last one of a user without a password. */
    remove: (userId: string, id: string, keptSessionId: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const [user] = await tx.select({ password: users.passwordHash }).from(users).where(eq(users.id, userId));
        if (user?.password == null && (await countOf(tx, passkeys, userId)) < 2) return false;
        await tx.delete(passkeys).where(and(eq(passkeys.userId, userId), eq(passkeys.id, id)));
        await endOtherSessions(tx, userId, keptSessionId);
        return true;
      }),

    /**
     * Removes the password of a user, as `setPassword` does. Returns false, changing nothing, without two passkeys, or one
     * and a recovery code.
     */
    removePassword: (userId: string, keptSessionId: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const owned = await countOf(tx, passkeys, userId);
        if (owned < 2 && (owned < 1 || (await countOf(tx, recoveryCodes, userId)) < 1)) return false;
        await userStore(tx, clock).setPassword(userId, null, keptSessionId);
        return true;
      }),
  };
}
