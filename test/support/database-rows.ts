import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { databaseOf } from './instance.ts';

type Value = string | number | null | Uint8Array;

/** Runs one statement on the database of an instance over a connection of its own, and returns its rows. */
export function queryDatabase<Row>(dataDir: string, sql: string, values: readonly Value[] = []): Row[] {
  const url = databaseOf(dataDir);
  if (url) return queryPostgres<Row>(url, sql, values);
  using database = new Database(join(dataDir, 'formstead.db'));
  return database.query<Row, Value[]>(sql).all(...values);
}

/** Waits in a process of its own, so that tests of both databases are the same. */
function queryPostgres<Row>(url: string, sql: string, values: readonly Value[]): Row[] {
  const args = values.map((one) => (one instanceof Uint8Array ? { base64: Buffer.from(one).toString('base64') } : one));
  const script = join(import.meta.dir, 'postgres-query.ts');
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, script, url, sql, JSON.stringify(args)]);
  if (exitCode !== 0) throw new Error(`${sql}: ${stderr}`);
  return JSON.parse(stdout.toString(), (_, value) =>
    value?.base64 === undefined ? value : new Uint8Array(Buffer.from(value.base64, 'base64')),
  );
}
