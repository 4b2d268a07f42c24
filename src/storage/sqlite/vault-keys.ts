import { and, asc, eq, ne, sql } from 'drizzle-orm';
import type { Drizzle } from './database.ts';
import { vaultKeys } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Prepares the function that returns the id of the current master key; undefined in a database without keys. */
export function currentKeyReader(db: Drizzle): () => number | undefined {
  const query = db.$client.query<{ id: number }, []>("SELECT id FROM vault_keys WHERE state = 'current'");
  return () => query.get()?.id;
}

/** Creates the store methods for master keys. */
export function vaultKeyStore(db: Drizzle) {
  // Prepared, because the rotation job reads them every second.
  const keys = db
    .select({
      id: vaultKeys.id,
      check: vaultKeys.checkValue,
      state: vaultKeys.state,
      fingerprintKey: vaultKeys.fingerprintKey,
      createdAt: vaultKeys.createdAt,
    })
    .from(vaultKeys)
    .orderBy(asc(vaultKeys.createdAt), asc(vaultKeys.id))
    .prepare();
  const list = () => keys.all();
  const isCurrent = (id: number) =>
    db
      .select({ id: vaultKeys.id })
      .from(vaultKeys)
      .where(and(eq(vaultKeys.id, id), eq(vaultKeys.state, 'current')))
      .get() !== undefined;

  return {
    listVaultKeys: list,

    addFirstVaultKey: ({ id, check }, at) =>
      transaction(db, () => {
        if (list().length === 0) db.insert(vaultKeys).values({ id, checkValue: check, createdAt: at }).run();
        return list();
      }),

    activateVaultKey: ({ id, check, fingerprintKey }, at) =>
      transaction(db, () => {
        db.update(vaultKeys).set({ state: 'retiring' }).where(eq(vaultKeys.state, 'current')).run();
        const active = { state: 'current' as const, fingerprintKey: Buffer.from(fingerprintKey) };
        db.insert(vaultKeys)
          .values({ id, checkValue: check, createdAt: at, ...active })
          // An earlier key can become the current one again.
          .onConflictDoUpdate({ target: vaultKeys.id, set: active, setWhere: sql`check_value = excluded.check_value` })
          .run();
        if (!isCurrent(id)) throw new Error('two keys have the same id');
      }),

    endRotation: (currentId) =>
      transaction(db, () => {
        if (!isCurrent(currentId)) return false;
        db.update(vaultKeys).set({ state: 'unused' }).where(ne(vaultKeys.id, currentId)).run();
        return true;
      }),

    removeVaultKey: (id) => {
      const unused = and(eq(vaultKeys.id, id), eq(vaultKeys.state, 'unused'));
      return db.delete(vaultKeys).where(unused).returning({ id: vaultKeys.id }).all().length > 0;
    },
  } satisfies Partial<StoreUnits>;
}
