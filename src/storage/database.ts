import { type Column, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type {
  BaseSQLiteDatabase,
  SQLiteColumn,
  SQLiteInsertValue,
  SQLiteTable,
  SQLiteUpdateSetSource,
} from 'drizzle-orm/sqlite-core';

/**
 * Drizzle's query builder. Both engines are used in the types of SQLite's builder, whose queries can be awaited; what
 * stores use of it is the same in PostgreSQL's.
 */
type Builder = Pick<BaseSQLiteDatabase<'async', unknown>, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete'>;

/** A query that can be prepared. */
export type Preparable<Row> = Readonly<{
  /** PostgreSQL keeps the query under its name. */
  prepare: (name?: string) => { execute: (values: Record<string, unknown>) => Promise<Row[]> };
}>;

/** The strength of a row lock. */
export type RowLock = 'update' | 'no key update' | 'key share';

/** A database, or a transaction in it, with what the engines do differently. Everything else is the same query. */
export interface Db extends Builder {
  readonly engine: 'sqlite' | 'postgres';
  /** The workspaces that queries see; missing for all. See `withReach`. */
  readonly reach?: readonly string[] | null;
  rows<Row>(query: SQL): Promise<Row[]>;
  /** Like `rows` for SQL of the hot path, which SQLite keeps by name; only `values` may differ from call to call. */
  hotRows<Row, Values extends object = object>(
    name: string,
    values: Values,
    build: (values: Values) => SQL,
  ): Promise<Row[]>;
  /**
   * Runs `work` in a transaction as if no other ran at the same time; inside another transaction, as a part of it. `work`
   * must await nothing but queries and have no effect outside the database, because it may be repeated.
   */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, but sees what others committed before each statement. `work` must lock the rows that it reads and
   * changes. SQLite's transactions exclude each other.
   */
  lockingTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /**
   * Returns a function that runs a query of the hot path with the values of its placeholders. The query of a name is
   * built and prepared once for a database, at the first call.
   */
  prepared<Row>(name: string, build: () => Preparable<Row>): (values: Record<string, unknown>) => Promise<Row[]>;
  /** Adds a row lock to a query, on the rows of some tables if it joins several. */
  locked<Query>(query: Query, lock: RowLock, tables?: object): Query;
}

/** Returns the method `prepared` of a database, which PostgreSQL needs `named`. */
export function prepareOnce(named = false): Db['prepared'] {
  const queries = new Map<string, ReturnType<Preparable<unknown>['prepare']>>();
  return <Row>(name: string, build: () => Preparable<Row>) => {
    const prepare = () => build().prepare(named ? name : undefined);
    return async (values) => queries.getOrInsertComputed(name, prepare).execute(values) as Promise<Row[]>;
  };
}

export async function firstRow<Row>(query: PromiseLike<Row[]>): Promise<Row | null> {
  const [row] = await query;
  return row ?? null;
}

export async function countRows(db: Db, query: SQL): Promise<number> {
  const [counted] = await db.rows<{ total: number }>(sql`SELECT count(*) AS total FROM (${query}) AS counted`);
  return counted?.total ?? 0;
}

/** Changes the rows that meet a condition. Returns the count. */
export async function updateRows<Table extends SQLiteTable>(
  db: Db,
  table: Table,
  values: SQLiteUpdateSetSource<Table>,
  condition: SQL | undefined,
): Promise<number> {
  return (await db.update(table).set(values).where(condition).returning(ONE)).length;
}

/** Deletes the rows that meet a condition. Returns the count. */
export async function deleteRows(db: Db, table: SQLiteTable, condition: SQL | undefined): Promise<number> {
  return (await db.delete(table).where(condition).returning(ONE)).length;
}

/** Inserts a row unless one has the same key. Returns false if one has. */
export async function insertNew<Table extends SQLiteTable>(db: Db, table: Table, values: SQLiteInsertValue<Table>) {
  return (await db.insert(table).values(values).onConflictDoNothing().returning(ONE)).length > 0;
}

/** Inserts a row, or changes the one that has the same values in the columns `key`. */
export async function upsert<Table extends SQLiteTable>(
  db: Db,
  table: Table,
  key: ReadonlyArray<keyof SQLiteInsertValue<Table> & keyof Table>,
  row: SQLiteInsertValue<Table>,
): Promise<void> {
  const set = Object.fromEntries(Object.entries(row).filter(([name]) => !key.some((one) => one === name)));
  const target = key.map((name) => table[name] as SQLiteColumn);
  await db
    .insert(table)
    .values(row)
    .onConflictDoUpdate({ target, set: set as SQLiteUpdateSetSource<Table> });
}

const ONE = { one: sql`1` };

/** Returns the usual order of lists: oldest first, and by id for equal times. */
export const byAge = ({ createdAt, id }: Readonly<{ createdAt: Column; id: Column }>) => sql`${createdAt}, ${id}`;

/** Returns the index that SQLite must use for a table; PostgreSQL's planner knows the tables' contents. */
export const hint = (db: Db, index: string): SQL => sql.raw(db.engine === 'sqlite' ? `INDEXED BY ${index}` : '');

/** Returns SQL for the greater of a column and a value. Null columns count as less. */
export function greatest(column: Column, value: number): SQL {
  return sql`CASE WHEN ${column} > ${value} THEN ${column} ELSE ${value} END`;
}

/** Returns SQL that is true if a column is one of a list, which is one parameter: see `toList`. */
export function inList(db: Db, column: Column, type: 'bigint' | 'text', list: SQLWrapper): SQL {
  return db.engine === 'sqlite'
    ? sql`${column} IN (SELECT value FROM json_each(${list}))`
    : sql`${column} = ANY(${list}::${sql.raw(type)}[])`;
}

/** Returns a list as the value of one parameter. */
export function toList(db: Db, values: readonly unknown[]): unknown {
  return db.engine === 'sqlite' ? JSON.stringify(values) : values;
}
