import { and, asc, eq, isNull } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { Drizzle } from './database.ts';
import { requireManager } from './members.ts';
import { forms, members, teams, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Creates the store methods for teams and workspaces. */
export function teamStore(db: Drizzle) {
  const listWorkspaces = (teamId: string) =>
    db
      .select()
      .from(workspaces)
      .where(eq(workspaces.teamId, teamId))
      .orderBy(asc(workspaces.position), asc(workspaces.createdAt), asc(workspaces.id))
      .all();

  return {
    createTeam: (team) => void db.insert(teams).values(team).run(),

    createOwnedTeam: (team, workspace, ownerId, fromTeamId) =>
      transaction(db, () => {
        requireManager(db, fromTeamId, ownerId);
        db.insert(teams).values(team).run();
        db.insert(workspaces).values(workspace).run();
        db.insert(members).values({ teamId: team.id, userId: ownerId, role: 'owner', createdAt: team.createdAt }).run();
      }),

    createFirstTeam: (team, workspace, form) =>
      transaction(db, () => {
        if (db.select().from(teams).limit(1).get()) return false;
        db.insert(teams).values(team).run();
        db.insert(workspaces).values(workspace).run();
        db.insert(forms).values(form).run();
        return true;
      }),

    updateTeam: (id, changes) => {
      if (Object.keys(changes).length > 0) db.update(teams).set(changes).where(eq(teams.id, id)).run();
      return db.select().from(teams).where(eq(teams.id, id)).get() ?? null;
    },

    findTeam: (id) => db.select().from(teams).where(eq(teams.id, id)).get() ?? null,

    listTeams: () => db.select().from(teams).orderBy(asc(teams.createdAt), asc(teams.id)).all(),

    createWorkspace: (workspace) => void db.insert(workspaces).values(workspace).run(),

    findWorkspace: (id) => db.select().from(workspaces).where(eq(workspaces.id, id)).get() ?? null,

    listWorkspaces,

    renameWorkspace: (id, name, teamId) => {
      const ofTeam = and(eq(workspaces.id, id), eq(workspaces.teamId, teamId));
      return db.update(workspaces).set({ name }).where(ofTeam).returning({ id: workspaces.id }).all().length > 0;
    },

    sortWorkspace: (id, direction, teamId) =>
      transaction(db, () => {
        const ids = listWorkspaces(teamId).map((workspace) => workspace.id);
        const from = ids.indexOf(id);
        if (from === -1) return false;
        const to = Math.min(Math.max(from + (direction === 'up' ? -1 : 1), 0), ids.length - 1);
        ids.splice(to, 0, ...ids.splice(from, 1));
        for (const [position, one] of ids.entries()) {
          db.update(workspaces).set({ position }).where(eq(workspaces.id, one)).run();
        }
        return true;
      }),

    deleteWorkspace: (id, teamId) =>
      transaction(db, () => {
        const all = listWorkspaces(teamId);
        if (!all.some((workspace) => workspace.id === id)) return false;
        const heir = all.find((workspace) => workspace.id !== id);
        if (!heir) {
          throw new AppError('conflict', 'This is the only workspace of the team. Create another one first.', {
            reason: ['last_workspace'],
          });
        }
        const isUsed = and(eq(forms.workspaceId, id), isNull(forms.trashedAt));
        if (db.select({ id: forms.id }).from(forms).where(isUsed).limit(1).get()) {
          throw new AppError('conflict', 'This workspace has forms. Move or delete them first.', {
            reason: ['workspace_in_use'],
          });
        }
        db.update(forms).set({ workspaceId: heir.id }).where(eq(forms.workspaceId, id)).run();
        db.delete(workspaces).where(eq(workspaces.id, id)).run();
        return true;
      }),
  } satisfies Partial<StoreUnits>;
}
