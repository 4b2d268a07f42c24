import { and, count, eq, gt, isNotNull, isNull, lt, ne, or } from 'drizzle-orm';
import type { Session } from '../../domain/users/user.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Db, deleteRows, updateRows } from '../database.ts';
import type { NewSecondFactor, SecondFactorProof } from '../records.ts';
import { recoveryCodes, sessions, users } from '../schema.ts';

/** Ends all sessions of a user except `keptSessionId`, or all if it is null. */
export async function endOtherSessions(tx: Db, userId: string, keptSessionId: string | null): Promise<void> {
  const others = keptSessionId === null ? undefined : ne(sessions.id, keptSessionId);
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), others));
}

export function secondFactorStore(db: Db, clock: Clock) {
  const hasSecondFactor = (userId: string) => and(eq(users.id, userId), isNotNull(users.totpSecret));
  const setCodes = async (tx: Db, userId: string, hashes: readonly string[]): Promise<void> => {
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    if (hashes.length > 0) await tx.insert(recoveryCodes).values(hashes.map((hash) => ({ userId, hash })));
  };
  /** Uses up a proof. Returns false if it is wrong or was used before. */
  const spend = async (tx: Db, userId: string, proof: SecondFactorProof): Promise<boolean> => {
    if ('step' in proof) {
      const isLater = or(isNull(users.totpStep), lt(users.totpStep, proof.step));
      return (await updateRows(tx, users, { totpStep: proof.step }, and(hasSecondFactor(userId), isLater))) > 0;
    }
    const isCode = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, proof.codeHash));
    return (await deleteRows(tx, recoveryCodes, isCode)) > 0;
  };

  return {
    /** Returns the sealed TOTP secret and the number of unused recovery codes; null without a second factor. */
    find: async (userId: string): Promise<Readonly<{ secret: Uint8Array; codesLeft: number }> | null> => {
      const [user] = await db.select({ secret: users.totpSecret }).from(users).where(eq(users.id, userId));
      if (!user?.secret) return null;
      const [codes] = await db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId));
      return { secret: user.secret, codesLeft: codes?.left ?? 0 };
    },

    /** Adds a second factor and ends all sessions except `keptSessionId`. Returns false if the user has one already. */
    add: (userId: string, { secret, step, codeHashes }: NewSecondFactor, keptSessionId: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const added = { totpSecret: Buffer.from(secret), totpStep: step };
        const hasNone = and(eq(users.id, userId), isNull(users.totpSecret));
        if ((await updateRows(tx, users, added, hasNone)) === 0) return false;
        await setCodes(tx, userId, codeHashes);
        await endOtherSessions(tx, userId, keptSessionId);
        return true;
      }),

    /** Replaces all recovery codes and ends all sessions but `keptSessionId`. Returns false without a second factor. */
    replaceCodes: (userId: string, codeHashes: readonly string[], keptSessionId: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const [user] = await tx.select({ id: users.id }).from(users).where(hasSecondFactor(userId));
        if (!user) return false;
        await setCodes(tx, userId, codeHashes);
        await endOtherSessions(tx, userId, keptSessionId);
        return true;
      }),

    /** Uses up a proof. Returns false if it was used before, or the user has no second factor. */
    spendProof: (userId: string, proof: SecondFactorProof): Promise<boolean> =>
      db.transaction((tx) => spend(tx, userId, proof)),

    /**
     * Removes the second factor and ends all sessions except `keptSessionId`, or all if it is null. Returns false without
     * a second factor.
     */
    remove: (userId: string, keptSessionId: string | null): Promise<boolean> =>
      db.transaction(async (tx) => {
        const none = { totpSecret: null, totpStep: null };
        if ((await updateRows(tx, users, none, hasSecondFactor(userId))) === 0) return false;
        await setCodes(tx, userId, []);
        await endOtherSessions(tx, userId, keptSessionId);
        return true;
      }),

    /**
     * Replaces a pending session of the same user and uses up the proof: the time step must be later than the last
     * accepted one, the recovery code must be unused. Returns false, changing nothing, otherwise.
     */
    complete: (pendingId: string, proof: SecondFactorProof, hash: string, session: Session): Promise<boolean> =>
      db.transaction(async (tx) => {
        const isPending = and(
          eq(sessions.id, pendingId),
          eq(sessions.userId, session.userId),
          eq(sessions.isPending, true),
          gt(sessions.expiresAt, clock()),
        );
        const [pending] = await tx.select({ id: sessions.id }).from(sessions).where(isPending);
        if (!pending || !(await spend(tx, session.userId, proof))) return false;
        await tx.delete(sessions).where(isPending);
        await tx.insert(sessions).values({ ...session, hash });
        return true;
      }),
  };
}
