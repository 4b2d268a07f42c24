import { and, asc, eq, exists, getTableColumns, gt, inArray, isNull, ne, notExists } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { AppError } from '../../domain/errors.ts';
import { hasPermission } from '../../domain/roles.ts';
import type { RevokedAccess } from '../../domain/user.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { apiKeys, forms, members, oneTimeLinks, sessions, submissions, teams, users, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Creates the store methods for members and invitations. */
export function memberStore(db: Drizzle, clock: Clock) {
  const isMember = (teamId: string, userId: string) => and(eq(members.teamId, teamId), eq(members.userId, userId));
  const isValidInvitation = (id: string) => and(eq(oneTimeLinks.hash, id), gt(oneTimeLinks.expiresAt, clock()));

  const requireOtherOwner = (teamId: string, userId: string): void => {
    const isOther = and(eq(members.teamId, teamId), eq(members.role, 'owner'), ne(members.userId, userId));
    if (db.select({ userId: members.userId }).from(members).where(isOther).limit(1).get()) return;
    throw new AppError('conflict', 'A team needs at least one owner. Make another member an owner first.');
  };

  /** Revokes the open invitations that a user made in a team, and the API keys they created among `keyIds`. */
  const revokeAccess = (teamId: string, userId: string, keyIds: readonly string[]): RevokedAccess => {
    const madeHere = and(eq(oneTimeLinks.teamId, teamId), eq(oneTimeLinks.createdBy, userId));
    const invitations = db
      .delete(oneTimeLinks)
      .where(and(madeHere, gt(oneTimeLinks.expiresAt, clock())))
      .returning({ hash: oneTimeLinks.hash })
      .all();
    const chosen = and(inArray(apiKeys.id, [...keyIds]), eq(apiKeys.teamId, teamId), eq(apiKeys.createdBy, userId));
    const keys = db
      .update(apiKeys)
      .set({ revokedAt: clock() })
      .where(and(chosen, isNull(apiKeys.revokedAt)))
      .returning({ id: apiKeys.id })
      .all();
    return { invitations: invitations.length, keys: keys.length };
  };

  return {
    listMembers: (teamId) =>
      db
        .select({
          userId: users.id,
          email: users.email,
          name: users.name,
          role: members.role,
          since: members.createdAt,
        })
        .from(members)
        .innerJoin(users, eq(users.id, members.userId))
        .where(eq(members.teamId, teamId))
        .orderBy(asc(members.createdAt), asc(users.id))
        .all(),

    addMember: (teamId, userId, role) => {
      const added = db
        .insert(members)
        .values({ teamId, userId, role, createdAt: clock() })
        .onConflictDoNothing()
        .returning({ userId: members.userId })
        .all();
      return added.length > 0;
    },

    changeRole: (teamId, userId, role, keyIds = []) =>
      transaction(db, () => {
        const changed = db.update(members).set({ role }).where(isMember(teamId, userId)).returning().all();
        if (changed.length === 0) return null;
        if (hasPermission(role, 'manage')) return { invitations: 0, keys: 0 };
        requireOtherOwner(teamId, userId);
        return revokeAccess(teamId, userId, keyIds);
      }),

    removeMember: (teamId, userId, keyIds = []) =>
      transaction(db, () => {
        const removed = db.delete(members).where(isMember(teamId, userId)).returning({ role: members.role }).get();
        if (!removed) return null;
        if (removed.role === 'owner') requireOtherOwner(teamId, userId);
        const formsOfTeam = db
          .select({ id: forms.id })
          .from(forms)
          .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
          .where(eq(workspaces.teamId, teamId));
        db.update(submissions)
          .set({ assignedTo: null })
          .where(and(eq(submissions.assignedTo, userId), inArray(submissions.formId, formsOfTeam)))
          .run();
        db.update(sessions)
          .set({ teamId: null })
          .where(and(eq(sessions.userId, userId), eq(sessions.teamId, teamId)))
          .run();
        return revokeAccess(teamId, userId, keyIds);
      }),

    deleteUser: (id) =>
      transaction(db, () => {
        const others = alias(members, 'others');
        const isOther = and(eq(others.teamId, teams.id), eq(others.role, 'owner'), ne(others.userId, id));
        const orphanedTeams = db
          .select(getTableColumns(teams))
          .from(members)
          .innerJoin(teams, eq(teams.id, members.teamId))
          .where(
            and(
              eq(members.userId, id),
              eq(members.role, 'owner'),
              notExists(db.select({ userId: others.userId }).from(others).where(isOther)),
            ),
          )
          .orderBy(asc(teams.createdAt), asc(teams.id))
          .all();
        if (orphanedTeams.length === 0) db.delete(users).where(eq(users.id, id)).run();
        return orphanedTeams;
      }),

    joinByLink: (hash, userId) =>
      transaction(db, () => {
        const link = db.select().from(oneTimeLinks).where(isValidInvitation(hash)).get();
        if (!link?.teamId) return null;
        const { teamId, role } = link;
        const joined = db
          .insert(members)
          .values({ teamId, userId, role: role ?? 'owner', createdAt: clock() })
          .onConflictDoNothing()
          .returning({ userId: members.userId })
          .all();
        if (joined.length > 0) db.delete(oneTimeLinks).where(eq(oneTimeLinks.hash, hash)).run();
        return teamId;
      }),

    chooseTeam: (sessionId, teamId) => {
      const isMemberOfTeam = exists(
        db
          .select({ userId: members.userId })
          .from(members)
          .where(and(eq(members.userId, sessions.userId), eq(members.teamId, teamId))),
      );
      const chosen = db
        .update(sessions)
        .set({ teamId })
        .where(and(eq(sessions.id, sessionId), isMemberOfTeam))
        .returning({ id: sessions.id })
        .all();
      return chosen.length > 0;
    },

    listInvitations: (teamId) => {
      const { hash: id, role, email, createdBy, createdAt, expiresAt } = getTableColumns(oneTimeLinks);
      const links = db
        .select({ id, role, email, createdBy, createdAt, expiresAt })
        .from(oneTimeLinks)
        .where(and(eq(oneTimeLinks.teamId, teamId), gt(oneTimeLinks.expiresAt, clock())))
        .orderBy(asc(createdAt), asc(id))
        .all();
      return links.map((link) => ({ ...link, role: link.role ?? 'owner' }));
    },

    revokeInvitation: (teamId, id) => {
      const revoked = db
        .delete(oneTimeLinks)
        .where(and(isValidInvitation(id), eq(oneTimeLinks.teamId, teamId)))
        .returning({ hash: oneTimeLinks.hash })
        .all();
      return revoked.length > 0;
    },
  } satisfies Partial<StoreUnits>;
}

/**
 * Throws `role_forbids` unless the user manages the team. For inserts in the same transaction, so that a request that
 * was admitted before its user was removed adds nothing after it.
 */
export function requireManager(db: Drizzle, teamId: string | null, userId: string): void {
  const isManager = and(eq(members.teamId, teamId ?? ''), eq(members.userId, userId));
  const member = db.select({ role: members.role }).from(members).where(isManager).get();
  if (member && hasPermission(member.role, 'manage')) return;
  throw new AppError('role_forbids', 'Your role in this team does not allow that. Ask one of its owners.');
}
