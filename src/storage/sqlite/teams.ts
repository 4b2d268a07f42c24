import { and, asc, eq } from 'drizzle-orm';
import type { Store } from '../store.ts';
import { type Drizzle, unitOfWork } from './database.ts';
import { forms, teams, workspaces } from './schema.ts';

type TeamMethods =
  | 'createTeam'
  | 'createFirstTeam'
  | 'updateTeam'
  | 'findTeam'
  | 'listTeams'
  | 'createWorkspace'
  | 'findWorkspace'
  | 'listWorkspaces'
  | 'renameWorkspace';

/** Creates the store methods for teams and workspaces. */
export function teamStore(db: Drizzle): Pick<Store, TeamMethods> {
  return {
    createTeam: (team) => unitOfWork(() => void db.insert(teams).values(team).run()),

    createFirstTeam: (team, workspace, form) =>
      unitOfWork(() =>
        db.transaction(
          () => {
            if (db.select().from(teams).limit(1).get()) return false;
            db.insert(teams).values(team).run();
            db.insert(workspaces).values(workspace).run();
            db.insert(forms).values(form).run();
            return true;
          },
          { behavior: 'immediate' },
        ),
      ),

    updateTeam: (id, changes) =>
      unitOfWork(() => {
        if (Object.keys(changes).length > 0) db.update(teams).set(changes).where(eq(teams.id, id)).run();
        return db.select().from(teams).where(eq(teams.id, id)).get() ?? null;
      }),

    findTeam: (id) => unitOfWork(() => db.select().from(teams).where(eq(teams.id, id)).get() ?? null),

    listTeams: () => unitOfWork(() => db.select().from(teams).orderBy(asc(teams.createdAt), asc(teams.id)).all()),

    createWorkspace: (workspace) => unitOfWork(() => void db.insert(workspaces).values(workspace).run()),

    findWorkspace: (id) => unitOfWork(() => db.select().from(workspaces).where(eq(workspaces.id, id)).get() ?? null),

    listWorkspaces: (teamId) =>
      unitOfWork(() =>
        db
          .select()
          .from(workspaces)
          .where(eq(workspaces.teamId, teamId))
          .orderBy(asc(workspaces.createdAt), asc(workspaces.id))
          .all(),
      ),

    renameWorkspace: (id, name, teamId) =>
      unitOfWork(() => {
        const ofTeam = and(eq(workspaces.id, id), eq(workspaces.teamId, teamId));
        return db.update(workspaces).set({ name }).where(ofTeam).returning({ id: workspaces.id }).all().length > 0;
      }),
  };
}
