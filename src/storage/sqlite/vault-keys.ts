import { and, asc, eq, ne, sql } from 'drizzle-orm';
import type { Store } from '../store.ts';
import { type Drizzle, unitOfWork } from './database.ts';
import { vaultKeys } from './schema.ts';

type VaultKeyMethods = 'listVaultKeys' | 'addFirstVaultKey' | 'activateVaultKey' | 'endRotation' | 'removeVaultKey';

/** Creates the store methods for master keys. */
export function vaultKeyStore(db: Drizzle): Pick<Store, VaultKeyMethods> {
  const transaction = <T>(work: () => T) => unitOfWork(() => db.transaction(work, { behavior: 'immediate' }));
  const list = () =>
    db
      .select({
        id: vaultKeys.id,
        check: vaultKeys.checkValue,
        state: vaultKeys.state,
        fingerprintKey: vaultKeys.fingerprintKey,
        createdAt: vaultKeys.createdAt,
      })
      .from(vaultKeys)
      .orderBy(asc(vaultKeys.createdAt), asc(vaultKeys.id))
      .all();
  const isCurrent = (id: number) =>
    db
      .select({ id: vaultKeys.id })
      .from(vaultKeys)
      .where(and(eq(vaultKeys.id, id), eq(vaultKeys.state, 'current')))
      .get() !== undefined;

  return {
    listVaultKeys: () => unitOfWork(list),

    addFirstVaultKey: ({ id, check }, at) =>
      transaction(() => {
        if (list().length === 0) db.insert(vaultKeys).values({ id, checkValue: check, createdAt: at }).run();
        return list();
      }),

    activateVaultKey: ({ id, check, fingerprintKey }, at) =>
      transaction(() => {
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
      transaction(() => {
        if (!isCurrent(currentId)) return false;
        db.update(vaultKeys).set({ state: 'unused' }).where(ne(vaultKeys.id, currentId)).run();
        return true;
      }),

    removeVaultKey: (id) =>
      unitOfWork(() => {
        const unused = and(eq(vaultKeys.id, id), eq(vaultKeys.state, 'unused'));
        return db.delete(vaultKeys).where(unused).returning({ id: vaultKeys.id }).all().length > 0;
      }),
  };
}
