import { and, asc, desc, eq, getTableColumns, gt, lte, or, sql } from 'drizzle-orm';
import type { Reach, Role } from '../../domain/teams/roles.ts';
import { SESSION_IDLE, type Session, type User } from '../../domain/users/user.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import { type Db, deleteRows, firstRow, updateRows } from '../database.ts';
import { members, oneTimeLinks, sessions, users } from '../schema.ts';
import { recordUse } from './keys.ts';
import { userColumns } from './users.ts';

/** A session with its user, and what the user has to sign in with. */
type SessionUser = Readonly<{ session: Session; user: User }> &
  Readonly<Record<'hasSecondFactor' | 'hasPassword' | 'hasPasskey', boolean>>;

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
  const isUsed = gt(sessions.lastUsedAt, sql.placeholder('idleSince'));
  const isValidAt = and(gt(sessions.expiresAt, sql.placeholder('now')), isUsed);
  const hasSecondFactor = sql`${users.totpSecret} IS NOT NULL`.mapWith(Boolean);
  const hasPassword = sql`${users.passwordHash} IS NOT NULL`.mapWith(Boolean);
  const hasPasskey = sql`EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = ${users.id})`.mapWith(Boolean);
  const userOfSession = { session: sessionColumns, user: userColumns, hasSecondFactor, hasPassword, hasPasskey };
  const findSession = db.prepared('session', () => {
    const query = db.select(userOfSession).from(sessions).innerJoin(users, eq(users.id, sessions.userId));
    return query.where(and(eq(sessions.hash, sql.placeholder('hash')), isValidAt));
  });
  const { role, workspaceIds, teamId } = members;
  const isIt = and(eq(sessions.id, sql.placeholder('id')), eq(teamId, sql.placeholder('teamId')));
  const findAccess = db.prepared('session_access', () => {
    const query = db
      .select({ role, workspaceIds })
      .from(sessions)
      .innerJoin(members, eq(members.userId, sessions.userId));
    return query.where(and(isIt, eq(sessions.isPending, false), isValidAt));
  });

  return {
    create: async (hash: string, session: Session): Promise<void> =>
      void (await db.insert(sessions).values({ ...session, hash })),

    /** Returns null if the session does not exist, has expired, or was idle for `SESSION_IDLE`. */
    find: (hash: string): Promise<SessionUser | null> => firstRow(findSession({ hash, ...times() })),

    /** Returns role and reach of a session's user in a team; null if the session is not valid or the user is not a member. */
    findAccess: (id: string, teamId: string): Promise<Readonly<{ role: Role; workspaceIds: Reach }> | null> =>
      firstRow(findAccess({ id, teamId, ...times() })),

    /** Lists up to `limit` valid, non-pending sessions of a user, most recently used first. */
    list: async (userId: string, limit: number): Promise<Session[]> => {
      const isListed = and(eq(sessions.userId, userId), eq(sessions.isPending, false), isValid());
      const query = db.select(sessionColumns).from(sessions).where(isListed);
      return query.orderBy(desc(sessions.lastUsedAt), asc(sessions.id)).limit(limit);
    },

    recordPasswordCheck: async (id: string, passwordAt: Micros): Promise<void> =>
      void (await db.update(sessions).set({ passwordAt }).where(eq(sessions.id, id))),

    /** Replaces the secret of a session. Returns false if the user has no such session. */
    renew: async (userId: string, id: string, hash: string): Promise<boolean> => {
      const isOwn = and(eq(sessions.userId, userId), eq(sessions.id, id));
      return (await updateRows(db, sessions, { hash }, isOwn)) > 0;
    },

    /** Returns false if the user has no such session. */
    end: async (userId: string, id: string): Promise<boolean> => {
      const isOwn = and(eq(sessions.userId, userId), eq(sessions.id, id));
      return (await deleteRows(db, sessions, isOwn)) > 0;
    },

    endAll: async (userId: string): Promise<void> =>
      void (await db.delete(sessions).where(eq(sessions.userId, userId))),

    /** Sets the last use of sessions by id. */
    recordUse: (usedAt: ReadonlyMap<string, Micros>): Promise<void> => recordUse(db, sessions, usedAt),

    /** Deletes expired sessions and one-time links. */
    prune: async (): Promise<void> => {
      const now = clock();
      await db.delete(sessions).where(or(lte(sessions.expiresAt, now), lte(sessions.lastUsedAt, now - SESSION_IDLE)));
      await db.delete(oneTimeLinks).where(lte(oneTimeLinks.expiresAt, now));
    },
  };
}
