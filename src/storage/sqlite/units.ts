import { type Database, SQLiteError, type Statement } from 'bun:sqlite';
import { fillPlaceholders, type Query, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { Semaphore } from '../../lib/semaphore.ts';
import { type Db, prepareOnce } from '../database.ts';
import { mapMethods } from '../map-methods.ts';
import { type Drizzle, toAppError } from './database.ts';

/** A store whose methods may be synchronous. */
export type Units<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result | Promise<Result>
    : never;
};

/** A store whose methods are units of work. */
type Queued<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** Time that a unit of work waits for another process that writes. */
const MAX_WAIT_MS = 30_000;
const RETRY_MS = 5;

/** Prepared statements to keep. */
const MAX_STATEMENTS = 300;

/**
 * Runs units of work on a connection one after another. A unit may await its queries: without the queue, another one, such
 * as a group commit, would become a part of its transaction and be acknowledged before it is durable.
 */
export class UnitQueue {
  readonly #turns = new Semaphore(1);

  /**
   * Runs `work`, again while another process is writing, without blocking the event loop or other units. `work` must change
   * nothing before it has the write lock, and await nothing but queries.
   */
  async retryWhileBusy<T>(work: () => T | Promise<T>, maxWaitMs = MAX_WAIT_MS): Promise<T> {
    const startedAt = performance.now();
    for (;;) {
      try {
        return await this.#turns.run(async () => work());
      } catch (error) {
        const isBusy = error instanceof SQLiteError && (error.code ?? '').startsWith('SQLITE_BUSY');
        if (!isBusy || performance.now() - startedAt > maxWaitMs) throw error;
      }
      await Bun.sleep(RETRY_MS);
    }
  }

  /** Runs a unit of work. Throws `AppError('storage_unavailable')` if the database fails. */
  async run<T>(work: () => T | Promise<T>, maxWaitMs = MAX_WAIT_MS): Promise<T> {
    try {
      return await this.retryWhileBusy(work, maxWaitMs);
    } catch (error) {
      throw toAppError(error);
    }
  }

  /** Makes each method of the stores a unit of work. */
  wrap<Stores extends object>(stores: Stores): { [Noun in keyof Stores]: Queued<Stores[Noun]> } {
    return mapMethods(
      stores,
      (unit) =>
        (...args) =>
          this.run(() => unit(...args)),
    );
  }
}

/** Runs `work` in a transaction that takes the write lock first, since one that takes it later can fail. */
export const transaction = <T>(db: Drizzle, work: () => T): T => db.transaction(work, { behavior: 'immediate' });

/** Hides the values of parameters from SQLite's planner, which would compile a prepared join again for each of them. */
export function opaque(dialect: SQLiteSyncDialect): SQLiteSyncDialect {
  return Object.assign(dialect, { escapeParam: () => '+?' });
}

/** Returns the port that shared stores use. Its queries run at once; awaiting one costs a microtask. */
export function toDb({ $client }: Drizzle): Db {
  const statements = cachedStatements($client);
  const hot = new Map<string, Query>();
  const dialect = opaque(new SQLiteSyncDialect());
  const builder = drizzle({ client: { prepare: statements } as unknown as Database });
  opaque((builder as unknown as { dialect: SQLiteSyncDialect }).dialect);
  const run = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    if ($client.inTransaction) return work(db);
    $client.run('BEGIN IMMEDIATE');
    try {
      const result = await work(db);
      $client.run('COMMIT');
      return result;
    } catch (error) {
      if ($client.inTransaction) $client.run('ROLLBACK');
      throw error;
    }
  };
  const db: Db = Object.assign(Object.create(builder), {
    engine: 'sqlite',
    rows: async <Row>(query: SQL) => {
      const { sql: text, params } = dialect.sqlToQuery(sql`${query}`);
      return statements(text).all(...(params as never[])) as Row[];
    },
    hotRows: async <Row>(name: string, values: object, build: (values: object) => SQL) => {
      const { sql: text, params } = hot.getOrInsertComputed(name, () => {
        const { placeholder } = sql;
        return dialect.sqlToQuery(build(Object.fromEntries(Object.keys(values).map((key) => [key, placeholder(key)]))));
      });
      return statements(text).all(...(fillPlaceholders(params, { ...values }) as never[])) as Row[];
    },
    prepared: prepareOnce(),
    transaction: run,
    lockingTransaction: run,
    locked: <Query>(query: Query) => query,
  });
  return db;
}

/** Returns a function that prepares a statement, or returns the one it prepared before. */
function cachedStatements(client: Database): (text: string) => Statement {
  const statements = new Map<string, Statement>();
  return (text) => {
    const known = statements.get(text);
    if (known) {
      // Moved behind the others, because the first is dropped.
      statements.delete(text);
      statements.set(text, known);
      return known;
    }
    const statement = client.prepare(text);
    statements.set(text, statement);
    const [oldest] = statements.keys();
    if (statements.size > MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
}
