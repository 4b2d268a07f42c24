import { eq, inArray } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { type Db, deleteRows } from '../database.ts';
import {
  apiKeys,
  audit,
  counters,
  forms,
  inboxViews,
  members,
  oneTimeLinks,
  outbox,
  sessions,
  teams,
  workspaces,
} from '../schema.ts';
import { requestPurge } from './purges.ts';

/** Creates the store methods that delete a team. */
export function teamDeletionStore(db: Db) {
  const getForms = (id: string) =>
    inArray(forms.workspaceId, db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.teamId, id)));

  const endAccess = async (tx: Db, id: string): Promise<void> => {
    for (const table of [members, apiKeys, oneTimeLinks, inboxViews])
      await tx.delete(table).where(eq(table.teamId, id));
    await tx.update(sessions).set({ teamId: null }).where(eq(sessions.teamId, id));
  };

  /** Deletes up to `limit` rows of a team in a table. Returns the count. */
  const deleteSome = async (tx: Db, table: typeof audit | typeof outbox, id: string, limit: number) => {
    const some = tx.select({ id: table.id }).from(table).where(eq(table.teamId, id)).limit(limit);
    return deleteRows(tx, table, inArray(table.id, some));
  };

  return {
    /**
     * Begins the deletion of a team: removes its members, invitations and API keys, and begins the deletion of its forms, which
     * the retention job completes if nobody else does. Returns false if there is no such team.
     */
    close: (id: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const [team] = await tx.select({ id: teams.id }).from(teams).where(eq(teams.id, id));
        if (!team) return false;
        await endAccess(tx, id);
        await tx.update(forms).set({ trashedAt: 0 }).where(getForms(id));
        return true;
      }),

    /**
     * Deletes a team without forms, with its audit log, mails and usage, and requests a purge. Returns false
     * if more than `limit` mails or audit entries are left; the caller calls again. Throws `AppError('conflict')`, deleting
     * nothing, if the team has forms.
     */
    delete: (id: string, limit: number): Promise<boolean> =>
      db.transaction(async (tx) => {
        const [form] = await tx.select({ id: forms.id }).from(forms).where(getForms(id)).limit(1);
        if (form) {
          throw new AppError('conflict', 'A form was added to this team meanwhile. Delete the team again.');
        }
        if ((await deleteSome(tx, outbox, id, limit)) === limit || (await deleteSome(tx, audit, id, limit)) === limit) {
          return false;
        }
        await endAccess(tx, id);
        await tx.delete(counters).where(eq(counters.owner, id));
        await tx.delete(workspaces).where(eq(workspaces.teamId, id));
        await tx.delete(teams).where(eq(teams.id, id));
        await requestPurge(tx);
        return true;
      }),
  };
}
