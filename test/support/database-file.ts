import { Database } from 'bun:sqlite';
import { join } from 'node:path';

type Row = Readonly<Record<string, string | number | Uint8Array | null>>;
type Column = Readonly<{ name: string; hidden: number }>;

/** Returns the rows of every table in any order, limited to the columns of the tables that have rows in `shape` if given. */
export function rowsIn(path: string, shape?: ReadonlyMap<string, readonly Row[]>): Map<string, Row[]> {
  using database = new Database(path, { readwrite: true, create: false });
  database.run('PRAGMA busy_timeout = 5000');
  const tables = shape ? [...shape].flatMap(([name, rows]) => (rows.length > 0 ? [name] : [])) : tablesOf(database);
  return new Map(
    tables.map((table) => {
      const columns = shape
        ? Object.keys(shape.get(table)?.[0] ?? {})
        : columnsOf(database, table).map(({ name }) => name);
      return [table, database.query<Row, []>(`SELECT ${columns.map((name) => `"${name}"`)} FROM "${table}"`).all()];
    }),
  );
}

type State = Readonly<{ integrity: unknown[]; orphans: unknown[]; migrations: string[] }>;

/** Returns the results of SQLite's integrity checks and the applied migrations. */
export function stateOf(path: string): State {
  using database = new Database(path, { readwrite: true, create: false });
  database.run('PRAGMA busy_timeout = 5000');
  const applied = database.query<{ name: string }, []>('SELECT name FROM migrations ORDER BY name').all();
  return {
    integrity: database.query('PRAGMA integrity_check').all(),
    orphans: database.query('PRAGMA foreign_key_check').all(),
    migrations: applied.map(({ name }) => name),
  };
}

/** Returns the state of an intact database with the baseline and `later` migrations. */
export const soundWith = (...later: string[]): State => ({
  integrity: [{ integrity_check: 'ok' }],
  orphans: [],
  migrations: ['0000_first', ...later],
});

export const databaseIn = (dataDir: string) => join(dataDir, 'formstead.db');

function tablesOf(database: Database): string[] {
  const found = database.query<{ name: string }, []>("SELECT name FROM main.sqlite_schema WHERE type = 'table'").all();
  return found.map(({ name }) => name).filter((name) => !/^(sqlite_|migrations$)/.test(name));
}

function columnsOf(database: Database, table: string): Column[] {
  return database
    .query<Column, []>(`PRAGMA main.table_xinfo("${table}")`)
    .all()
    .filter(({ hidden }) => hidden === 0);
}

/** Sets the time at which an instance was created far back, so that its sweep considers files made older by a test. */
export function backdate(dataDir: string): void {
  using database = new Database(databaseIn(dataDir));
  database.run("UPDATE migrations SET applied_at = '2026-01-01T00:00:00.000Z'");
}
