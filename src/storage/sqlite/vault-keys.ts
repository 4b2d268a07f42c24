import type { Store } from '../store.ts';
import { type Drizzle, unitOfWork } from './database.ts';
import { vaultKeys } from './schema.ts';

/** Which keys sealed what is here. */
export function vaultKeyStore(db: Drizzle): Pick<Store, 'listVaultKeys' | 'addFirstVaultKey'> {
  const list = () => db.select({ id: vaultKeys.id, check: vaultKeys.checkValue }).from(vaultKeys).all();
  return {
    listVaultKeys: () => unitOfWork(list),

    addFirstVaultKey: ({ id, check }, at) =>
      unitOfWork(() =>
        db.transaction(
          () => {
            if (list().length === 0) db.insert(vaultKeys).values({ id, checkValue: check, createdAt: at }).run();
            return list();
          },
          { behavior: 'immediate' },
        ),
      ),
  };
}
