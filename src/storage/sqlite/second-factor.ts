import { and, count, eq, gt, isNotNull, isNull, lt, ne, or } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { FactorProof, Store } from '../store.ts';
import { type Drizzle, unitOfWork } from './database.ts';
import { recoveryCodes, sessions, users } from './schema.ts';

type SecondFactorMethods =
  | 'findSecondFactor'
  | 'addSecondFactor'
  | 'replaceRecoveryCodes'
  | 'removeSecondFactor'
  | 'passSecondFactor';

/** Second factors, and the recovery codes that stand in for them. */
export function secondFactorStore(db: Drizzle, clock: Clock): Pick<Store, SecondFactorMethods> {
  const atOnce = <T>(work: () => T) => unitOfWork(() => db.transaction(work, { behavior: 'immediate' }));

  const endOthers = (userId: string, keptSessionId: string | null) => {
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
  /** Whether the proof was still good. */
  const spend = (userId: string, proof: FactorProof): boolean => {
    const ofUser = and(eq(users.id, userId), isNotNull(users.totpSecret));
    if ('step' in proof) {
      const isLater = or(isNull(users.totpStep), lt(users.totpStep, proof.step));
      const moved = db
        .update(users)
        .set({ totpStep: proof.step })
        .where(and(ofUser, isLater))
        .returning({ id: users.id });
      return moved.all().length > 0;
    }
    const spent = db
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, proof.codeHash)))
      .returning({ hash: recoveryCodes.hash });
    return spent.all().length > 0;
  };

  return {
    findSecondFactor: (userId) =>
      unitOfWork(() => {
        const found = db.select({ secret: users.totpSecret }).from(users).where(eq(users.id, userId)).get();
        if (!found?.secret) return null;
        const codes = db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId)).get();
        return { secret: found.secret, codesLeft: codes?.left ?? 0 };
      }),

    addSecondFactor: (userId, { secret, step, codeHashes }, keptSessionId) =>
      atOnce(() => {
        const added = db
          .update(users)
          .set({ totpSecret: Buffer.from(secret), totpStep: step })
          .where(and(eq(users.id, userId), isNull(users.totpSecret)))
          .returning({ id: users.id })
          .all();
        if (added.length === 0) return false;
        setCodes(userId, codeHashes);
        endOthers(userId, keptSessionId);
        return true;
      }),

    replaceRecoveryCodes: (userId, codeHashes, keptSessionId) =>
      atOnce(() => {
        const isOn = and(eq(users.id, userId), isNotNull(users.totpSecret));
        if (!db.select({ id: users.id }).from(users).where(isOn).get()) return false;
        setCodes(userId, codeHashes);
        endOthers(userId, keptSessionId);
        return true;
      }),

    removeSecondFactor: (userId, keptSessionId) =>
      atOnce(() => {
        const removed = db
          .update(users)
          .set({ totpSecret: null, totpStep: null })
          .where(and(eq(users.id, userId), isNotNull(users.totpSecret)))
          .returning({ id: users.id })
          .all();
        if (removed.length === 0) return false;
        setCodes(userId, []);
        endOthers(userId, keptSessionId);
        return true;
      }),

    passSecondFactor: (pendingId, proof, hash, session) =>
      atOnce(() => {
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
  };
}
