import { Database } from 'bun:sqlite';
import { expect } from 'bun:test';
import { join } from 'node:path';
import { queryDatabase } from '../../support/database-rows.ts';
import { databaseOf, type Instance } from '../../support/instance.ts';

type Row = Record<string, unknown>;

/** Reads all rows of all tables, except when sessions and keys were last used, which a job writes. */
export function contentsOf({ dataDir }: Pick<Instance, 'dataDir'>): Record<string, unknown> {
  if (databaseOf(dataDir)) return postgresContents(dataDir);
  const database = new Database(join(dataDir, 'formstead.db'), { readonly: true });
  const names = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  const tables = Object.fromEntries(
    names.map(({ name }) => [name, database.query<Row, []>(`SELECT * FROM "${name}"`).all()]),
  );
  database.close();
  expect(names.length).toBeGreaterThan(10);
  for (const row of [...(tables.sessions ?? []), ...(tables.api_keys ?? [])]) delete row.last_used_at;
  return tables;
}

/** Reads the tables of PostgreSQL, without that of processes, which a job writes. */
function postgresContents(dataDir: string): Record<string, unknown> {
  const names = queryDatabase<{ name: string }>(
    dataDir,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'instances'",
  );
  const unused = "(to_jsonb(t) - 'last_used_at')::text";
  const parts = names.map(({ name }) => `SELECT '${name}' AS name, ${unused} AS content FROM "${name}" t`);
  const rows = queryDatabase<{ name: string; content: string }>(
    dataDir,
    `SELECT name, content FROM (${parts.join(' UNION ALL ')}) AS contents ORDER BY name, content`,
  );
  expect(names.length).toBeGreaterThan(10);
  return Object.fromEntries(Map.groupBy(rows, ({ name }) => name));
}
