import { is, type SQL } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  foreignKey,
  index,
  json,
  type PgColumn,
  type PgColumnBuilderBase,
  type PgTable,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as schema from '../src/storage/schema.ts';

/** The tables of `src/storage/schema.ts` in the types of PostgreSQL, which drizzle-kit needs. */

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Kinds of columns by the type of Drizzle. */
const KINDS: Readonly<Record<string, (name: string) => PgColumnBuilderBase>> = {
  SQLiteText: (name) => text(name),
  SQLiteTextJson: (name) => json(name),
  SQLiteInteger: (name) => bigint(name, { mode: 'number' }),
  SQLiteBoolean: (name) => boolean(name),
  SQLiteBlobBuffer: (name) => bytea(name),
};

/** The last columns of indexes whose order SQLite completes by the rowid. */
const LAST_COLUMNS: Readonly<Record<string, string>> = { deliveries_to_send: 'id' };

const tables = new Map<SQLiteTable, PgTable>();

function toColumn(column: SQLiteColumn): PgColumnBuilderBase {
  if ('autoIncrement' in column && column.autoIncrement) {
    return bigint(column.name, { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity();
  }
  const make = KINDS[column.columnType];
  if (!make) throw new Error(`${column.name} has an unknown type ${column.columnType}`);
  // Typed by the builder of one kind: all have these methods.
  let builder = make(column.name) as ReturnType<typeof text>;
  if (column.primary) builder = builder.primaryKey() as typeof builder;
  if (column.notNull) builder = builder.notNull() as typeof builder;
  if (column.default !== undefined) builder = builder.default(column.default as never) as typeof builder;
  return builder;
}

/** Returns a table. Where the key is the rowid in SQLite, indexes also end with it. */
function toTable(table: SQLiteTable): PgTable {
  const { name, columns, indexes, primaryKeys, foreignKeys } = getTableConfig(table);
  const rowid = columns.find((column) => column.primary && column.columnType === 'SQLiteInteger');
  return pgTable(name, Object.fromEntries(columns.map((column) => [column.name, toColumn(column)])), (made) => {
    const at = (column: { name: string }) => made[column.name] as PgColumn;
    return [
      ...primaryKeys.map((key) => primaryKey({ columns: key.columns.map(at) as [PgColumn] })),
      ...columns.filter((column) => column.isUnique).map((column) => unique(column.uniqueName).on(at(column))),
      ...indexes.map(({ config }) => {
        const on = config.columns.map((column) => ('name' in column ? at(column as SQLiteColumn) : (column as SQL)));
        const last = rowid?.name ?? LAST_COLUMNS[config.name];
        const isOrdered =
          last === undefined || config.columns.some((column) => 'name' in column && column.name === last);
        const ordered = isOrdered ? on : [...on, at({ name: last })];
        const built = (config.unique ? uniqueIndex : index)(config.name).on(...(ordered as [PgColumn]));
        return config.where ? built.where(config.where) : built;
      }),
      ...foreignKeys.map((key) => {
        const { columns: from, foreignTable, foreignColumns } = key.reference();
        const target = tables.get(foreignTable) as unknown as Record<string, PgColumn>;
        const built = foreignKey({
          columns: from.map(at) as [PgColumn],
          foreignColumns: foreignColumns.map((column) => target[column.name] as PgColumn) as [PgColumn],
        });
        return key.onDelete ? built.onDelete(key.onDelete) : built;
      }),
    ];
  });
}

function visit(table: SQLiteTable): void {
  if (tables.has(table)) return;
  for (const key of getTableConfig(table).foreignKeys) {
    const { foreignTable } = key.reference();
    if (foreignTable !== table) visit(foreignTable);
  }
  tables.set(table, toTable(table));
}

for (const value of Object.values(schema)) if (is(value, SQLiteTable)) visit(value);

/** All tables, each after those that it refers to. */
export const postgresTables = [...tables.values()];
