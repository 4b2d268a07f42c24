import { and, eq, getTableColumns, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { conflict } from '../../domain/errors.ts';
import type { Reach, Role } from '../../domain/teams/roles.ts';
import type { Identity, Membership, OneTimeLink, User } from '../../domain/users/user.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import { byAge, type Db, deleteRows, firstRow, insertNew } from '../database.ts';
import { identities, members, oneTimeLinks, passkeys, sessions, teams, users } from '../schema.ts';
import { requireManager } from './members.ts';
import { endOtherSessions } from './second-factor.ts';

const { passwordHash: _, totpSecret: __, totpStep: ___, isOperator: ____, ...columns } = getTableColumns(users);

/** The columns of `User`, without secrets. */
export const userColumns = columns;

export function userStore(db: Db, clock: Clock) {
  const { hash: _, ...linkColumns } = getTableColumns(oneTimeLinks);

  const isValid = (hash: string) => and(eq(oneTimeLinks.hash, hash), gt(oneTimeLinks.expiresAt, clock()));
  const hasUsers = async (queries: Db) => {
    const [user] = await queries.select({ id: users.id }).from(users).limit(1);
    return user !== undefined;
  };
  /** Deletes and returns a link; null if it does not exist, has expired, has no value in `column`, or confirms an address. */
  const spendLink = (tx: Db, hash: string, column: typeof oneTimeLinks.teamId | typeof oneTimeLinks.userId) => {
    const isFit = and(isValid(hash), isNotNull(column), isNull(oneTimeLinks.newEmail));
    return firstRow(tx.delete(oneTimeLinks).where(isFit).returning(linkColumns));
  };

  type Joined = Readonly<{ teamId: string | null; role: Role | null; workspaceIds?: Reach }>;

  /**
   * Creates a user as a member of the teams of `links`. The first owner of the instance is its operator, and voids the other
   * invitations of these teams, since each start without a user prints one; who joins as something else before, such as by
   * a provider, is not. Throws `AppError('conflict')` if the address is taken.
   */
  const addUser = async (tx: Db, user: User, passwordHash: string | null, links: readonly Joined[]): Promise<void> => {
    const [owner] = await tx.select({ id: members.userId }).from(members).where(eq(members.role, 'owner')).limit(1);
    const isFirst = owner === undefined && links.every(({ role }) => (role ?? 'owner') === 'owner');
    if (!(await insertNew(tx, users, { ...user, passwordHash, isOperator: isFirst }))) {
      throw conflict('An account with this email address already exists.');
    }
    for (const { teamId, role, workspaceIds = null } of links) {
      if (teamId === null) continue;
      if (isFirst) await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.teamId, teamId));
      const member = { userId: user.id, teamId, role: role ?? 'owner', workspaceIds, createdAt: user.createdAt };
      await insertNew(tx, members, member);
    }
  };

  return {
    exist: (): Promise<boolean> => hasUsers(db),

    list: async (): Promise<Array<User & Readonly<{ isOperator: boolean }>>> => {
      const withOperator = { ...userColumns, isOperator: users.isOperator };
      return db.select(withOperator).from(users).orderBy(byAge(users));
    },

    find: (id: string): Promise<User | null> => firstRow(db.select(userColumns).from(users).where(eq(users.id, id))),

    /** Finds a user by email address, which must be in lower case. */
    findByEmail: async (email: string): Promise<(User & Readonly<{ passwordHash: string | null }>) | null> => {
      const withPassword = { ...userColumns, passwordHash: users.passwordHash };
      return firstRow(db.select(withPassword).from(users).where(eq(users.email, email)));
    },

    update: async (id: string, changes: Partial<Pick<User, 'name' | 'theme' | 'language' | 'timeZone'>>) => {
      if (Object.keys(changes).length > 0) await db.update(users).set(changes).where(eq(users.id, id));
    },

    /** Returns whether the user may change settings of the whole instance. */
    isOperator: async (id: string): Promise<boolean> =>
      (await firstRow(db.select({ is: users.isOperator }).from(users).where(eq(users.id, id))))?.is ?? false,

    setOperator: async (id: string, isOperator: boolean): Promise<void> =>
      void (await db.update(users).set({ isOperator }).where(eq(users.id, id))),

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
      const { role, workspaceIds, createdAt } = members;
      const isShared = sql`EXISTS (${others})`.mapWith(Boolean);
      const columns = { team: getTableColumns(teams), role, workspaceIds, isShared };
      const query = db.select(columns).from(members).innerJoin(teams, eq(teams.id, members.teamId));
      return query.where(eq(members.userId, userId)).orderBy(byAge({ createdAt, id: teams.id }));
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
     * Uses up an invitation and creates the user as a member of its team; false if the invitation is not valid. Throws
     * `AppError('conflict')`, keeping the invitation, if the email address is taken.
     */
    createByLink: (hash: string, user: User, passwordHash: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const link = await spendLink(tx, hash, oneTimeLinks.teamId);
        if (!link) return false;
        await addUser(tx, user, passwordHash, [link]);
        return true;
      }),

    /**
     * Creates a user without a password, whose address is verified, with an identity unless it is null. The user joins by
     * the invitation `hash` and all invitations to the address, which are used up, or without any by `join`. Returns
     * false, creating nothing, without any of these. Throws `AppError('conflict')`, creating nothing, if the address or the
     * identity is taken.
     */
    createInvited: (
      user: User,
      identity: Identity | null,
      { hash, join }: Readonly<{ hash: string | null; join: Joined | null }>,
    ): Promise<boolean> =>
      db.transaction(async (tx) => {
        const isFor = or(eq(oneTimeLinks.email, user.email), eq(oneTimeLinks.hash, hash ?? ''));
        const isOpen = and(isNotNull(oneTimeLinks.teamId), gt(oneTimeLinks.expiresAt, clock()));
        const links = await tx.delete(oneTimeLinks).where(and(isFor, isOpen)).returning();
        const joined = links.length === 0 && join ? [join] : links.toSorted((a, b) => b.createdAt - a.createdAt);
        if (joined.length === 0) return false;
        await addUser(tx, user, null, joined);
        const own = identity && { ...identity, userId: user.id, createdAt: user.createdAt };
        if (own && !(await insertNew(tx, identities, own))) {
          throw conflict('This account of the provider belongs to another user.');
        }
        return true;
      }),

    /** Uses up a reset link and deletes all others of the user. Returns null if the link is not valid. */
    signInByLink: (hash: string): Promise<User | null> =>
      db.transaction(async (tx) => {
        const userId = (await spendLink(tx, hash, oneTimeLinks.userId))?.userId ?? null;
        if (userId === null) return null;
        await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId));
        return firstRow(tx.select(userColumns).from(users).where(eq(users.id, userId)));
      }),

    /**
     * Sets the password, deletes all reset links of the user and ends all sessions. Passkeys and accounts at providers go
     * too: somebody else may have added them, before the owner of the address proved to be that. Returns null if the link
     * is not valid.
     */
    setPasswordByLink: (hash: string, passwordHash: string): Promise<User | null> =>
      db.transaction(async (tx) => {
        const userId = (await spendLink(tx, hash, oneTimeLinks.userId))?.userId ?? null;
        if (userId === null) return null;
        for (const table of [sessions, oneTimeLinks, passkeys, identities])
          await tx.delete(table).where(eq(table.userId, userId));
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
        if (taken) throw conflict('An account with this email address already exists.');
        await tx.update(users).set({ email: link.newEmail }).where(eq(users.id, userId));
        await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, userId));
        return { from: before.email, to: link.newEmail };
      }),
  };
}

