import { and, eq, inArray, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { SelectedFields } from 'drizzle-orm/sqlite-core';
import type { Reach } from '../../domain/teams/roles.ts';
import { type Db, prepareOnce } from '../database.ts';
import { forms, workspaces } from '../schema.ts';

/** The condition that joins forms and their workspaces. */
export const IN_WORKSPACE = eq(workspaces.id, forms.workspaceId);

/** Selects columns of forms and their workspaces. */
export function fromForms<Columns extends SelectedFields>(db: Db, columns: Columns) {
  return db.select(columns).from(forms).innerJoin(workspaces, IN_WORKSPACE);
}

/**
 * Returns the database as a member with this reach sees it. Every query by team must ask `isOfTeam` or `teamCondition`,
 * and a test looks for those that don't.
 */
export function withReach(db: Db, reach: Reach): Db {
  return Object.assign(Object.create(db), {
    reach,
    transaction: <T>(work: (tx: Db) => Promise<T>) => db.transaction((tx) => work(withReach(tx, reach))),
    lockingTransaction: <T>(work: (tx: Db) => Promise<T>) => db.lockingTransaction((tx) => work(withReach(tx, reach))),
    // PostgreSQL would share a named query with other members.
    prepared: prepareOnce(),
  } satisfies Partial<Db>);
}

/** Returns the condition that a workspace of the query belongs to the team, if one is given, and is in reach. */
export function isOfTeam(db: Db, teamId?: string | Placeholder): SQL | undefined {
  return and(
    teamId === undefined ? undefined : eq(workspaces.teamId, teamId),
    db.reach ? inArray(workspaces.id, [...db.reach]) : undefined,
  );
}

/** Returns the same condition for SQL, where the workspaces are `w`. */
export function teamCondition({ reach }: Db, teamId: string): SQL {
  const isInReach = reach?.length === 0 ? sql`AND FALSE` : sql`AND w.id IN ${reach}`;
  return sql`w.team_id = ${teamId} ${reach ? isInReach : sql``}`;
}
