import { and, count, eq, gt, isNotNull, isNull, lt, ne, or } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { SecondFactorProof } from '../store.ts';
import type { Drizzle } from './database.ts';
import { recoveryCodes, sessions, users } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Creates the store methods for second factors and recovery codes. */
export function secondFactorStore(db: Drizzle, clock: Clock) {
  const endOtherSessions = (userId: string, keptSessionId: string | null) => {
    const others = keptSessionId === null ? undefined : ne(sessions.id, keptSessionId);
    db.delete(sessions)
      .where(and(eq(sessions.userId, userId), others))
      .run();
  };
  const setCodes = (userId: string, hashes: readonly string[]) => {
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)).run();
    if (hashes.length > 0) {
      const rows = hashes.map((hash) => ({ userId, hash }));
      db.insert(recoveryCodes).values(rows).run();
    }
  };
  /** Uses up a proof. Returns false if it is wrong or was used before. */
  const spend = (userId: string, proof: SecondFactorProof): boolean => {
    const ofUser = and(eq(users.id, userId), isNotNull(users.totpSecret));
    if ('step' in proof) {
      const isLater = or(isNull(users.totpStep), lt(users.totpStep, proof.step));
      const updated = db
        .update(users)
        .set({ totpStep: proof.step })
        .where(and(ofUser, isLater))
        .returning({ id: users.id });
      return updated.all().length > 0;
    }
    const spent = db
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, proof.codeHash)))
      .returning({ hash: recoveryCodes.hash });
    return spent.all().length > 0;
  };

  return {
    findSecondFactor: (userId) => {
      const user = db.select({ secret: users.totpSecret }).from(users).where(eq(users.id, userId)).get();
      if (!user?.secret) return null;
      const codes = db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId)).get();
      return { secret: user.secret, codesLeft: codes?.left ?? 0 };
    },

    addSecondFactor: (userId, { secret, step, codeHashes }, keptSessionId) =>
      transaction(db, () => {
        const added = db
          .update(users)
          .set({ totpSecret: Buffer.from(secret), totpStep: step })
          .where(and(eq(users.id, userId), isNull(users.totpSecret)))
          .returning({ id: users.id })
          .all();
        if (added.length === 0) return false;
        setCodes(userId, codeHashes);
        endOtherSessions(userId, keptSessionId);
        return true;
      }),

    replaceRecoveryCodes: (userId, codeHashes, keptSessionId) =>
      transaction(db, () => {
        const hasSecondFactor = and(eq(users.id, userId), isNotNull(users.totpSecret));
        if (!db.select({ id: users.id }).from(users).where(hasSecondFactor).get()) return false;
        setCodes(userId, codeHashes);
        endOtherSessions(userId, keptSessionId);
        return true;
      }),

    spendProof: (userId, proof) => transaction(db, () => spend(userId, proof)),

    removeSecondFactor: (userId, keptSessionId) =>
      transaction(db, () => {
        const removed = db
          .update(users)
          .set({ totpSecret: null, totpStep: null })
          .where(and(eq(users.id, userId), isNotNull(users.totpSecret)))
          .returning({ id: users.id })
          .all();
        if (removed.length === 0) return false;
        setCodes(userId, []);
        endOtherSessions(userId, keptSessionId);
        return true;
      }),

    completeSecondFactor: (pendingId, proof, hash, session) =>
      transaction(db, () => {
        const pending = and(
          eq(sessions.id, pendingId),
          eq(sessions.userId, session.userId),
          eq(sessions.isPending, true),
          gt(sessions.expiresAt, clock()),
        );
        if (!db.select({ id: sessions.id }).from(sessions).where(pending).get()) return false;
        if (!spend(session.userId, proof)) return false;
        db.delete(sessions).where(pending).run();
        db.insert(sessions)
          .values({ ...session, hash })
          .run();
        return true;
      }),
  } satisfies Partial<StoreUnits>;
}
