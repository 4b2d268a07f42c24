import { and, asc, desc, eq, getTableColumns, gt, lte, or, sql } from 'drizzle-orm';
import { SESSION_IDLE } from '../../domain/user.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { members, oneTimeLinks, sessions, users } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';
import { userColumns } from './users.ts';

/** Creates the store methods for dashboard sessions. */
export function sessionStore(db: Drizzle, clock: Clock) {
  const { hash: _, ...sessionColumns } = getTableColumns(sessions);

  const sessionByHash = db
    .select({
      session: sessionColumns,
      user: userColumns,
      hasSecondFactor: sql<number>`${users.totpSecret} IS NOT NULL`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.hash, sql.placeholder('hash')),
        gt(sessions.expiresAt, sql.placeholder('now')),
        gt(sessions.lastUsedAt, sql.placeholder('idleSince')),
      ),
    )
    .prepare();
  const roleOfSession = db
    .select({ role: members.role })
    .from(sessions)
    .innerJoin(members, eq(members.userId, sessions.userId))
    .where(
      and(
        eq(sessions.id, sql.placeholder('id')),
        eq(sessions.isPending, false),
        gt(sessions.expiresAt, sql.placeholder('now')),
        gt(sessions.lastUsedAt, sql.placeholder('idleSince')),
        eq(members.teamId, sql.placeholder('teamId')),
      ),
    )
    .prepare();

  return {
    createSession: (hash, session) =>
      void db
        .insert(sessions)
        .values({ ...session, hash })
        .run(),

    findSession: (hash) => {
      const row = sessionByHash.get({ hash, now: clock(), idleSince: clock() - SESSION_IDLE });
      return row ? { ...row, hasSecondFactor: row.hasSecondFactor === 1 } : null;
    },

    findSessionRole: (id, teamId) => {
      const now = clock();
      return roleOfSession.get({ id, teamId, now, idleSince: now - SESSION_IDLE })?.role ?? null;
    },

    listSessions: (userId, limit) =>
      db
        .select(sessionColumns)
        .from(sessions)
        .where(
          and(
            eq(sessions.userId, userId),
            eq(sessions.isPending, false),
            gt(sessions.expiresAt, clock()),
            gt(sessions.lastUsedAt, clock() - SESSION_IDLE),
          ),
        )
        .orderBy(desc(sessions.lastUsedAt), asc(sessions.id))
        .limit(limit)
        .all(),

    recordPasswordCheck: (id, passwordAt) =>
      void db.update(sessions).set({ passwordAt }).where(eq(sessions.id, id)).run(),

    renewSession: (userId, id, hash) => {
      const renewed = db
        .update(sessions)
        .set({ hash })
        .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
        .returning({ id: sessions.id })
        .all();
      return renewed.length > 0;
    },

    endSession: (userId, id) => {
      const ended = db
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
        .returning({ id: sessions.id })
        .all();
      return ended.length > 0;
    },

    endSessions: (userId) => void db.delete(sessions).where(eq(sessions.userId, userId)).run(),

    recordSessionUse: (usedAt) =>
      transaction(db, () => {
        for (const [id, at] of usedAt) db.update(sessions).set({ lastUsedAt: at }).where(eq(sessions.id, id)).run();
      }),

    pruneSessions: () => {
      const now = clock();
      db.delete(sessions)
        .where(or(lte(sessions.expiresAt, now), lte(sessions.lastUsedAt, now - SESSION_IDLE)))
        .run();
      db.delete(oneTimeLinks).where(lte(oneTimeLinks.expiresAt, now)).run();
    },
  } satisfies Partial<StoreUnits>;
}
