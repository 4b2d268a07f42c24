import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { type Db, firstRow, greatest } from '../database.ts';
import { apiKeys, teams } from '../schema.ts';
import type { Store } from '../store.ts';
import { requireManager } from './members.ts';

/** Creates the store methods for API keys. */
export function keyStore(db: Db) {
  const { hash: _, ...columns } = getTableColumns(apiKeys);

  const findKey = db.prepared('key', () =>
    db
      .select({ ...columns, plan: teams.plan })
      .from(apiKeys)
      .innerJoin(teams, eq(teams.id, apiKeys.teamId))
      .where(eq(apiKeys.hash, sql.placeholder('hash'))),
  );

  return {
    createKey: (key, secretHash) =>
      db.transaction(async (tx) => {
        if (key.createdBy !== null) await requireManager(tx, key.teamId, key.createdBy);
        await tx.insert(apiKeys).values({ ...key, hash: secretHash });
      }),

    findKey: (hash) => firstRow(findKey({ hash })),

    revokeKey: async (id, at) => {
      const [key] = await db
        .update(apiKeys)
        .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${at})` })
        .where(eq(apiKeys.id, id))
        .returning(columns);
      return key ?? null;
    },

    listKeys: async (teamId) =>
      db
        .select(columns)
        .from(apiKeys)
        .where(eq(apiKeys.teamId, teamId))
        .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id)),

    recordKeyUse: (usedAt) =>
      db.transaction(async (tx) => {
        for (const [id, at] of usedAt) {
          // Another process may have recorded a later use.
          const lastUsedAt = greatest(apiKeys.lastUsedAt, at);
          await tx.update(apiKeys).set({ lastUsedAt }).where(eq(apiKeys.id, id));
        }
      }),
  } satisfies Partial<Store>;
}
