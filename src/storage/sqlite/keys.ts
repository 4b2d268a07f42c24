import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { Drizzle } from './database.ts';
import { requireManager } from './members.ts';
import { apiKeys, teams } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Creates the store methods for API keys. */
export function keyStore(db: Drizzle) {
  const { hash: _, ...columns } = getTableColumns(apiKeys);

  const keyByHash = db
    .select({ ...columns, plan: teams.plan })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .where(eq(apiKeys.hash, sql.placeholder('hash')))
    .prepare();

  return {
    createKey: (key, secretHash) =>
      transaction(db, () => {
        if (key.createdBy !== null) requireManager(db, key.teamId, key.createdBy);
        db.insert(apiKeys)
          .values({ ...key, hash: secretHash })
          .run();
      }),

    findKey: (hash) => keyByHash.get({ hash }) ?? null,

    revokeKey: (id, at) => {
      db.update(apiKeys)
        .set({ revokedAt: at })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
        .run();
      return db.select(columns).from(apiKeys).where(eq(apiKeys.id, id)).get() ?? null;
    },

    listKeys: (teamId) =>
      db
        .select(columns)
        .from(apiKeys)
        .where(eq(apiKeys.teamId, teamId))
        .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
        .all(),

    recordKeyUse: (usedAt) =>
      transaction(db, () => {
        for (const [id, at] of usedAt) db.update(apiKeys).set({ lastUsedAt: at }).where(eq(apiKeys.id, id)).run();
      }),
  } satisfies Partial<StoreUnits>;
}
