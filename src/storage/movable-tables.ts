import type { MoveMark } from '../domain/instance/move.ts';
import type { StoredVaultKey } from './records.ts';

export type ColumnKind = 'text' | 'json' | 'number' | 'boolean' | 'bytes';

/** A table that both engines have. */
export type Table = Readonly<{
  name: string;
  columns: ReadonlyArray<Readonly<{ name: string; kind: ColumnKind }>>;
  /** The columns of the primary key. */
  key: readonly string[];
  /** Columns with sealed records, and the SQL expression of the form id in their AAD. */
  sealed: readonly string[];
  form: string;
}>;

/** A value in the form that is the same on both engines: booleans are 0 and 1, JSON is its text. */
export type CellValue = string | number | Uint8Array | null;

/** The values of a row in the order of the table's columns; a row that was read ends with the form id of its AAD. */
export type TableRow = readonly CellValue[];

/** The last number of the audit log, which uses none again, and the time at which the instance was created. */
export type Counters = Readonly<{ audit: number; origin: string }>;

/** A database opened for moving. No server uses it until `close`. */
export interface MovableDatabase {
  /** The database for messages, without its password. */
  readonly name: string;
  readMark(): Promise<MoveMark | null>;
  /** Writes the mark; null removes it. The mark of a source keeps processes that are already running from writing. */
  writeMark(mark: MoveMark | null): Promise<void>;
  listVaultKeys(): Promise<readonly StoredVaultKey[]>;
  /** Returns the rows after a key, in the order of the primary key. */
  readRows(table: Table, after: TableRow | null, limit: number): Promise<TableRow[]>;
  /** Returns the column of a row that this engine cannot store, with the reason; null if it can store all. */
  faultOf(table: Table, row: TableRow): string | null;
  /** Inserts rows in one transaction. */
  writeRows(table: Table, rows: readonly TableRow[]): Promise<void>;
  /** Returns the greatest primary key; null for an empty table. */
  lastKey(table: Table): Promise<TableRow | null>;
  readCounters(): Promise<Counters>;
  writeCounters(counters: Counters): Promise<void>;
  close(): Promise<void>;
}

/** Returns the primary key of a row. */
export function getKey({ columns, key }: Table, row: TableRow): TableRow {
  return key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null);
}

/** Returns a value of a row by the name of its column; null if the table has no such column. */
export function toCell({ columns }: Table, row: TableRow, name: string): CellValue {
  return row[columns.findIndex((column) => column.name === name)] ?? null;
}

/** Number and SHA-256 of rows in the order in which they were added. Equal rows have equal hashes on both engines. */
export class RowDigest {
  readonly #hash = new Bun.CryptoHasher('sha256');
  #rows = 0;

  get rows(): number {
    return this.#rows;
  }

  add(row: TableRow): void {
    this.#rows += 1;
    for (const value of row) {
      if (typeof value === 'string') this.#hash.update(`s${Buffer.byteLength(value)}:`).update(value);
      else if (value instanceof Uint8Array) this.#hash.update(`b${value.length}:`).update(value);
      else this.#hash.update(`${value};`);
    }
  }

  hex(): string {
    return this.#hash.digest('hex');
  }
}

/** A database's access to its tables, without what depends on how it is opened. */
export type TableAccess = Omit<MovableDatabase, 'name' | 'close' | 'faultOf'>;

/** Makes methods throw what `toSetupError` makes of their errors. */
export function withSetupErrors<Access extends object>(
  access: Access,
  toSetupError: (error: unknown) => unknown,
): Access {
  const wrap =
    (method: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]) => {
      try {
        return await method(...args);
      } catch (error) {
        throw toSetupError(error);
      }
    };
  return Object.fromEntries(Object.entries(access).map(([method, work]) => [method, wrap(work)])) as Access;
}

/** Creates the methods that read rows. `select` runs SQL with the parameters `$1` and so on, `selected` returns the SQL of a column. */
export function rowReaders(
  select: (sql: string, values: readonly CellValue[]) => Promise<TableRow[]>,
  selected: (column: Table['columns'][number]) => string,
): Pick<MovableDatabase, 'readRows' | 'lastKey'> {
  return {
    readRows: ({ name, columns, key, form }, after, limit) => {
      const where = after ? `WHERE (${list(key)}) > (${key.map((_, index) => `$${index + 1}`)})` : '';
      const sql = `SELECT ${columns.map(selected)}, ${form} FROM "${name}" ${where} ORDER BY ${list(key)} LIMIT ${limit}`;
      return select(sql, after ?? []);
    },

    lastKey: async ({ name, key }) => {
      const order = key.map((column) => `"${column}" DESC`);
      return (await select(`SELECT ${list(key)} FROM "${name}" ORDER BY ${order} LIMIT 1`, []))[0] ?? null;
    },
  };
}

/** Returns a list of names in SQL. */
export const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');