/** Creates the store methods for accounts at OIDC providers. */
export function identityStore(db: Db, clock: Clock) {
  return {
    /** Returns the user of an identity. */
    findUser: ({ issuer, subject }: Identity): Promise<User | null> => {
      const ofUser = eq(users.id, identities.userId);
      const isIt = and(eq(identities.issuer, issuer), eq(identities.subject, subject));
      return firstRow(db.select(userColumns).from(identities).innerJoin(users, ofUser).where(isIt));
    },

    list: async (userId: string): Promise<Array<Identity & Readonly<{ createdAt: Micros }>>> => {
      const { issuer, subject, createdAt } = identities;
      const query = db.select({ issuer, subject, createdAt }).from(identities).where(eq(identities.userId, userId));
      return query.orderBy(byAge({ createdAt, id: issuer }));
    },

    /** Adds an identity. Returns false if it is somebody's already, or the user has another one at the provider. */
    add: (userId: string, { issuer, subject }: Identity): Promise<boolean> =>
      insertNew(db, identities, { issuer, subject, userId, createdAt: clock() }),

    /** Removes a user's identity and ends all sessions except `keptSessionId`. Returns false if there is none. */
    remove: (userId: string, issuer: string, keptSessionId: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const isOwn = and(eq(identities.userId, userId), eq(identities.issuer, issuer));
        if ((await deleteRows(tx, identities, isOwn)) === 0) return false;
        await endOtherSessions(tx, userId, keptSessionId);
        return true;
      }),
  };
}
