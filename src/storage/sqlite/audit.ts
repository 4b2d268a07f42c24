import { and, asc, eq, gt, gte, inArray, lt, sql } from 'drizzle-orm';
import type { StoredAuditEntry } from '../../domain/audit.ts';
import type { Drizzle } from './database.ts';
import { audit } from './schema.ts';
import type { StoreUnits } from './units.ts';

type Row = typeof audit.$inferSelect;

/** The index and the extra condition of each kind of page. In its index, a page is contiguous and ordered by id. */
const PAGES = {
  team: ['audit_of_team', ''],
  actor: ['audit_of_actor', 'AND actor_id = ?'],
  action: ['audit_of_action', 'AND action = ?'],
  both: ['audit_of_actor_and_action', 'AND actor_id = ? AND action = ?'],
} as const;

/** Creates the audit methods of the store. */
export function auditStore(db: Drizzle) {
  const page = ([index, condition]: readonly [string, string]) =>
    db.$client.query<Omit<Row, 'details'> & { details: string }, Array<string | number>>(
      `SELECT id, at, team_id AS teamId, actor, actor_id AS actorId, actor_name AS actorName, address, action, details
       FROM audit INDEXED BY ${index} WHERE team_id = ? ${condition} AND id < ? ORDER BY id DESC LIMIT ?`,
    );
  const pages = {
    team: page(PAGES.team),
    actor: page(PAGES.actor),
    action: page(PAGES.action),
    both: page(PAGES.both),
  };
  const nextActor = db.$client.query<{ actor_id: string }, [teamId: string, after: string]>(
    'SELECT actor_id FROM audit INDEXED BY audit_of_actor WHERE team_id = ? AND actor_id > ? ORDER BY actor_id LIMIT 1',
  );
  const lastOfActor = db
    .select()
    .from(audit)
    .where(and(eq(audit.teamId, sql.placeholder('teamId')), eq(audit.actorId, sql.placeholder('actorId'))))
    .orderBy(sql`id DESC`)
    .limit(1)
    .prepare();

  return {
    recordAudit: (entries) => {
      const rows = entries.map(({ actor, ...entry }) => ({
        ...entry,
        actor: actor.kind,
        actorId: actor.id,
        actorName: actor.name,
        address: actor.address,
      }));
      db.insert(audit).values(rows).run();
    },

    listAudit: (teamId, { before, limit, actorId, action }) => {
      const page = pages[actorId === null ? (action === null ? 'team' : 'action') : action === null ? 'actor' : 'both'];
      const filters = [actorId, action].filter((value) => value !== null);
      return page
        .all(teamId, ...filters, before ?? Number.MAX_SAFE_INTEGER, limit)
        .map(({ details, ...row }) => toEntry({ ...row, details: JSON.parse(details) }));
    },

    listAuditActors: (teamId, limit) => {
      const actors = [];
      for (let after = ''; actors.length < limit; ) {
        const next = nextActor.get(teamId, after)?.actor_id;
        const last = next === undefined ? undefined : lastOfActor.get({ teamId, actorId: next });
        if (next === undefined || !last) break;
        actors.push(toEntry(last).actor);
        after = next;
      }
      return actors;
    },

    listAuditFrom: (teamId, { since, after, limit }) =>
      db
        .select()
        .from(audit)
        .where(and(teamId === null ? undefined : eq(audit.teamId, teamId), gt(audit.id, after), gte(audit.at, since)))
        .orderBy(asc(audit.id))
        .limit(limit)
        .all()
        .map(toEntry),

    pruneAudit: (until, limit) => {
      const oldest = db.select({ id: audit.id }).from(audit).orderBy(asc(audit.id)).limit(limit);
      return db
        .delete(audit)
        .where(and(inArray(audit.id, oldest), lt(audit.at, until)))
        .returning({ id: audit.id })
        .all().length;
    },
  } satisfies Partial<StoreUnits>;
}

function toEntry({ id, at, teamId, actor, actorId, actorName, address, action, details }: Row): StoredAuditEntry {
  return { id, at, teamId, actor: { kind: actor, id: actorId, name: actorName, address }, action, details };
}
