import { expect } from 'bun:test';
import { readTables } from '../../support/database-rows.ts';
import type { Instance } from '../../support/instance.ts';

/** Reads all rows of all tables, without what jobs write: processes, their leases, and times of digests and of last use. */
export function contentsOf({ dataDir }: Pick<Instance, 'dataDir'>): ReturnType<typeof readTables> {
  const { instances, leases, ...tables } = readTables(dataDir);
  expect(Object.keys(tables).length).toBeGreaterThan(10);
  for (const row of [...(tables.sessions ?? []), ...(tables.api_keys ?? [])]) delete row.last_used_at;
  for (const row of tables.forms ?? []) delete row.held_back_until;
  return tables;
}
