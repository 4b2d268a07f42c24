import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { conflict } from '../../domain/errors.ts';
import type { Form } from '../../domain/forms/form.ts';
import type { Team, Workspace } from '../../domain/teams/team.ts';
import { byAge, type Db, deleteRows, firstRow, updateRows } from '../database.ts';
import * as schema from '../schema.ts';
import { requireManager } from './members.ts';
import { requestPurge } from './purges.ts';
import { isOfTeam } from './reach.ts';

export function teamStore(db: Db) {
  const getForms = (id: string) =>
    inArray(
      schema.forms.workspaceId,
      db.select({ id: schema.workspaces.id }).from(schema.workspaces).where(eq(schema.workspaces.teamId, id)),
    );

  const endAccess = async (tx: Db, id: string): Promise<void> => {
    for (const table of [schema.members, schema.apiKeys, schema.oneTimeLinks, schema.inboxViews])
      await tx.delete(table).where(eq(table.teamId, id));
    await tx.update(schema.sessions).set({ teamId: null }).where(eq(schema.sessions.teamId, id));
  };

  /** Deletes up to `limit` rows of a team in a table. Returns the count. */
  const deleteSome = async (tx: Db, table: typeof schema.audit | typeof schema.outbox, id: string, limit: number) => {
    const some = tx.select({ id: table.id }).from(table).where(eq(table.teamId, id)).limit(limit);
    return deleteRows(tx, table, inArray(table.id, some));
  };

  return {
    create: async (team: Team): Promise<void> => void (await db.insert(schema.teams).values(team)),

    /**
     * Creates a team with a workspace, and its owner, who must manage the team `fromTeamId`. Throws
     * `AppError('role_forbids')`, creating nothing, if they no longer do.
     */
    createOwned: (team: Team, workspace: Workspace, ownerId: string, fromTeamId: string): Promise<void> =>
      db.transaction(async (tx) => {
        await requireManager(tx, fromTeamId, ownerId);
        await tx.insert(schema.teams).values(team);
        await tx.insert(schema.workspaces).values(workspace);
        await tx
          .insert(schema.members)
          .values({ teamId: team.id, userId: ownerId, role: 'owner', createdAt: team.createdAt });
      }),

    /** Creates a team, a workspace and a form if the store has no team yet. Returns false if it has one. */
    createFirst: (team: Team, workspace: Workspace, form: Form): Promise<boolean> =>
      db.transaction(async (tx) => {
        const [existing] = await tx.select({ id: schema.teams.id }).from(schema.teams).limit(1);
        if (existing) return false;
        await tx.insert(schema.teams).values(team);
        await tx.insert(schema.workspaces).values(workspace);
        await tx.insert(schema.forms).values(form);
        return true;
      }),

    /** Returns the updated team, or null if it does not exist. */
    update: async (
      id: string,
      changes: Partial<Pick<Team, 'name' | 'plan' | 'requiresSecondFactor' | 'learnsSpam' | 'setUpAt'>>,
    ): Promise<Team | null> => {
      const isTeam = eq(schema.teams.id, id);
      const [team] =
        Object.keys(changes).length > 0
          ? await db.update(schema.teams).set(changes).where(isTeam).returning()
          : await db.select().from(schema.teams).where(isTeam);
      return team ?? null;
    },

    find: (id: string): Promise<Team | null> => firstRow(db.select().from(schema.teams).where(eq(schema.teams.id, id))),

    /** Lists teams, oldest first. All other lists but those of submissions have the same order unless noted. */
    list: async (): Promise<Team[]> => db.select().from(schema.teams).orderBy(byAge(schema.teams)),

    /**
     * Begins the deletion of a team: removes its members, invitations and API keys, and begins the deletion of its forms, which
     * the retention job completes if nobody else does. Returns false if there is no such team.
     */
    close: (id: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const [team] = await tx.select({ id: schema.teams.id }).from(schema.teams).where(eq(schema.teams.id, id));
        if (!team) return false;
        await endAccess(tx, id);
        await tx.update(schema.forms).set({ trashedAt: 0 }).where(getForms(id));
        return true;
      }),

    /**
     * Deletes a team without forms, with its audit log, mails and usage, and requests a purge. Returns false
     * if more than `limit` mails or audit entries are left; the caller calls again. Throws `AppError('conflict')`, deleting
     * nothing, if the team has forms.
     */
    delete: (id: string, limit: number): Promise<boolean> =>
      db.transaction(async (tx) => {
        const [form] = await tx.select({ id: schema.forms.id }).from(schema.forms).where(getForms(id)).limit(1);
        if (form) throw conflict('A form was added to this team meanwhile. Delete the team again.');
        if (
          (await deleteSome(tx, schema.outbox, id, limit)) === limit ||
          (await deleteSome(tx, schema.audit, id, limit)) === limit
        ) {
          return false;
        }
        await endAccess(tx, id);
        await tx.delete(schema.counters).where(eq(schema.counters.owner, id));
        await tx.delete(schema.workspaces).where(eq(schema.workspaces.teamId, id));
        await tx.delete(schema.teams).where(eq(schema.teams.id, id));
        await requestPurge(tx);
        return true;
      }),
  };
}

