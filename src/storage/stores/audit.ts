import { and, asc, desc, eq, gt, gte, inArray, lt } from 'drizzle-orm';
import type { Actor, StoredAuditEntry } from '../../domain/audit.ts';
import type { Db } from '../database.ts';
import { audit } from '../schema.ts';
import type { Store } from '../store.ts';

type Row = typeof audit.$inferSelect;

/** Creates the audit methods of the store. Each page is contiguous in an index. */
export function auditStore(db: Db) {
  return {
    recordAudit: async (entries) => {
      const rows = entries.map(({ actor, ...entry }) => ({
        ...entry,
        actor: actor.kind,
        actorId: actor.id,
        actorName: actor.name,
        address: actor.address,
      }));
      await db.insert(audit).values(rows);
    },

    listAudit: async (teamId, { before, limit, actorId, action }) => {
      const rows = await db
        .select()
        .from(audit)
        .where(
          and(
            eq(audit.teamId, teamId),
            actorId === null ? undefined : eq(audit.actorId, actorId),
            action === null ? undefined : eq(audit.action, action),
            before === null ? undefined : lt(audit.id, before),
          ),
        )
        .orderBy(desc(audit.id))
        .limit(limit);
      return rows.map(toEntry);
    },

    listAuditActors: async (teamId, limit) => {
      const actors: Actor[] = [];
      for (let after = ''; actors.length < limit; ) {
        // Skips to the last entry of the next actor, because a team may have many entries of few actors.
        const [next] = await db
          .select()
          .from(audit)
          .where(and(eq(audit.teamId, teamId), gt(audit.actorId, after)))
          .orderBy(asc(audit.actorId))
          .limit(1);
        if (!next) break;
        const [last = next] = await db
          .select()
          .from(audit)
          .where(and(eq(audit.teamId, teamId), eq(audit.actorId, next.actorId)))
          .orderBy(desc(audit.id))
          .limit(1);
        actors.push(toEntry(last).actor);
        after = next.actorId;
      }
      return actors;
    },

    listAuditFrom: async (teamId, { since, after, limit }) => {
      const ofTeam = teamId === null ? undefined : eq(audit.teamId, teamId);
      const rows = await db
        .select()
        .from(audit)
        .where(and(ofTeam, gt(audit.id, after), gte(audit.at, since)))
        .orderBy(asc(audit.id))
        .limit(limit);
      return rows.map(toEntry);
    },

    pruneAudit: async (until, limit) => {
      const oldest = db.select({ id: audit.id }).from(audit).orderBy(asc(audit.id)).limit(limit);
      const pruned = await db
        .delete(audit)
        .where(and(inArray(audit.id, oldest), lt(audit.at, until)))
        .returning({ id: audit.id });
      return pruned.length;
    },
  } satisfies Partial<Store>;
}

function toEntry({ id, at, teamId, actor, actorId, actorName, address, action, details }: Row): StoredAuditEntry {
  return { id, at, teamId, actor: { kind: actor, id: actorId, name: actorName, address }, action, details };
}
