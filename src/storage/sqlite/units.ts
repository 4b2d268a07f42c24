import type { Store } from '../store.ts';
import { type Drizzle, toAppError } from './database.ts';

/** The methods of the store in synchronous form. */
export type StoreUnits = {
  [Name in keyof Store]: (...args: Parameters<Store[Name]>) => Awaited<ReturnType<Store[Name]>>;
};

type Unit = (...args: unknown[]) => unknown;

/** Makes methods asynchronous. They throw `AppError('storage_unavailable')` if the database fails. */
export function unitsOfWork<Name extends keyof Store>(units: Pick<StoreUnits, Name>): Pick<Store, Name> {
  const asynchronous =
    (unit: Unit) =>
    async (...args: unknown[]) => {
      try {
        return unit(...args);
      } catch (error) {
        throw toAppError(error);
      }
    };
  const methods = Object.entries<Unit>(units as Record<Name, Unit>).map(([name, unit]) => [name, asynchronous(unit)]);
  return Object.fromEntries(methods) as Pick<Store, Name>;
}

/** Runs `work` in a transaction that takes the write lock first, since one that takes it later can fail. */
export function transaction<T>(db: Drizzle, work: () => T): T {
  return db.transaction(work, { behavior: 'immediate' });
}
