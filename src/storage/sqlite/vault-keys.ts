import { and, asc, eq, ne, sql } from 'drizzle-orm';
import type { Store } from '../store.ts';
import { type Drizzle, unitOfWork } from './database.ts';
import { vaultKeys } from './schema.ts';

type VaultKeyMethods =
  | 'listVaultKeys'
  | 'addFirstVaultKey'
  | 'makeVaultKeyCurrent'
  | 'endRetirement'
  | 'removeVaultKey';

/** Which keys sealed what is here. */
export function vaultKeyStore(db: Drizzle): Pick<Store, VaultKeyMethods> {
  const atOnce = <T>(work: () => T) => unitOfWork(() => db.transaction(work, { behavior: 'immediate' }));
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
      atOnce(() => {
        if (list().length === 0) db.insert(vaultKeys).values({ id, checkValue: check, createdAt: at }).run();
        return list();
      }),

    makeVaultKeyCurrent: ({ id, check, fingerprintKey }, at) =>
      atOnce(() => {
        db.update(vaultKeys).set({ state: 'retiring' }).where(eq(vaultKeys.state, 'current')).run();
        const now = { state: 'current' as const, fingerprintKey: Buffer.from(fingerprintKey) };
        db.insert(vaultKeys)
          .values({ id, checkValue: check, createdAt: at, ...now })
          // One that was here before comes back.
          .onConflictDoUpdate({ target: vaultKeys.id, set: now, setWhere: sql`check_value = excluded.check_value` })
          .run();
        if (!isCurrent(id)) throw new Error('two keys have the same id');
      }),

    endRetirement: (currentId) =>
      atOnce(() => {
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
