import { SQLiteError } from 'bun:sqlite';
import type { Store } from '../store.ts';
import { type Drizzle, toAppError } from './database.ts';

/** The methods of the store in synchronous form. */
export type StoreUnits = {
  [Name in keyof Store]: (...args: Parameters<Store[Name]>) => Awaited<ReturnType<Store[Name]>>;
};

type Unit = (...args: unknown[]) => unknown;

/** Time that a unit of work waits for another writer. */
const MAX_WAIT_MS = 30_000;
const RETRY_MS = 5;

/**
 * Runs `work`, again while another connection is writing, without blocking the event loop. `work` must change nothing
 * before it has the write lock.
 */
export async function retryWhileBusy<T>(work: () => T, maxWaitMs = MAX_WAIT_MS): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return work();
    } catch (error) {
      const isBusy = error instanceof SQLiteError && (error.code ?? '').startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() - startedAt > maxWaitMs) throw error;
    }
    await Bun.sleep(RETRY_MS);
  }
}

/** Runs a unit of work. Throws `AppError('storage_unavailable')` if the database fails. */
export async function unitOfWork<T>(work: () => T, maxWaitMs = MAX_WAIT_MS): Promise<T> {
  try {
    return await retryWhileBusy(work, maxWaitMs);
  } catch (error) {
    throw toAppError(error);
  }
}

/** Makes each method a unit of work. */
export function unitsOfWork<Name extends keyof Store>(units: Pick<StoreUnits, Name>): Pick<Store, Name> {
  const asynchronous =
    (unit: Unit) =>
    (...args: unknown[]) =>
      unitOfWork(() => unit(...args));
  const methods = Object.entries<Unit>(units as Record<Name, Unit>).map(([name, unit]) => [name, asynchronous(unit)]);
  return Object.fromEntries(methods) as Pick<Store, Name>;
}

/** Runs `work` in a transaction that takes the write lock first, since one that takes it later can fail. */
export function transaction<T>(db: Drizzle, work: () => T): T {
  return db.transaction(work, { behavior: 'immediate' });
}
