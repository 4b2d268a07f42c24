import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { Membership, OneTimeLink, User } from '../../domain/users/user.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Db, firstRow, insertNew } from '../database.ts';
import { members, oneTimeLinks, sessions, teams, users } from '../schema.ts';
import { requireManager } from './members.ts';
import { endOtherSessions } from './second-factor.ts';

const { passwordHash: _, totpSecret: __, totpStep: ___, ...columns } = getTableColumns(users);

/** The columns of `User`, without secrets. */
export const userColumns = columns;

/** Creates the store methods for users and their one-time links. */
export function userStore(db: Db, clock: Clock) {
  const { hash: _, ...linkColumns } = getTableColumns(oneTimeLinks);

  const isValid = (hash: string) => and(eq(oneTimeLinks.hash, hash), gt(oneTimeLinks.expiresAt, clock()));
  const hasUsers = async (queries: Db) => {
    const [user] = await queries.select({ id: users.id }).from(users).limit(1);
    return user !== undefined;
  };
  /** Deletes and returns a link; null if it does not exist, has expired, has no value in `column`, or confirms an address. */
  const spendLink = (
    tx: Db,
    hash: string,
    column: typeof oneTimeLinks.teamId | typeof oneTimeLinks.userId,
  ): Promise<OneTimeLink | null> => {
    const isFit = and(isValid(hash), isNotNull(column), isNull(oneTimeLinks.newEmail));
    return firstRow(tx.delete(oneTimeLinks).where(isFit).returning(linkColumns));
  };

  return {
    exist: (): Promise<boolean> => hasUsers(db),

    list: async (): Promise<User[]> => db.select(userColumns).from(users).orderBy(asc(users.createdAt), asc(users.id)),

    find: (id: string): Promise<User | null> => firstRow(db.select(userColumns).from(users).where(eq(users.id, id))),

    /** Finds a user by email address, which must be in lower case. */
    findByEmail: async (email: string): Promise<(User & Readonly<{ passwordHash: string | null }>) | null> => {
      const withPassword = { ...userColumns, passwordHash: users.passwordHash };
      return firstRow(db.select(withPassword).from(users).where(eq(users.email, email)));
    },

    update: async (
      id: string,
      changes: Partial<Pick<User, 'name' | 'theme' | 'language' | 'timeZone'>>,
    ): Promise<void> => {
      if (Object.keys(changes).length > 0) await db.update(users).set(changes).where(eq(users.id, id));
    },

    /**
     * Sets the password, or removes it if it is null, deletes all reset links of the user and ends all sessions except
     * `keptSessionId`.
     */
    setPassword: (userId: string, passwordHash: string | null, keptSessionId: string): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
        await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId));
        await endOtherSessions(tx, userId, keptSessionId);
      }),

    listMemberships: async (userId: string): Promise<Membership[]> => {
      const others = sql`SELECT 1 FROM members AS other WHERE other.team_id = ${teams.id} AND other.user_id <> ${userId}`;
      const rows = await db
        .select({
          team: getTableColumns(teams),
          role: members.role,
          workspaceIds: members.workspaceIds,
          isShared: sql<unknown>`EXISTS (${others})`,
        })
        .from(members)
        .innerJoin(teams, eq(teams.id, members.teamId))
        .where(eq(members.userId, userId))
        .orderBy(asc(members.createdAt), asc(teams.id));
      return rows.map((row) => ({ ...row, isShared: Boolean(row.isShared) }));
    },

    /**
     * A link that confirms an address replaces earlier ones of the user. Throws `AppError('role_forbids')`, creating
     * nothing, if the maker of an invitation may no longer invite.
     */
    createLink: (hash: string, link: OneTimeLink): Promise<void> =>
      db.transaction(async (tx) => {
        if (link.createdBy !== null) await requireManager(tx, link.teamId, link.createdBy);
        if (link.newEmail !== null && link.userId !== null) {
          const isEarlier = and(eq(oneTimeLinks.userId, link.userId), isNotNull(oneTimeLinks.newEmail));
          await tx.delete(oneTimeLinks).where(isEarlier);
        }
        await tx.insert(oneTimeLinks).values({ ...link, hash });
      }),

    /** Returns null if the link does not exist, was used, or has expired. */
    findLink: (hash: string): Promise<OneTimeLink | null> =>
      firstRow(db.select(linkColumns).from(oneTimeLinks).where(isValid(hash))),

    /**
     * Uses up an invitation and creates the user as a member of its team; false if the invitation is not valid. The first
     * user of the instance also voids the team's other invitations, since each start without a user prints one. Throws
     * `AppError('conflict')`, keeping the invitation, if the email address is taken.
     */
    createByLink: (hash: string, user: User, passwordHash: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const link = await spendLink(tx, hash, oneTimeLinks.teamId);
        if (!link?.teamId) return false;
        const { teamId, role, workspaceIds } = link;
        if (!(await hasUsers(tx))) await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.teamId, teamId));
        if (!(await insertNew(tx, users, { ...user, passwordHash }))) {
          throw new AppError('conflict', 'An account with this email address already exists.');
        }
        const member = { userId: user.id, teamId, role: role ?? 'owner', workspaceIds, createdAt: user.createdAt };
        await tx.insert(members).values(member);
        return true;
      }),

    /**
     * Sets the password, deletes all reset links of the user and ends all sessions. Returns null if the link is not
     * valid.
     */
    setPasswordByLink: (hash: string, passwordHash: string): Promise<User | null> =>
      db.transaction(async (tx) => {
        const userId = (await spendLink(tx, hash, oneTimeLinks.userId))?.userId ?? null;
        if (userId === null) return null;
        await tx.delete(sessions).where(eq(sessions.userId, userId));
        await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId));
        return firstRow(tx.update(users).set({ passwordHash }).where(eq(users.id, userId)).returning(userColumns));
      }),

    /**
     * Sets the email address of a link that confirms one, and deletes all other links of the user. Returns the previous
     * and the new address, or null if the user has no such valid link. Throws `AppError('conflict')`, keeping the link, if
     * the address is taken.
     */
    setEmailByLink: (hash: string, userId: string): Promise<Readonly<{ from: string; to: string }> | null> =>
      db.transaction(async (tx) => {
        const isOwn = and(isValid(hash), eq(oneTimeLinks.userId, userId));
        const { newEmail } = oneTimeLinks;
        const [link] = await tx.select({ newEmail }).from(oneTimeLinks).where(isOwn);
        const [before] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
        if (!link?.newEmail || !before) return null;
        const [taken] = await tx.select({ id: users.id }).from(users).where(eq(users.email, link.newEmail));
        if (taken) throw new AppError('conflict', 'An account with this email address already exists.');
        await tx.update(users).set({ email: link.newEmail }).where(eq(users.id, userId));
        await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId));
        return { from: before.email, to: link.newEmail };
      }),
  };
}
