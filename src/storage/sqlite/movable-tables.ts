import { SQLiteError, type SQLQueryBindings } from 'bun:sqlite';
import { join } from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { DATABASE } from '../../domain/backup.ts';
import { SetupError } from '../../domain/errors.ts';
import { newTargetMark } from '../../domain/instance/move.ts';
import { hasInstance } from '../data-dir.ts';
import * as shared from '../movable-tables.ts';
import { readMarkFile, writeMarkFile } from '../move-mark.ts';
import * as schema from '../schema.ts';
import { SEALED_TABLES } from '../sealed-tables.ts';
import { vaultKeyStore } from '../stores/vault-keys.ts';
import { type Drizzle, openDatabase, unusable } from './database.ts';
import { takeLock } from './lock.ts';
import { toDb, transaction } from './units.ts';

/** Kinds of columns by the type of Drizzle. */
const KINDS: Readonly<Record<string, shared.ColumnKind>> = {
  SQLiteText: 'text',
  SQLiteTextJson: 'json',
  SQLiteInteger: 'number',
  SQLiteBoolean: 'boolean',
  SQLiteBlobBuffer: 'bytes',
};

/** Tables whose rows belong to a database and are not moved. */
const OWN: readonly unknown[] = [schema.signInAttempts, schema.leases];

/** Returns all tables to move. A table follows those that it refers to. */
export function listTables(): shared.Table[] {
  const sorted: SQLiteTable[] = [];
  const visit = (table: SQLiteTable) => {
    if (sorted.includes(table)) return;
    for (const key of getTableConfig(table).foreignKeys) {
      const { foreignTable } = key.reference();
      if (foreignTable !== table) visit(foreignTable);
    }
    sorted.push(table);
  };
  for (const value of Object.values(schema)) if (is(value, SQLiteTable) && !OWN.includes(value)) visit(value);
  return sorted.map(describeTable);
}

function describeTable(table: SQLiteTable): shared.Table {
  const { columns, primaryKeys } = getTableConfig(table);
  const name = getTableName(table);
  const sealed = SEALED_TABLES.find((one) => one.table === name);
  return {
    name,
    columns: columns.map((column) => {
      const kind = KINDS[column.columnType];
      if (!kind) throw new Error(`the column ${name}.${column.name} has an unknown type`);
      return { name: column.name, kind };
    }),
    key:
      primaryKeys[0]?.columns.map((column) => column.name) ??
      columns.filter((one) => one.primary).map((one) => one.name),
    sealed: sealed?.columns ?? [],
    form: sealed?.form ?? "''",
  };
}

/**
 * Opens the database of a data directory for moving. That of a target is created if missing; `targetOf` is the name of its
 * source, null for a source. A source cannot be changed by other
 * processes until `close`. Throws `SetupError` if a server or a command uses it.
 */
export async function openMovableSqlite(dataDir: string, targetOf: string | null): Promise<shared.MovableDatabase> {
  const name = `sqlite:${dataDir}`;
  const locks = ['server', 'keys'].map((lock) => takeLock(join(dataDir, `${lock}.lock`)));
  const release = () => {
    for (const lock of locks) lock?.release();
  };
  if (locks.includes(null)) {
    release();
    throw new SetupError(`A server or a command that changes keys uses ${name}. Stop it and move again.`);
  }
  try {
    // Before the database, so that a server does not take what an interrupted move left for an instance.
    if (targetOf !== null && !hasInstance(dataDir)) await writeMarkFile(dataDir, newTargetMark(targetOf));
    const db = openDatabase(join(dataDir, DATABASE));
    // Holds the write lock: no other process can change rows that were copied.
    if (targetOf === null) db.$client.run('BEGIN IMMEDIATE');
    return {
      name,
      ...shared.withSetupErrors(tableAccess(db), (error) =>
        error instanceof SQLiteError ? unusable(name, error) : error,
      ),
      readMark: async () => readMarkFile(dataDir),
      writeMark: (mark) => writeMarkFile(dataDir, mark),
      faultOf: () => null,
      close: async () => {
        db.$client.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error instanceof SQLiteError ? unusable(name, error) : error;
  }
}

function tableAccess(db: Drizzle): Omit<shared.TableAccess, 'readMark' | 'writeMark'> {
  const { $client } = db;
  const select = async (sql: string, values: readonly shared.CellValue[]) =>
    $client.query(sql).values(...(values as SQLQueryBindings[])) as shared.TableRow[];
  return {
    listVaultKeys: () => vaultKeyStore(toDb(db)).list(),
    ...shared.rowReaders(select, ({ name }) => `"${name}"`),

    writeRows: async ({ name, columns }, rows) => {
      const insert = $client.query(
        `INSERT INTO "${name}" (${shared.list(columns.map((column) => column.name))}) VALUES (${columns.map(() => '?')})`,
      );
      transaction(db, () => {
        for (const row of rows) insert.run(...(row.slice(0, columns.length) as SQLQueryBindings[]));
      });
    },

    readCounters: async () =>
      $client
        .query<shared.Counters, []>(
          `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'audit'), 0) AS audit,
             (SELECT applied_at FROM migrations ORDER BY name LIMIT 1) AS origin`,
        )
        .get() ?? { audit: 0, origin: '' },

    writeCounters: async ({ audit, origin }) =>
      transaction(db, () => {
        $client.run('UPDATE migrations SET applied_at = ? WHERE name = (SELECT min(name) FROM migrations)', [origin]);
        $client.run("DELETE FROM sqlite_sequence WHERE name = 'audit'");
        if (audit > 0) $client.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('audit', ?)", [audit]);
      }),
  };
}
