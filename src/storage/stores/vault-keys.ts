import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import { byAge, type Db, deleteRows } from '../database.ts';
import type { StoredVaultKey, VaultKey } from '../records.ts';
import { vaultKeys } from '../schema.ts';
import { lockClock } from './counters.ts';

export function vaultKeyStore(db: Db) {
  const { checkValue: check, ...columns } = getTableColumns(vaultKeys);
  const list = async (queries: Db) =>
    queries
      .select({ ...columns, check })
      .from(vaultKeys)
      .orderBy(byAge(vaultKeys))
      .execute();
  const isCurrent = async (tx: Db, id: number) => {
    const isIt = and(eq(vaultKeys.id, id), eq(vaultKeys.state, 'current'));
    return (await tx.select({ id: vaultKeys.id }).from(vaultKeys).where(isIt)).length > 0;
  };

  return {
    /** Lists the master keys; empty in a new database, else one is `current`. */
    list: (): Promise<StoredVaultKey[]> => list(db),

    /** Adds the first master key if there is none. Returns the keys. */
    addFirst: ({ id, check }: VaultKey, at: Micros): Promise<StoredVaultKey[]> =>
      db.transaction(async (tx) => {
        const existing = await list(tx);
        if (existing.length > 0) return existing;
        // Several processes may start at once with the same key.
        await tx.insert(vaultKeys).values({ id, checkValue: check, createdAt: at }).onConflictDoNothing();
        return list(tx);
      }),

    /** Makes a key the current one; the current key becomes `retiring`. */
    activate: ({ id, check, fingerprintKey }: VaultKey & Readonly<{ fingerprintKey: Uint8Array }>, at: Micros) =>
      db.lockingTransaction(async (tx) => {
        // Submissions under the previous key are committed before, or refused after this.
        await lockClock(tx);
        await tx.update(vaultKeys).set({ state: 'retiring' }).where(eq(vaultKeys.state, 'current'));
        const active = { state: 'current' as const, fingerprintKey: Buffer.from(fingerprintKey) };
        await tx
          .insert(vaultKeys)
          .values({ id, checkValue: check, createdAt: at, ...active })
          // An earlier key can become the current one again.
          .onConflictDoUpdate({
            target: vaultKeys.id,
            set: active,
            setWhere: sql`${vaultKeys.checkValue} = excluded.check_value`,
          });
        if (!(await isCurrent(tx, id))) throw new Error('two keys have the same id');
      }),

    /** Sets all keys but the current one to `unused`. Returns false, changing nothing, if `currentId` is not current. */
    endRotation: (currentId: number): Promise<boolean> =>
      db.transaction(async (tx) => {
        if (!(await isCurrent(tx, currentId))) return false;
        await tx.update(vaultKeys).set({ state: 'unused' }).where(ne(vaultKeys.id, currentId));
        return true;
      }),

    /** Deletes an unused key. Returns false, changing nothing, if the key is missing or in use. */
    remove: async (id: number): Promise<boolean> => {
      const isUnused = and(eq(vaultKeys.id, id), eq(vaultKeys.state, 'unused'));
      return (await deleteRows(db, vaultKeys, isUnused)) > 0;
    },
  };
}
