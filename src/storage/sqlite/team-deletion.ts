import { eq, inArray } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { Drizzle } from './database.ts';
import { REQUEST_PURGE } from './purge.ts';
import {
  apiKeys,
  audit,
  forms,
  inboxViews,
  members,
  oneTimeLinks,
  outbox,
  sessions,
  teamStorage,
  teams,
  usage,
  workspaces,
} from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Creates the store methods that delete a team. */
export function teamDeletionStore(db: Drizzle) {
  const exists = (id: string) => db.select({ id: teams.id }).from(teams).where(eq(teams.id, id)).get() !== undefined;
  const formsOf = (id: string) =>
    inArray(forms.workspaceId, db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.teamId, id)));

  const endAccess = (id: string): void => {
    for (const table of [members, apiKeys, oneTimeLinks, inboxViews]) {
      db.delete(table).where(eq(table.teamId, id)).run();
    }
    db.update(sessions).set({ teamId: null }).where(eq(sessions.teamId, id)).run();
  };

  /** Deletes up to `limit` rows of a team in a table. Returns the count. */
  const deleteSome = (table: typeof audit | typeof outbox, id: string, limit: number): number => {
    const some = db.select({ id: table.id }).from(table).where(eq(table.teamId, id)).limit(limit);
    return db.delete(table).where(inArray(table.id, some)).returning({ id: table.id }).all().length;
  };

  return {
    closeTeam: (id) =>
      transaction(db, () => {
        if (!exists(id)) return false;
        endAccess(id);
        db.update(forms).set({ trashedAt: 0 }).where(formsOf(id)).run();
        return true;
      }),

    deleteTeam: (id, limit) =>
      transaction(db, () => {
        if (db.select({ id: forms.id }).from(forms).where(formsOf(id)).limit(1).get()) {
          throw new AppError('conflict', 'A form was added to this team meanwhile. Delete the team again.');
        }
        if (deleteSome(outbox, id, limit) === limit || deleteSome(audit, id, limit) === limit) return false;
        endAccess(id);
        for (const table of [usage, teamStorage, workspaces]) db.delete(table).where(eq(table.teamId, id)).run();
        db.delete(teams).where(eq(teams.id, id)).run();
        db.$client.run(REQUEST_PURGE);
        return true;
      }),
  } satisfies Partial<StoreUnits>;
}
