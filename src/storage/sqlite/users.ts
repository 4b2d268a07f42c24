import { and, asc, desc, eq, getTableColumns, gt, isNotNull, lte, ne, or, sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { type OneTimeLink, SESSION_IDLE } from '../../domain/user.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store.ts';
import { type Drizzle, unitOfWork } from './database.ts';
import { members, oneTimeLinks, sessions, teams, users } from './schema.ts';

type PeopleMethods =
  | 'hasUsers'
  | 'listUsers'
  | 'findUser'
  | 'findUserByEmail'
  | 'updateUser'
  | 'setPassword'
  | 'listMembershipsOf'
  | 'createLink'
  | 'findLink'
  | 'createUserByLink'
  | 'setPasswordByLink'
  | 'createSession'
  | 'findSession'
  | 'listSessions'
  | 'renewSession'
  | 'endSession'
  | 'endSessions'
  | 'recordSessionUse'
  | 'prunePeople';

/** People, their sign-ins, and the links that let them in. */
export function peopleStore(db: Drizzle, clock: Clock): Pick<Store, PeopleMethods> {
  const { passwordHash: _, totpSecret: _secret, totpStep: _step, ...ofUser } = getTableColumns(users);
  const { hash: __, ...ofSession } = getTableColumns(sessions);
  const { hash: ___, ...ofLink } = getTableColumns(oneTimeLinks);

  const sessionByHash = db
    .select({ session: ofSession, user: ofUser, hasSecondFactor: sql<number>`${users.totpSecret} IS NOT NULL` })
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
  const membershipsOfUser = db
    .select({ team: getTableColumns(teams), role: members.role })
    .from(members)
    .innerJoin(teams, eq(teams.id, members.teamId))
    .where(eq(members.userId, sql.placeholder('userId')))
    .orderBy(asc(members.createdAt), asc(teams.id))
    .prepare();
  const hasUsers = () => db.select({ id: users.id }).from(users).limit(1).get() !== undefined;
  /** Takes the link away and returns whose it is; null if there is none of that kind, or it has expired. */
  const spendLink = (
    hash: string,
    whose: typeof oneTimeLinks.teamId | typeof oneTimeLinks.userId,
  ): OneTimeLink | null =>
    db
      .delete(oneTimeLinks)
      .where(and(eq(oneTimeLinks.hash, hash), gt(oneTimeLinks.expiresAt, clock()), isNotNull(whose)))
      .returning(ofLink)
      .get() ?? null;

  return {
    hasUsers: () => unitOfWork(hasUsers),

    listUsers: () => unitOfWork(() => db.select(ofUser).from(users).orderBy(asc(users.createdAt), asc(users.id)).all()),

    findUser: (id) => unitOfWork(() => db.select(ofUser).from(users).where(eq(users.id, id)).get() ?? null),

    findUserByEmail: (email) =>
      unitOfWork(() => {
        const withPassword = { ...ofUser, passwordHash: users.passwordHash };
        return db.select(withPassword).from(users).where(eq(users.email, email)).get() ?? null;
      }),

    updateUser: (id, changes) =>
      unitOfWork(() => {
        if (Object.keys(changes).length > 0) db.update(users).set(changes).where(eq(users.id, id)).run();
      }),

    setPassword: (userId, passwordHash, keptSessionId) =>
      unitOfWork(() =>
        db.transaction(
          () => {
            db.update(users).set({ passwordHash }).where(eq(users.id, userId)).run();
            db.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId)).run();
            db.delete(sessions)
              .where(and(eq(sessions.userId, userId), ne(sessions.id, keptSessionId)))
              .run();
          },
          { behavior: 'immediate' },
        ),
      ),

    listMembershipsOf: (userId) => unitOfWork(() => membershipsOfUser.all({ userId })),

    createLink: (hash, link) =>
      unitOfWork(
        () =>
          void db
            .insert(oneTimeLinks)
            .values({ ...link, hash })
            .run(),
      ),

    findLink: (hash) =>
      unitOfWork(
        () =>
          db
            .select(ofLink)
            .from(oneTimeLinks)
            .where(and(eq(oneTimeLinks.hash, hash), gt(oneTimeLinks.expiresAt, clock())))
            .get() ?? null,
      ),

    createUserByLink: (hash, user, passwordHash) =>
      unitOfWork(() =>
        db.transaction(
          () => {
            const { teamId, role } = spendLink(hash, oneTimeLinks.teamId) ?? { teamId: null, role: null };
            if (teamId === null) return false;
            if (!hasUsers()) db.delete(oneTimeLinks).where(eq(oneTimeLinks.teamId, teamId)).run();
            const added = db
              .insert(users)
              .values({ ...user, passwordHash })
              .onConflictDoNothing()
              .returning({ id: users.id })
              .all();
            if (added.length === 0) throw new AppError('conflict', 'There is an account with this e-mail address.');
            db.insert(members)
              .values({ userId: user.id, teamId, role: role ?? 'owner', createdAt: user.createdAt })
              .run();
            return true;
          },
          { behavior: 'immediate' },
        ),
      ),

    setPasswordByLink: (hash, passwordHash) =>
      unitOfWork(() =>
        db.transaction(
          () => {
            const userId = spendLink(hash, oneTimeLinks.userId)?.userId ?? null;
            if (userId === null) return null;
            db.delete(sessions).where(eq(sessions.userId, userId)).run();
            db.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId)).run();
            return db.update(users).set({ passwordHash }).where(eq(users.id, userId)).returning(ofUser).get() ?? null;
          },
          { behavior: 'immediate' },
        ),
      ),

    createSession: (hash, session) =>
      unitOfWork(
        () =>
          void db
            .insert(sessions)
            .values({ ...session, hash })
            .run(),
      ),

    findSession: (hash) =>
      unitOfWork(() => {
        const found = sessionByHash.get({ hash, now: clock(), idleSince: clock() - SESSION_IDLE });
        return found ? { ...found, hasSecondFactor: found.hasSecondFactor === 1 } : null;
      }),

    listSessions: (userId, limit) =>
      unitOfWork(() =>
        db
          .select(ofSession)
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
      ),

    renewSession: (userId, id, hash) =>
      unitOfWork(() => {
        const renewed = db
          .update(sessions)
          .set({ hash })
          .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
          .returning({ id: sessions.id })
          .all();
        return renewed.length > 0;
      }),

    endSession: (userId, id) =>
      unitOfWork(() => {
        const ended = db
          .delete(sessions)
          .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
          .returning({ id: sessions.id })
          .all();
        return ended.length > 0;
      }),

    endSessions: (userId) => unitOfWork(() => void db.delete(sessions).where(eq(sessions.userId, userId)).run()),

    recordSessionUse: (usedAt) =>
      unitOfWork(() =>
        db.transaction(
          () => {
            for (const [id, at] of usedAt) db.update(sessions).set({ lastUsedAt: at }).where(eq(sessions.id, id)).run();
          },
          { behavior: 'immediate' },
        ),
      ),

    prunePeople: () =>
      unitOfWork(() => {
        const now = clock();
        db.delete(sessions)
          .where(or(lte(sessions.expiresAt, now), lte(sessions.lastUsedAt, now - SESSION_IDLE)))
          .run();
        db.delete(oneTimeLinks).where(lte(oneTimeLinks.expiresAt, now)).run();
      }),
  };
}
