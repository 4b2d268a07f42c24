import { and, eq, exists, getTableColumns, gt, inArray, isNull, ne, not, notExists } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { AppError, conflict } from '../../domain/errors.ts';
import { findRecipient } from '../../domain/forms/condition.ts';
import { hasPermission, type Reach, type Role, reachOf } from '../../domain/teams/roles.ts';
import type { Team } from '../../domain/teams/team.ts';
import {
  type ChosenAccess,
  type Invitation,
  type Member,
  NO_ACCESS,
  type RevokedAccess,
} from '../../domain/users/user.ts';
import type { Clock } from '../../lib/clock.ts';
import { byAge, type Db, deleteRows, insertNew, updateRows } from '../database.ts';
import {
  apiKeys,
  forms,
  members,
  oneTimeLinks,
  sessions,
  submissions,
  teams,
  users,
  webhooks,
  workspaces,
} from '../schema.ts';
import { formStore, formsOfTeam } from './forms.ts';
import { fromForms, withReach } from './reach.ts';

const isMember = (teamId: string, userId: string) => and(eq(members.teamId, teamId), eq(members.userId, userId));

export function memberStore(db: Db, clock: Clock) {
  const isValidInvitation = (id: string) => and(eq(oneTimeLinks.hash, id), gt(oneTimeLinks.expiresAt, clock()));

  const requireOtherOwner = async (tx: Db, teamId: string, userId: string): Promise<void> => {
    const isOther = and(eq(members.teamId, teamId), eq(members.role, 'owner'), ne(members.userId, userId));
    const [other] = await tx.select({ userId: members.userId }).from(members).where(isOther).limit(1);
    if (other) return;
    throw conflict('A team needs at least one owner. Make another member an owner first.');
  };

  /** Stops mails of these forms to the address of a user's account. Returns the number of forms. */
  const endNotifications = async (tx: Db, teamId: string, userId: string, formIds: readonly string[]) => {
    const { id, notify } = forms;
    const isChosen = and(inArray(id, [...formIds]), inArray(id, formsOfTeam(tx, teamId, id)));
    const withUser = tx.select({ id, notify, email: users.email }).from(forms).innerJoin(users, eq(users.id, userId));
    const notifying = await withUser.where(isChosen);
    for (const form of notifying) {
      const recipient = findRecipient(form.email, form.notify);
      if (recipient !== undefined) await formStore(tx).removeRecipient(form.id, recipient);
    }
    return notifying.length;
  };

  /** Ends the open invitations that a user made in a team, and what is chosen. */
  const revokeAccess = async (
    tx: Db,
    teamId: string,
    userId: string,
    { keyIds, webhookIds, notifyingFormIds }: ChosenAccess,
  ): Promise<RevokedAccess> => {
    const madeHere = and(eq(oneTimeLinks.teamId, teamId), eq(oneTimeLinks.createdBy, userId));
    const invitations = await deleteRows(tx, oneTimeLinks, and(madeHere, gt(oneTimeLinks.expiresAt, clock())));
    const chosen = and(inArray(apiKeys.id, [...keyIds]), eq(apiKeys.teamId, teamId), eq(apiKeys.createdBy, userId));
    const keys = await updateRows(tx, apiKeys, { revokedAt: clock() }, and(chosen, isNull(apiKeys.revokedAt)));
    const isOfTeam = inArray(webhooks.formId, formsOfTeam(tx, teamId, forms.id));
    const isPaused = and(inArray(webhooks.id, [...webhookIds]), isOfTeam);
    const paused = await updateRows(tx, webhooks, { isActive: false }, isPaused);
    const notifications = await endNotifications(tx, teamId, userId, notifyingFormIds);
    return { invitations, keys, webhooks: paused, notifications };
  };

  /** Ends assignments of a user in a team, except in the workspaces of `reach`. */
  const unassign = async (tx: Db, teamId: string, userId: string, reach: readonly string[]) => {
    const ofTeam = inArray(submissions.formKey, formsOfTeam(tx, teamId, forms.key));
    const isSeen = inArray(submissions.formKey, formsOfTeam(withReach(tx, reach), teamId, forms.key));
    const isEnded = and(eq(submissions.assignedTo, userId), ofTeam, not(isSeen));
    await updateRows(tx, submissions, { assignedTo: null }, isEnded);
  };

  return {
    /** Lists the members of a team; in a limited store those who see one of its workspaces. */
    list: async (teamId: string): Promise<Member[]> => {
      const { id: userId, email, name } = users;
      const { role, workspaceIds, createdAt: since } = members;
      const columns = { userId, email, name, role, workspaceIds, since };
      const query = db.select(columns).from(members).innerJoin(users, eq(users.id, members.userId));
      const all = await query.where(eq(members.teamId, teamId)).orderBy(byAge({ createdAt: since, id: userId }));
      return all.filter(({ workspaceIds: ids }) => !db.reach || !ids || ids.some((id) => db.reach?.includes(id)));
    },

    /** Adds a member. Returns false, changing nothing, if the user is a member already. */
    add: (teamId: string, userId: string, role: Role, workspaceIds: Reach = null): Promise<boolean> =>
      insertNew(db, members, { teamId, userId, role, workspaceIds: reachOf(role, workspaceIds), createdAt: clock() }),

    /**
     * Changes a member's role, and with `workspaceIds` the workspaces that they see; submissions of others are no longer
     * assigned to them. A role that may not invite also ends the invitations they made, and `chosen`. Returns null if the user is not a member. Throws `AppError('conflict')`, changing nothing,
     * if the team would lose its last owner.
     */
    changeRole: (teamId: string, userId: string, role: Role, chosen: ChosenAccess = NO_ACCESS, workspaceIds?: Reach) =>
      db.transaction(async (tx) => {
        const [before] = await tx.select().from(members).where(isMember(teamId, userId));
        if (!before) return null;
        const reach = reachOf(role, workspaceIds === undefined ? before.workspaceIds : workspaceIds);
        await tx.update(members).set({ role, workspaceIds: reach }).where(isMember(teamId, userId));
        if (reach) await unassign(tx, teamId, userId, reach);
        if (hasPermission(role, 'manage')) return { invitations: 0, keys: 0, webhooks: 0, notifications: 0 };
        await requireOtherOwner(tx, teamId, userId);
        return revokeAccess(tx, teamId, userId, chosen);
      }),

    /** Removes a member with the invitations they made, and `chosen`. Returns and throws as `changeRole` does. */
    remove: (teamId: string, userId: string, chosen: ChosenAccess = NO_ACCESS): Promise<RevokedAccess | null> =>
      db.transaction(async (tx) => {
        const [removed] = await tx.delete(members).where(isMember(teamId, userId)).returning({ role: members.role });
        if (!removed) return null;
        if (removed.role === 'owner') await requireOtherOwner(tx, teamId, userId);
        await unassign(tx, teamId, userId, []);
        await updateRows(tx, sessions, { teamId: null }, and(eq(sessions.userId, userId), eq(sessions.teamId, teamId)));
        return revokeAccess(tx, teamId, userId, chosen);
      }),

    /**
     * Deletes a user with their sessions, memberships, second factor, reset links and the invitations they made. If a
     * team would lose its last owner, deletes nothing and returns those teams.
     */
    deleteUser: (id: string): Promise<Team[]> =>
      db.transaction(async (tx) => {
        const others = alias(members, 'others');
        const isOther = and(eq(others.teamId, teams.id), eq(others.role, 'owner'), ne(others.userId, id));
        const othersOfTeam = tx.select({ userId: others.userId }).from(others).where(isOther);
        const isOrphaned = and(eq(members.userId, id), eq(members.role, 'owner'), notExists(othersOfTeam));
        const ofMembers = tx
          .select(getTableColumns(teams))
          .from(members)
          .innerJoin(teams, eq(teams.id, members.teamId));
        const orphanedTeams = await ofMembers.where(isOrphaned).orderBy(byAge(teams));
        if (orphanedTeams.length === 0) await tx.delete(users).where(eq(users.id, id));
        return orphanedTeams;
      }),

    /**
     * Uses up an invitation, adds the user to its team and returns the team id; null if the invitation is not valid. For
     * a user who is a member already, neither role nor invitation change.
     */
    joinByLink: (hash: string, userId: string): Promise<string | null> =>
      db.transaction(async (tx) => {
        const [link] = await tx.select().from(oneTimeLinks).where(isValidInvitation(hash));
        if (!link?.teamId) return null;
        const { teamId, role, workspaceIds } = link;
        const member = { teamId, userId, role: role ?? 'owner', workspaceIds, createdAt: clock() };
        const joined = await insertNew(tx, members, member);
        if (joined) await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.hash, hash));
        return teamId;
      }),

    // In a transaction, so that a member who is being removed cannot choose the team.
    /** Selects the team that a session shows. Returns false if its user is not a member. */
    chooseTeam: (sessionId: string, teamId: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const ofSession = and(eq(members.userId, sessions.userId), eq(members.teamId, teamId));
        const isMemberOfTeam = exists(tx.select({ userId: members.userId }).from(members).where(ofSession));
        return (await updateRows(tx, sessions, { teamId }, and(eq(sessions.id, sessionId), isMemberOfTeam))) > 0;
      }),

    /** Lists the unexpired invitations of a team. */
    listInvitations: async (teamId: string): Promise<Invitation[]> => {
      const { hash: id, role, workspaceIds, email, createdBy, createdAt, expiresAt } = getTableColumns(oneTimeLinks);
      const columns = { id, role, workspaceIds, email, createdBy, createdAt, expiresAt };
      const isOpen = and(eq(oneTimeLinks.teamId, teamId), gt(expiresAt, clock()));
      const links = await db.select(columns).from(oneTimeLinks).where(isOpen).orderBy(byAge({ createdAt, id }));
      return links.map((link) => ({ ...link, role: link.role ?? 'owner' }));
    },

    /** Returns false if the team has no such unexpired invitation. */
    revokeInvitation: async (teamId: string, id: string): Promise<boolean> => {
      return (await deleteRows(db, oneTimeLinks, and(isValidInvitation(id), eq(oneTimeLinks.teamId, teamId)))) > 0;
    },
  };
}

/**
 * Throws `role_forbids` unless the user manages the team. For inserts in the same transaction, so that a request that
 * was admitted before its user was removed adds nothing after it.
 */
export async function requireManager(tx: Db, teamId: string | null, userId: string): Promise<void> {
  const [member] = await tx
    .select({ role: members.role })
    .from(members)
    .where(isMember(teamId ?? '', userId));
  if (member && hasPermission(member.role, 'manage')) return;
  throw new AppError('role_forbids', 'Your role in this team does not allow that. Ask one of its owners.');
}

/**
 * Throws unless the user or API key `id` may still make webhooks of the form. For changes in the same transaction, as
 * `requireManager` is.
 */
export async function requireWebhookAuthor(tx: Db, formId: string, id: string): Promise<void> {
  const [key] = await tx.select({ revokedAt: apiKeys.revokedAt }).from(apiKeys).where(eq(apiKeys.id, id));
  if (key?.revokedAt === null) return;
  if (key) throw new AppError('invalid_key', 'This API key has been revoked.');
  const [place] = await fromForms(tx, { teamId: workspaces.teamId }).where(eq(forms.id, formId));
  await requireManager(tx, place?.teamId ?? null, id);
}
