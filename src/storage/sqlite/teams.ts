import { and, asc, eq } from 'drizzle-orm';
import type { Drizzle } from './database.ts';
import { requireManager } from './members.ts';
import { forms, members, teams, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Creates the store methods for teams and workspaces. */
export function teamStore(db: Drizzle) {
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

    listWorkspaces: (teamId) =>
      db
        .select()
        .from(workspaces)
        .where(eq(workspaces.teamId, teamId))
        .orderBy(asc(workspaces.position), asc(workspaces.createdAt), asc(workspaces.id))
        .all(),

    renameWorkspace: (id, name, teamId) => {
      const ofTeam = and(eq(workspaces.id, id), eq(workspaces.teamId, teamId));
      return db.update(workspaces).set({ name }).where(ofTeam).returning({ id: workspaces.id }).all().length > 0;
    },
  } satisfies Partial<StoreUnits>;
}
