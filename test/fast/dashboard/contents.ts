import { expect } from 'bun:test';
import { readTables } from '../../support/database-rows.ts';
import type { Instance } from '../../support/instance.ts';

/** Reads all rows of all tables, without what jobs write: processes, and when sessions and keys were last used. */
export function contentsOf({ dataDir }: Pick<Instance, 'dataDir'>): ReturnType<typeof readTables> {
  const { instances, ...tables } = readTables(dataDir);
  expect(Object.keys(tables).length).toBeGreaterThan(10);
  for (const row of [...(tables.sessions ?? []), ...(tables.api_keys ?? [])]) delete row.last_used_at;
  return tables;
}
