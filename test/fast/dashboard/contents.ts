import { Database } from 'bun:sqlite';
import { expect } from 'bun:test';
import { join } from 'node:path';
import type { Instance } from '../../support/instance.ts';

type Row = Record<string, unknown>;

/** Reads all rows of all tables, except when sessions and keys were last used, which a job writes. */
export function contentsOf({ dataDir }: Pick<Instance, 'dataDir'>): Record<string, unknown> {
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
