import { and, asc, desc, eq, gt, gte, inArray, lt } from 'drizzle-orm';
import type { Actor, AuditAction, AuditEntry, StoredAuditEntry } from '../../domain/audit.ts';
import type { Micros } from '../../lib/clock.ts';
import { type Db, deleteRows } from '../database.ts';
import { audit } from '../schema.ts';

type Row = typeof audit.$inferSelect;
type Filter = Readonly<{ before: number | null; limit: number; actorId: string | null; action: AuditAction | null }>;

/** Creates the audit methods of the store. Each page is contiguous in an index. */
export function auditStore(db: Db) {
  return {
    record: async (entries: readonly AuditEntry[]): Promise<void> => {
      const rows = entries.map(({ actor: { kind: actor, id: actorId, name: actorName, address }, ...entry }) => ({
        ...{ ...entry, actor, actorId, actorName, address },
      }));
      await db.insert(audit).values(rows);
    },

    /** Lists audit entries of a team with an id below `before` (null: from the newest), newest first. */
    list: async (teamId: string, { before, limit, actorId, action }: Filter): Promise<StoredAuditEntry[]> => {
      const isListed = and(
        eq(audit.teamId, teamId),
        actorId === null ? undefined : eq(audit.actorId, actorId),
        action === null ? undefined : eq(audit.action, action),
        before === null ? undefined : lt(audit.id, before),
      );
      return (await db.select().from(audit).where(isListed).orderBy(desc(audit.id)).limit(limit)).map(toEntry);
    },

    /** Lists up to `limit` actors of a team by id, with the name and address of their last entry. */
    listActors: async (teamId: string, limit: number): Promise<Actor[]> => {
      const actors: Actor[] = [];
      for (let after = ''; actors.length < limit; ) {
        // Skips to the last entry of the next actor, because a team may have many entries of few actors.
        const isNext = and(eq(audit.teamId, teamId), gt(audit.actorId, after));
        const [next] = await db.select().from(audit).where(isNext).orderBy(asc(audit.actorId)).limit(1);
        if (!next) break;
        const isTheirs = and(eq(audit.teamId, teamId), eq(audit.actorId, next.actorId));
        const [last = next] = await db.select().from(audit).where(isTheirs).orderBy(desc(audit.id)).limit(1);
        actors.push(toEntry(last).actor);
        after = next.actorId;
      }
      return actors;
    },

    /** Lists audit entries of a team, null for the instance, from `since` and above the id `after`, oldest first. */
    listFrom: async (
      teamId: string | null,
      { since, after, limit }: Readonly<{ since: Micros; after: number; limit: number }>,
    ): Promise<StoredAuditEntry[]> => {
      const ofTeam = teamId === null ? undefined : eq(audit.teamId, teamId);
      const isNext = and(ofTeam, gt(audit.id, after), gte(audit.at, since));
      return (await db.select().from(audit).where(isNext).orderBy(asc(audit.id)).limit(limit)).map(toEntry);
    },

    /** Deletes entries made before `until` among the `limit` oldest. Returns the count. */
    prune: async (until: Micros, limit: number): Promise<number> => {
      const oldest = db.select({ id: audit.id }).from(audit).orderBy(asc(audit.id)).limit(limit);
      return deleteRows(db, audit, and(inArray(audit.id, oldest), lt(audit.at, until)));
    },
  };
}

function toEntry({ id, at, teamId, actor, actorId, actorName, address, action, details }: Row): StoredAuditEntry {
  return { id, at, teamId, actor: { kind: actor, id: actorId, name: actorName, address }, action, details };
}
