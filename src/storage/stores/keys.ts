import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { ApiKey } from '../../domain/api-key.ts';
import type { Micros } from '../../lib/clock.ts';
import { byAge, type Db, firstRow, greatest } from '../database.ts';
import type { ApiKeyWithPlan } from '../records.ts';
import { apiKeys, type sessions, teams } from '../schema.ts';
import { requireManager } from './members.ts';

export function keyStore(db: Db) {
  const { hash: _, ...columns } = getTableColumns(apiKeys);

  const withPlan = { ...columns, plan: teams.plan };
  const findKey = db.prepared('key', () => {
    const query = db.select(withPlan).from(apiKeys).innerJoin(teams, eq(teams.id, apiKeys.teamId));
    return query.where(eq(apiKeys.hash, sql.placeholder('hash')));
  });

  return {
    /** Throws `AppError('role_forbids')`, creating nothing, if its creator may no longer create keys. */
    create: (key: ApiKey, secretHash: string): Promise<void> =>
      db.transaction(async (tx) => {
        if (key.createdBy !== null) await requireManager(tx, key.teamId, key.createdBy);
        await tx.insert(apiKeys).values({ ...key, hash: secretHash });
      }),

    find: (hash: string): Promise<ApiKeyWithPlan | null> => firstRow(findKey({ hash })),

    /** Revokes an API key; one revoked before keeps its time. Returns the updated key, or null if it does not exist. */
    revoke: (id: string, at: Micros): Promise<ApiKey | null> => {
      const revokedAt = sql`coalesce(${apiKeys.revokedAt}, ${at})`;
      return firstRow(db.update(apiKeys).set({ revokedAt }).where(eq(apiKeys.id, id)).returning(columns));
    },

    list: async (teamId: string): Promise<ApiKey[]> =>
      db.select(columns).from(apiKeys).where(eq(apiKeys.teamId, teamId)).orderBy(byAge(apiKeys)),

    /** Sets the last use of API keys by id. */
    recordUse: (usedAt: ReadonlyMap<string, Micros>): Promise<void> => recordUse(db, apiKeys, usedAt),
  };
}

/** Sets the last use of rows by id, except where another process has recorded a later one. */
export function recordUse(db: Db, table: typeof apiKeys | typeof sessions, usedAt: ReadonlyMap<string, Micros>) {
  return db.transaction(async (tx) => {
    for (const [id, at] of usedAt) {
      await tx
        .update(table)
        .set({ lastUsedAt: greatest(table.lastUsedAt, at) })
        .where(eq(table.id, id));
    }
  });
}
