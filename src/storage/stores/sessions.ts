import { and, asc, desc, eq, getTableColumns, gt, lte, or, sql } from 'drizzle-orm';
import { SESSION_IDLE } from '../../domain/user.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Db, firstRow, greatest } from '../database.ts';
import { members, oneTimeLinks, sessions, users } from '../schema.ts';
import type { Store } from '../store.ts';
import { userColumns } from './users.ts';

/** Creates the store methods for dashboard sessions. */
export function sessionStore(db: Db, clock: Clock) {
  const { hash: _, ...sessionColumns } = getTableColumns(sessions);

  const isValid = () => {
    const now = clock();
    return and(gt(sessions.expiresAt, now), gt(sessions.lastUsedAt, now - SESSION_IDLE));
  };

  const times = () => {
    const now = clock();
    return { now, idleSince: now - SESSION_IDLE };
  };
  const isValidAt = () =>
    and(gt(sessions.expiresAt, sql.placeholder('now')), gt(sessions.lastUsedAt, sql.placeholder('idleSince')));
  const findSession = db.prepared('session', () =>
    db
      .select({
        session: sessionColumns,
        user: userColumns,
        hasSecondFactor: sql`${users.totpSecret} IS NOT NULL`.mapWith(Boolean),
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(sessions.hash, sql.placeholder('hash')), isValidAt())),
  );
  const findRole = db.prepared('session_role', () =>
    db
      .select({ role: members.role })
      .from(sessions)
      .innerJoin(members, eq(members.userId, sessions.userId))
      .where(
        and(
          ...[eq(sessions.id, sql.placeholder('id')), eq(sessions.isPending, false), isValidAt()],
          eq(members.teamId, sql.placeholder('teamId')),
        ),
      ),
  );

  return {
    createSession: async (hash, session) => void (await db.insert(sessions).values({ ...session, hash })),

    findSession: (hash) => firstRow(findSession({ hash, ...times() })),

    findSessionRole: async (id, teamId) => (await firstRow(findRole({ id, teamId, ...times() })))?.role ?? null,

    listSessions: async (userId, limit) =>
      db
        .select(sessionColumns)
        .from(sessions)
        .where(and(eq(sessions.userId, userId), eq(sessions.isPending, false), isValid()))
        .orderBy(desc(sessions.lastUsedAt), asc(sessions.id))
        .limit(limit),

    recordPasswordCheck: async (id, passwordAt) =>
      void (await db.update(sessions).set({ passwordAt }).where(eq(sessions.id, id))),

    renewSession: async (userId, id, hash) => {
      const isOwn = and(eq(sessions.userId, userId), eq(sessions.id, id));
      const renewed = await db.update(sessions).set({ hash }).where(isOwn).returning({ id: sessions.id });
      return renewed.length > 0;
    },

    endSession: async (userId, id) => {
      const isOwn = and(eq(sessions.userId, userId), eq(sessions.id, id));
      return (await db.delete(sessions).where(isOwn).returning({ id: sessions.id })).length > 0;
    },

    endSessions: async (userId) => void (await db.delete(sessions).where(eq(sessions.userId, userId))),

    recordSessionUse: (usedAt) =>
      db.transaction(async (tx) => {
        for (const [id, at] of usedAt) {
          // Another process may have recorded a later use.
          const lastUsedAt = greatest(sessions.lastUsedAt, at);
          await tx.update(sessions).set({ lastUsedAt }).where(eq(sessions.id, id));
        }
      }),

    pruneSessions: async () => {
      const now = clock();
      await db.delete(sessions).where(or(lte(sessions.expiresAt, now), lte(sessions.lastUsedAt, now - SESSION_IDLE)));
      await db.delete(oneTimeLinks).where(lte(oneTimeLinks.expiresAt, now));
    },
  } satisfies Partial<Store>;
}
