import type { Store } from '../store.ts';
import type { Db } from './database.ts';
import { isRepeatable, toAppError } from './errors.ts';

/** Attempts of a unit of work that concurrent ones make fail. */
const MAX_ATTEMPTS = 10;

/** The longest pause before the second attempt, in milliseconds; it grows with each attempt. */
const PAUSE_MS = 5;

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * Runs a unit of work, and repeats it after a serialization failure or a deadlock. Throws
 * `AppError('storage_unavailable')` if the database fails.
 */
export async function unitOfWork<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRepeatable(error)) throw toAppError(error);
    }
    await Bun.sleep(Math.random() * PAUSE_MS * attempt);
  }
}

/** Makes each method a unit of work. */
export function unitsOfWork<Units extends Partial<Store>>(units: Units): Units {
  const wrap =
    (method: Method): Method =>
    (...args) =>
      unitOfWork(() => method(...args.map(withoutNul)));
  const methods = Object.entries(units).map(([name, method]) => [name, wrap(method as Method)]);
  return Object.fromEntries(methods) as Units;
}

/** Replaces U+0000 in a text, such as an id from a URL, which PostgreSQL refuses. Stored texts never have one. */
function withoutNul(arg: unknown): unknown {
  return typeof arg === 'string' && arg.includes('\0') ? arg.replaceAll('\0', '\uFFFD') : arg;
}

/**
 * Runs `work` in a transaction as if no other ran at the same time. Inside another transaction it becomes a part of that
 * one. `work` must have no effect outside the database, because it may be repeated.
 */
export function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction(work, { isolationLevel: 'serializable' });
}

/**
 * Runs `work` in a transaction that sees what others committed before each statement. It must lock the rows that it
 * reads and changes.
 */
export function lockingTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction(work, { isolationLevel: 'read committed' });
}
