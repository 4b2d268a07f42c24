import { Database } from 'bun:sqlite';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dir, '../../drizzle');

/** Names of all migrations, oldest first. */
export const MIGRATIONS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.slice(0, -'.sql'.length))
  .sort();

/** Returns the SQL of a migration. */
export const migrationSql = (name: string): string => readFileSync(join(FOLDER, `${name}.sql`), 'utf8');

/** Returns the SQL of a migration as of commit 12ef923, after which 0005_rights was edited. */
export function earlyMigrationSql(name: string): string {
  if (name !== '0005_rights') return migrationSql(name);
  return migrationSql(name)
    .replace('`actor_id` text NOT NULL', '`actor_id` text')
    .replace(/CREATE INDEX `audit_of_ac.*\n/g, '')
    .replace(/CREATE TABLE `steady_clock`[^;]*;\n--> statement-breakpoint\n/, '');
}

/** The table of encryption keys gets no filler rows: a start is refused if a listed key is missing. */
const KEY_TABLE = 'vault_keys';

type Row = Readonly<Record<string, string | number | Uint8Array | null>>;
type Column = Readonly<{ name: string; type: string; notnull: number; pk: number; hidden: number }>;
type Reference = Readonly<{ table: string; from: string; to: string }>;

/**
 * Creates a database with the first `count` migrations. It contains the rows of `source`, a current database, in the
 * columns that existed then, and two filler rows per table: one with every column set, one with only the required ones.
 * `sqlOf` returns the SQL of a migration, by default that of this version.
 */
export function makeOldDatabase(dataDir: string, count: number, source: string, sqlOf = migrationSql): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  using database = new Database(databaseIn(dataDir), { create: true });
  database.run('PRAGMA journal_mode = WAL');
  database.run('CREATE TABLE migrations (name TEXT PRIMARY KEY NOT NULL, applied_at TEXT NOT NULL)');
  for (const name of MIGRATIONS.slice(0, count)) {
    database.run(sqlOf(name));
    database.run('INSERT INTO migrations VALUES (?, ?)', [name, '2026-01-01T00:00:00.000Z']);
  }
  database.run('PRAGMA foreign_keys = OFF');
  database.run('ATTACH ? AS today', [source]);
  for (const table of tablesOf(database)) {
    const columns = columnsOf(database, table).map(({ name }) => `"${name}"`);
    database.run(`INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM today."${table}"`);
    if (table === KEY_TABLE) continue;
    for (const number of [1, 2]) fill(database, table, number);
  }
  const faults = database.query('PRAGMA main.foreign_key_check').all();
  if (faults.length > 0) throw new Error(`Rows violate foreign keys: ${JSON.stringify(faults)}`);
}

function fill(database: Database, table: string, number: number): void {
  const references = database.query<Reference, []>(`PRAGMA foreign_key_list("${table}")`).all();
  const row: Record<string, Row[string]> = {};
  for (const column of columnsOf(database, table)) {
    if (number === 2 && !column.notnull && !column.pk) continue;
    const reference = references.find(({ from }) => from === column.name);
    const own = { table, ...column };
    row[column.name] = fillerFor(
      reference ? { ...own, table: reference.table, name: reference.to, pk: 1 } : own,
      number,
    );
  }
  const names = Object.keys(row);
  const quoted = names.map((name) => `"${name}"`);
  database.run(`INSERT INTO main."${table}" (${quoted}) VALUES (${names.map(() => '?')})`, Object.values(row));
}

/** Returns a value for a column. Times are far in the future so that no job expires them; numeric keys stay small. */
function fillerFor({ table, name, type, pk }: Column & { table: string }, number: number): Row[string] {
  if (/int/i.test(type)) return pk ? 100 + number : 4_000_000_000_000_000 + number;
  const text = `${table}.${name} ${number}, with 'quotes', "more" and ümlauts`;
  return /blob/i.test(type) ? new TextEncoder().encode(`\0${text}`) : text;
}

/** Returns the rows of every table in any order, limited to the tables and columns of `shape` if given. */
export function rowsIn(path: string, shape?: ReadonlyMap<string, readonly Row[]>): Map<string, Row[]> {
  using database = new Database(path, { readwrite: true, create: false });
  database.run('PRAGMA busy_timeout = 5000');
  const tables = shape ? [...shape.keys()] : tablesOf(database);
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

/** Returns the state of an intact database with the first `count` migrations. */
export const soundWith = (count: number): State => ({
  integrity: [{ integrity_check: 'ok' }],
  orphans: [],
  migrations: MIGRATIONS.slice(0, count),
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
