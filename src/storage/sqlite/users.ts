import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { OneTimeLink } from '../../domain/user.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { requireManager } from './members.ts';
import { members, oneTimeLinks, sessions, teams, users } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

const { passwordHash: _, totpSecret: __, totpStep: ___, ...columns } = getTableColumns(users);

/** The columns of `User`, without secrets. */
export const userColumns = columns;

/** Creates the store methods for users and their one-time links. */
export function userStore(db: Drizzle, clock: Clock) {
  const { hash: _, ...linkColumns } = getTableColumns(oneTimeLinks);

  const membershipsOfUser = db
    .select({ team: getTableColumns(teams), role: members.role })
    .from(members)
    .innerJoin(teams, eq(teams.id, members.teamId))
    .where(eq(members.userId, sql.placeholder('userId')))
    .orderBy(asc(members.createdAt), asc(teams.id))
    .prepare();
  const hasUsers = () => db.select({ id: users.id }).from(users).limit(1).get() !== undefined;
  /** Deletes and returns a link; null if it does not exist, has expired, has no value in `column`, or confirms an address. */
  const spendLink = (
    hash: string,
    column: typeof oneTimeLinks.teamId | typeof oneTimeLinks.userId,
  ): OneTimeLink | null =>
    db
      .delete(oneTimeLinks)
      .where(
        and(
          eq(oneTimeLinks.hash, hash),
          gt(oneTimeLinks.expiresAt, clock()),
          isNotNull(column),
          isNull(oneTimeLinks.newEmail),
        ),
      )
      .returning(linkColumns)
      .get() ?? null;

  return {
    hasUsers: hasUsers,

    listUsers: () => db.select(userColumns).from(users).orderBy(asc(users.createdAt), asc(users.id)).all(),

    findUser: (id) => db.select(userColumns).from(users).where(eq(users.id, id)).get() ?? null,

    findUserByEmail: (email) => {
      const withPassword = { ...userColumns, passwordHash: users.passwordHash };
      return db.select(withPassword).from(users).where(eq(users.email, email)).get() ?? null;
    },

    updateUser: (id, changes) => {
      if (Object.keys(changes).length > 0) db.update(users).set(changes).where(eq(users.id, id)).run();
    },

    setPassword: (userId, passwordHash, keptSessionId) =>
      transaction(db, () => {
        db.update(users).set({ passwordHash }).where(eq(users.id, userId)).run();
        db.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId)).run();
        db.delete(sessions)
          .where(and(eq(sessions.userId, userId), ne(sessions.id, keptSessionId)))
          .run();
      }),

    listMembershipsOf: (userId) => membershipsOfUser.all({ userId }),

    createLink: (hash, link) =>
      transaction(db, () => {
        if (link.createdBy !== null) requireManager(db, link.teamId, link.createdBy);
        if (link.newEmail !== null && link.userId !== null) {
          db.delete(oneTimeLinks)
            .where(and(eq(oneTimeLinks.userId, link.userId), isNotNull(oneTimeLinks.newEmail)))
            .run();
        }
        db.insert(oneTimeLinks)
          .values({ ...link, hash })
          .run();
      }),

    findLink: (hash) =>
      db
        .select(linkColumns)
        .from(oneTimeLinks)
        .where(and(eq(oneTimeLinks.hash, hash), gt(oneTimeLinks.expiresAt, clock())))
        .get() ?? null,

    createUserByLink: (hash, user, passwordHash) =>
      transaction(db, () => {
        const { teamId, role } = spendLink(hash, oneTimeLinks.teamId) ?? { teamId: null, role: null };
        if (teamId === null) return false;
        if (!hasUsers()) db.delete(oneTimeLinks).where(eq(oneTimeLinks.teamId, teamId)).run();
        const added = db
          .insert(users)
          .values({ ...user, passwordHash })
          .onConflictDoNothing()
          .returning({ id: users.id })
          .all();
        if (added.length === 0) throw new AppError('conflict', 'An account with this email address already exists.');
        db.insert(members)
          .values({ userId: user.id, teamId, role: role ?? 'owner', createdAt: user.createdAt })
          .run();
        return true;
      }),

    setPasswordByLink: (hash, passwordHash) =>
      transaction(db, () => {
        const userId = spendLink(hash, oneTimeLinks.userId)?.userId ?? null;
        if (userId === null) return null;
        db.delete(sessions).where(eq(sessions.userId, userId)).run();
        db.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId)).run();
        return db.update(users).set({ passwordHash }).where(eq(users.id, userId)).returning(userColumns).get() ?? null;
      }),

    setEmailByLink: (hash, userId) =>
      transaction(db, () => {
        const isOwn = and(eq(oneTimeLinks.hash, hash), eq(oneTimeLinks.userId, userId));
        const link = db
          .select({ newEmail: oneTimeLinks.newEmail })
          .from(oneTimeLinks)
          .where(and(isOwn, gt(oneTimeLinks.expiresAt, clock())))
          .get();
        const before = db.select({ email: users.email }).from(users).where(eq(users.id, userId)).get();
        if (!link?.newEmail || !before) return null;
        const taken = db.select({ id: users.id }).from(users).where(eq(users.email, link.newEmail)).get();
        if (taken) throw new AppError('conflict', 'An account with this email address already exists.');
        db.update(users).set({ email: link.newEmail }).where(eq(users.id, userId)).run();
        db.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId)).run();
        return { from: before.email, to: link.newEmail };
      }),
  } satisfies Partial<StoreUnits>;
}
