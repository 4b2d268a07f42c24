import { expect } from 'bun:test';
import { join } from 'node:path';
import type { Instance } from '../../support/instance.ts';

/** All rows of all tables, read by a connection of its own through the server's process lock. */
export async function contentsOf({ dataDir }: Pick<Instance, 'dataDir'>): Promise<Record<string, unknown>> {
  const child = Bun.spawn([process.execPath, '-e', READ, join(dataDir, 'formstead.db')]);
  const text = await new Response(child.stdout).text();
  const tables: Record<string, Array<Record<string, unknown>>> = JSON.parse(text);
  expect(Object.keys(tables).length).toBeGreaterThan(10);
  for (const row of [...(tables.sessions ?? []), ...(tables.api_keys ?? [])]) delete row.last_used_at;
  return tables;
}

/** In a process of its own: reading the file in this one would take SQLite's locks from it. */
const READ = `
const { Database } = require('bun:sqlite');
const db = new Database(process.argv.at(-1), { readonly: true });
const names = db.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
const tables = names.map(({ name }) => [name, db.query('SELECT * FROM ' + name).all()]);
const plain = (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);
process.stdout.write(JSON.stringify(Object.fromEntries(tables), plain));
`;
