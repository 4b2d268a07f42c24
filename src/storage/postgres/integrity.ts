import { type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import type { Db } from '../database.ts';
import type { EngineStores } from '../store.ts';
import { driverError } from './errors.ts';

/** SQLSTATE codes of damaged data (XX) and of a disk that cannot be read. */
const DAMAGE = /^(XX|58)/;

/** A column whose values may be long; `name` is null for a table without any. */
type Column = Readonly<{ table: string; name: string | null; isBytes: boolean }>;

/**
 * Creates the store method that reads all rows, with long values, but no indexes. PostgreSQL finds damaged pages as it
 * reads them, with checksums (`initdb --data-checksums`) every damage, and enforces the declared references itself.
 */
export function integrityStore(db: Db) {
  return {
    checkIntegrity: async () => {
      const faults: string[] = [];
      const rows = await db.rows<Column>(COLUMNS);
      for (const [table, columns] of Map.groupBy(rows, (column) => column.table)) {
        const fault = await readAll(db, table, columns);
        if (fault !== null) faults.push(`${table}: ${fault}`);
      }
      return faults;
    },
  } satisfies Partial<EngineStores['upkeep']>;
}

const COLUMNS = sql`SELECT c.relname AS table, a.attname AS name, a.atttypid = 'bytea'::regtype AS "isBytes"
  FROM pg_class c LEFT JOIN pg_attribute a
    ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attstorage <> 'p'
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY c.relname, a.attnum`;

/** Reads all rows of a table. Returns the damage that PostgreSQL finds; null for none. */
async function readAll(db: Db, table: string, columns: readonly Column[]): Promise<string | null> {
  const values = columns.flatMap(({ name, isBytes }): SQL[] => {
    if (name === null) return [];
    const column = sql.identifier(name);
    // A hash needs the whole value.
    return [isBytes ? sql`count(md5(${column}))` : sql`count(md5(${column}::text))`];
  });
  try {
    await db.lockingTransaction(async (tx) => {
      await tx.rows(sql`SET LOCAL statement_timeout = 0`);
      for (const scan of ['indexscan', 'indexonlyscan', 'bitmapscan']) {
        await tx.rows(sql.raw(`SET LOCAL enable_${scan} = off`));
      }
      await tx.rows(sql`SELECT ${sql.join([sql`count(*)`, ...values], sql`, `)} FROM ${sql.identifier(table)}`);
    });
    return null;
  } catch (error) {
    const cause = driverError(error);
    if (cause instanceof pg.DatabaseError && DAMAGE.test(cause.code ?? '')) return cause.message;
    throw error;
  }
}