export function workspaceStore(db: Db) {
  const toList = (queries: Db, teamId: string) => {
    const inOrder = sql`${schema.workspaces.position}, ${byAge(schema.workspaces)}`;
    return queries.select().from(schema.workspaces).where(isOfTeam(queries, teamId)).orderBy(inOrder);
  };

  return {
    create: async (workspace: Workspace): Promise<void> => void (await db.insert(schema.workspaces).values(workspace)),

    find: async (id: string): Promise<Workspace | null> => {
      const isSeen = and(eq(schema.workspaces.id, id), isOfTeam(db));
      return firstRow(db.select().from(schema.workspaces).where(isSeen));
    },

    list: async (teamId: string): Promise<Workspace[]> => toList(db, teamId),

    /** Returns false if the team has no such workspace. */
    rename: async (id: string, name: string, teamId: string): Promise<boolean> => {
      const ofTeam = and(eq(schema.workspaces.id, id), isOfTeam(db, teamId));
      return (await updateRows(db, schema.workspaces, { name }, ofTeam)) > 0;
    },

    /** Swaps a workspace with the one before or after it. Returns false if the team has no such workspace. */
    sort: (id: string, direction: 'up' | 'down', teamId: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const ids = (await toList(tx, teamId)).map((workspace) => workspace.id);
        const from = ids.indexOf(id);
        if (from === -1) return false;
        const to = Math.min(Math.max(from + (direction === 'up' ? -1 : 1), 0), ids.length - 1);
        ids.splice(to, 0, ...ids.splice(from, 1));
        for (const [position, one] of ids.entries()) {
          await tx.update(schema.workspaces).set({ position }).where(eq(schema.workspaces.id, one));
        }
        return true;
      }),

    /**
     * Deletes a workspace; its forms in the trash move to the first other one. Returns false if the team has no such
     * workspace. Throws `AppError('conflict')`, changing nothing, if it has other forms or is the last one.
     */
    delete: (id: string, teamId: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const all = await toList(tx, teamId);
        if (!all.some((workspace) => workspace.id === id)) return false;
        const heir = all.find((workspace) => workspace.id !== id);
        if (!heir) {
          throw conflict('This is the only workspace of the team. Create another one first.', ['last_workspace']);
        }
        const isUsed = and(eq(schema.forms.workspaceId, id), isNull(schema.forms.trashedAt));
        const [used] = await tx.select({ id: schema.forms.id }).from(schema.forms).where(isUsed).limit(1);
        if (used) throw conflict('This workspace has forms. Move or delete them first.', ['workspace_in_use']);
        await tx.update(schema.forms).set({ workspaceId: heir.id }).where(eq(schema.forms.workspaceId, id));
        await tx.delete(schema.workspaces).where(eq(schema.workspaces.id, id));
        return true;
      }),
  };
}
