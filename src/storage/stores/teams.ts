import { and, asc, eq, isNull } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { Db } from '../database.ts';
import { forms, members, teams, workspaces } from '../schema.ts';
import type { Store } from '../store.ts';
import { requireManager } from './members.ts';

/** Creates the store methods for teams and workspaces. */
export function teamStore(db: Db) {
  const listWorkspaces = (queries: Db, teamId: string) =>
    queries
      .select()
      .from(workspaces)
      .where(eq(workspaces.teamId, teamId))
      .orderBy(asc(workspaces.position), asc(workspaces.createdAt), asc(workspaces.id));

  return {
    createTeam: async (team) => void (await db.insert(teams).values(team)),

    createOwnedTeam: (team, workspace, ownerId, fromTeamId) =>
      db.transaction(async (tx) => {
        await requireManager(tx, fromTeamId, ownerId);
        await tx.insert(teams).values(team);
        await tx.insert(workspaces).values(workspace);
        await tx.insert(members).values({ teamId: team.id, userId: ownerId, role: 'owner', createdAt: team.createdAt });
      }),

    createFirstTeam: (team, workspace, form) =>
      db.transaction(async (tx) => {
        const [existing] = await tx.select({ id: teams.id }).from(teams).limit(1);
        if (existing) return false;
        await tx.insert(teams).values(team);
        await tx.insert(workspaces).values(workspace);
        await tx.insert(forms).values(form);
        return true;
      }),

    updateTeam: async (id, changes) => {
      const isTeam = eq(teams.id, id);
      const [team] =
        Object.keys(changes).length > 0
          ? await db.update(teams).set(changes).where(isTeam).returning()
          : await db.select().from(teams).where(isTeam);
      return team ?? null;
    },

    findTeam: async (id) => {
      const [team] = await db.select().from(teams).where(eq(teams.id, id));
      return team ?? null;
    },

    listTeams: async () => db.select().from(teams).orderBy(asc(teams.createdAt), asc(teams.id)),

    createWorkspace: async (workspace) => void (await db.insert(workspaces).values(workspace)),

    findWorkspace: async (id) => {
      const [workspace] = await db.select().from(workspaces).where(eq(workspaces.id, id));
      return workspace ?? null;
    },

    listWorkspaces: async (teamId) => listWorkspaces(db, teamId),

    renameWorkspace: async (id, name, teamId) => {
      const ofTeam = and(eq(workspaces.id, id), eq(workspaces.teamId, teamId));
      const renamed = await db.update(workspaces).set({ name }).where(ofTeam).returning({ id: workspaces.id });
      return renamed.length > 0;
    },

    sortWorkspace: (id, direction, teamId) =>
      db.transaction(async (tx) => {
        const ids = (await listWorkspaces(tx, teamId)).map((workspace) => workspace.id);
        const from = ids.indexOf(id);
        if (from === -1) return false;
        const to = Math.min(Math.max(from + (direction === 'up' ? -1 : 1), 0), ids.length - 1);
        ids.splice(to, 0, ...ids.splice(from, 1));
        for (const [position, one] of ids.entries()) {
          await tx.update(workspaces).set({ position }).where(eq(workspaces.id, one));
        }
        return true;
      }),

    deleteWorkspace: (id, teamId) =>
      db.transaction(async (tx) => {
        const all = await listWorkspaces(tx, teamId);
        if (!all.some((workspace) => workspace.id === id)) return false;
        const heir = all.find((workspace) => workspace.id !== id);
        if (!heir) {
          throw new AppError('conflict', 'This is the only workspace of the team. Create another one first.', {
            reason: ['last_workspace'],
          });
        }
        const isUsed = and(eq(forms.workspaceId, id), isNull(forms.trashedAt));
        const [used] = await tx.select({ id: forms.id }).from(forms).where(isUsed).limit(1);
        if (used) {
          throw new AppError('conflict', 'This workspace has forms. Move or delete them first.', {
            reason: ['workspace_in_use'],
          });
        }
        await tx.update(forms).set({ workspaceId: heir.id }).where(eq(forms.workspaceId, id));
        await tx.delete(workspaces).where(eq(workspaces.id, id));
        return true;
      }),
  } satisfies Partial<Store>;
}
