import { expect, test } from 'bun:test';
import { getTableName, is } from 'drizzle-orm';
import * as pgCore from 'drizzle-orm/pg-core';
import * as sqliteCore from 'drizzle-orm/sqlite-core';
import * as postgres from '../../../src/storage/postgres/schema.ts';
import * as sqlite from '../../../src/storage/sqlite/schema.ts';

/** Tables and columns in which the schemas differ on purpose, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  submission_clock: 'the clock row of PostgreSQL; SQLite keeps it in sqlite_sequence',
  sign_in_attempts: 'shared by several processes, which only PostgreSQL has; with SQLite they are in memory',
  'submissions.created_at':
    'SQLite generates it, so that no time is used again; PostgreSQL takes it from the clock row',
};

type Column = Readonly<{
  name: string;
  kind: string;
  notNull: boolean;
  default: unknown;
  isPrimary: boolean;
  isUnique: boolean;
  isGenerated: boolean;
}>;

/** The parts of a table that both schemas declare, in the same words. */
type Table = Readonly<{
  columns: Readonly<Record<string, Column>>;
  primaryKey: readonly string[];
  foreignKeys: readonly string[];
  indexes: readonly string[];
}>;

/** Kinds of columns by the type of the driver. */
const KINDS: Readonly<Record<string, string>> = {
  SQLiteText: 'text',
  SQLiteTextJson: 'json',
  SQLiteInteger: 'number',
  SQLiteBoolean: 'boolean',
  SQLiteBlobBuffer: 'bytes',
  PgText: 'text',
  PgJson: 'json',
  PgBigInt53: 'number',
  PgBoolean: 'boolean',
  PgCustomColumn: 'bytes',
};

const tablesOf = (schema: object, table: typeof pgCore.PgTable | typeof sqliteCore.SQLiteTable) =>
  Object.values(schema).filter((value) => is(value, table));

function describeTables(config: ReturnType<typeof configsOf>): Map<string, Table> {
  return new Map(
    config.map(({ name, columns, primaryKeys, foreignKeys, indexes }) => {
      const byName = columns.map((column): [string, Column] => [
        column.name,
        {
          name: column.name,
          kind: KINDS[column.columnType] ?? column.columnType,
          notNull: column.notNull,
          default: column.default,
          isPrimary: column.primary,
          isUnique: column.isUnique,
          isGenerated: column.isGenerated,
        },
      ]);
      return [
        name,
        {
          columns: Object.fromEntries(byName),
          primaryKey: primaryKeys.flat(),
          foreignKeys: foreignKeys.sort(),
          indexes: indexes.sort(),
        },
      ];
    }),
  );
}

/** Reads the declared tables of a schema by its dialect. */
function configsOf(dialect: 'sqlite' | 'postgres') {
  const read = dialect === 'sqlite' ? sqliteConfig : postgresConfig;
  const schema = dialect === 'sqlite' ? sqlite : postgres;
  return tablesOf(schema, dialect === 'sqlite' ? sqliteCore.SQLiteTable : pgCore.PgTable).map((table) => {
    const config = read(table as never);
    return {
      name: config.name,
      columns: config.columns.map((column) => ({
        ...{ name: column.name, columnType: column.columnType, notNull: column.notNull },
        ...{ default: column.default, primary: column.primary, isUnique: column.isUnique },
        isGenerated: 'autoIncrement' in column ? column.autoIncrement : column.generatedIdentity !== undefined,
      })),
      primaryKeys: config.primaryKeys.map((key) => key.columns.map(({ name }) => name)),
      foreignKeys: config.foreignKeys.map((key) => {
        const { columns, foreignTable, foreignColumns } = key.reference();
        const names = (of: ReadonlyArray<Readonly<{ name: string }>>) => of.map(({ name }) => name).join();
        const action = key.onDelete ?? 'no action';
        return `${names(columns)} -> ${getTableName(foreignTable)}.${names(foreignColumns)} on delete ${action}`;
      }),
      indexes: config.indexes.map((index) => index.config.name ?? ''),
    };
  });
}

const sqliteConfig = (table: never) => sqliteCore.getTableConfig(table) as never as Config;
const postgresConfig = (table: never) => pgCore.getTableConfig(table) as never as Config;

/** The part of Drizzle's table configurations that both dialects have. */
type Config = Readonly<{
  name: string;
  columns: ReadonlyArray<
    Readonly<{
      name: string;
      columnType: string;
      notNull: boolean;
      default: unknown;
      primary: boolean;
      isUnique: boolean;
      autoIncrement?: boolean;
      generatedIdentity?: unknown;
    }>
  >;
  primaryKeys: ReadonlyArray<Readonly<{ columns: ReadonlyArray<Readonly<{ name: string }>> }>>;
  foreignKeys: ReadonlyArray<
    Readonly<{
      reference: () => {
        columns: ReadonlyArray<Readonly<{ name: string }>>;
        foreignTable: never;
        foreignColumns: ReadonlyArray<Readonly<{ name: string }>>;
      };
      onDelete?: string;
    }>
  >;
  indexes: ReadonlyArray<Readonly<{ config: Readonly<{ name?: string }> }>>;
}>;

const [left, right] = [describeTables(configsOf('sqlite')), describeTables(configsOf('postgres'))];

test('both schemas have the same tables', () => {
  const names = (tables: Map<string, Table>) => [...tables.keys()].filter((name) => !(name in EXCEPTIONS)).sort();
  expect(names(left).length).toBeGreaterThan(30);
  expect(names(right)).toEqual(names(left));
});

for (const [name, table] of left) {
  test(`both schemas agree on the table ${name}: columns, defaults, keys and indexes`, () => {
    const without = ({ columns, ...rest }: Table) => ({
      ...rest,
      columns: Object.values(columns).filter((column) => !(`${name}.${column.name}` in EXCEPTIONS)),
    });
    expect(without(right.get(name) as Table)).toEqual(without(table));
  });
}

test('each exception names a table or column that exists', () => {
  const known = [left, right].flatMap((tables) =>
    [...tables].flatMap(([name, { columns }]) => [name, ...Object.keys(columns).map((column) => `${name}.${column}`)]),
  );
  expect(known).toEqual(expect.arrayContaining(Object.keys(EXCEPTIONS)));
});
