import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { databaseOf } from './instance.ts';

type Value = string | number | null | Uint8Array;

/** A statement for the thread that asks PostgreSQL, and its answer. */
export type Query = Readonly<{ url: string; sql: string; values: readonly Value[] }>;
export type Answer = Readonly<{ rows: unknown[] } | { error: string }>;

/** Runs one statement on the database of an instance over a connection of its own, and returns its rows. */
export function queryDatabase<Row>(dataDir: string, sql: string, values: readonly Value[] = []): Row[] {
  const url = databaseOf(dataDir);
  if (url) return queryPostgres<Row>(url, sql, values);
  using database = new Database(join(dataDir, 'formstead.db'));
  return database.query<Row, Value[]>(sql).all(...values);
}

/** Reads all rows of all tables. Bytes of PostgreSQL are text: `\\x` and hex. */
export function readTables(dataDir: string): Record<string, Array<Record<string, unknown>>> {
  return databaseOf(dataDir) ? Object.fromEntries(readPostgresTables(dataDir)) : readSqliteTables(dataDir);
}

function readSqliteTables(dataDir: string) {
  using database = new Database(join(dataDir, 'formstead.db'), { readonly: true });
  const names = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  const rowsOf = (name: string) => database.query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`).all();
  return Object.fromEntries(names.map(({ name }) => [name, rowsOf(name)]));
}

/** Reads all tables in one statement, because each connects anew. */
function readPostgresTables(dataDir: string) {
  const tables = queryDatabase<{ name: string }>(
    dataDir,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY name",
  );
  const rowsOf = ({ name }: { name: string }) =>
    `SELECT '${name}' AS name, row_to_json(t)::text AS row FROM "${name}" t`;
  const union = tables.map(rowsOf).join(' UNION ALL ');
  const rows = queryDatabase<{ name: string; row: string }>(dataDir, `${union} ORDER BY name, row`);
  const byTable = Map.groupBy(rows, ({ name }) => name);
  return tables.map(({ name }) => [name, (byTable.get(name) ?? []).map(({ row }) => JSON.parse(row))] as const);
}

/**
 * Returns the contents of the tables of PostgreSQL to search in, by table. Empty with SQLite, whose tables are in the
 * files of the data directory.
 */
export function tableBytes(dataDir: string): ReadonlyArray<readonly [table: string, content: Buffer]> {
  if (!databaseOf(dataDir)) return [];
  const valuesOf = (rows: ReadonlyArray<Record<string, unknown>>) => rows.flatMap((row) => Object.values(row));
  return readPostgresTables(dataDir).map(([name, rows]) => [
    name,
    Buffer.concat(valuesOf(rows).flatMap((value) => [bytesOf(value), Buffer.from('\n')])),
  ]);
}

function bytesOf(value: unknown): Buffer {
  if (typeof value !== 'string') return Buffer.from(JSON.stringify(value));
  return value.startsWith('\\x') ? Buffer.from(value.slice(2), 'hex') : Buffer.from(value);
}

/** Blocks until a thread has run the statement, so that tests of both databases are the same. */
function queryPostgres<Row>(url: string, sql: string, values: readonly Value[]): Row[] {
  thread ??= startThread();
  const { port, isAnswered } = thread;
  Atomics.store(isAnswered, 0, 0);
  port.postMessage({ url, sql, values } satisfies Query);
  if (Atomics.wait(isAnswered, 0, 0, ANSWER_MS) === 'timed-out') throw new Error(`${sql}: no answer of PostgreSQL`);
  const { message } = receiveMessageOnPort(port) as { message: Answer };
  if ('error' in message) throw new Error(`${sql}: ${message.error}`);
  return message.rows as Row[];
}

const ANSWER_MS = 60_000;

let thread: ReturnType<typeof startThread> | undefined;

function startThread() {
  const { port1, port2 } = new MessageChannel();
  const isAnswered = new Int32Array(new SharedArrayBuffer(4));
  const script = join(import.meta.dir, 'postgres-query.ts');
  const worker = new Worker(script, { workerData: { port: port2, isAnswered }, transferList: [port2] });
  worker.unref();
  return { port: port1, isAnswered };
}
