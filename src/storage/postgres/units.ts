import type { DrizzleConfig, SQL } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgSelect, PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { type Db, prepareOnce, type RowLock } from '../database.ts';
import { mapMethods } from '../map-methods.ts';
import { isRepeatable, toAppError } from './errors.ts';

/** Attempts of a unit of work that concurrent ones make fail. */
const MAX_ATTEMPTS = 10;

/** The longest pause before the second attempt, in milliseconds; it grows with each attempt. */
const PAUSE_MS = 5;

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

export function unitsOfWork<Stores extends object>(stores: Stores): Stores {
  return mapMethods(
    stores,
    (method) =>
      (...args) =>
        unitOfWork(async () => method(...args.map(withoutNul))),
  );
}

/** Replaces U+0000 in a text, such as an id from a URL, which PostgreSQL refuses. Stored texts never have one. */
function withoutNul(arg: unknown): unknown {
  return typeof arg === 'string' && arg.includes('\0') ? arg.replaceAll('\0', '\uFFFD') : arg;
}

type Isolation = 'serializable' | 'read committed';
type Begin = (isolationLevel: Isolation) => <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

/** Returns the port that shared stores use. The tables are those of SQLite, whose columns map the values of both drivers. */
export function toDb(pool: pg.Pool, config: DrizzleConfig = {}): Db {
  return portOf(drizzle(pool, config), (isolationLevel) => async (work) => {
    // Drizzle never returns a connection that it took from a pool itself if BEGIN fails on it.
    const client = await pool.connect();
    try {
      const run = (tx: unknown) => work(portOf(tx as NodePgDatabase, null));
      return await drizzle(client, config).transaction(run, { isolationLevel });
    } finally {
      client.release();
    }
  });
}

/** `begin` is null in a transaction. */
function portOf(builder: NodePgDatabase, begin: Begin | null): Db {
  const rows = async <Row>(query: SQL) => (await builder.execute(query)).rows as Row[];
  const transaction: Begin = begin ?? (() => (work) => work(db));
  const db: Db = Object.assign(Object.create(builder), {
    engine: 'postgres',
    rows,
    // A plan for all values would be worse than one for these.
    hotRows: (_: string, values: object, build: (values: object) => SQL) => rows(build(values)),
    prepared: prepareOnce(true),
    transaction: transaction('serializable'),
    lockingTransaction: transaction('read committed'),
    locked: <Query>(query: Query, lock: RowLock, of?: PgTable[]) =>
      (query as unknown as PgSelect).for(lock, of && { of }),
  });
  return db;
}
