import { type SQL, sql } from 'drizzle-orm';
import { getTime } from '../../lib/ids.ts';
import type { Db } from '../database.ts';
import type { SealedCursor, SealedRecord } from '../records.ts';
import { getStart, KEY_ID, SEALED_TABLES, type SealedTable } from '../sealed-tables.ts';

/** The limits of a page. The row that exceeds the size is still included. */
const PAGE = { rows: 200, bytes: 256 * 1024 };

type Row = Readonly<{ pointer: string | number; id: string; form: string; [column: string]: unknown }>;
type Change = SealedRecord & Readonly<{ resealed: Uint8Array }>;

export function sealedRecordStore(db: Db) {
  /** Returns the last row of the page after a position, and whether the page is full; null without rows. */
  const findEnd = async ({ table, pointer, columns }: SealedTable, after: string | number) => {
    const size = sql.raw(columns.map((column) => `coalesce(length(${column}), 0)`).join(' + '));
    const sizes = await db.rows<Readonly<{ pointer: string | number; size: number }>>(
      sql`SELECT ${sql.raw(pointer)} AS pointer, ${size} AS size FROM ${sql.raw(table)}
        WHERE ${sql.raw(pointer)} > ${after} ORDER BY ${sql.raw(pointer)} LIMIT ${PAGE.rows}`,
    );
    let bytes = 0;
    for (const row of sizes) {
      bytes += row.size;
      if (bytes >= PAGE.bytes) return { last: row.pointer, isFull: true };
    }
    const last = sizes.at(-1);
    return last ? { last: last.pointer, isFull: sizes.length === PAGE.rows } : null;
  };

  return {
    /**
     * Lists the next sealed records after `from`, without those under the key `except`: some dozens, or fewer if they are
     * large. `scanned` is the number of rows read, `next` null at the end. Records sealed in the meantime may be missing.
     */
    list: async (from: SealedCursor | null, except: number | null) => {
      const start = from ?? getStart(0);
      const table = start && SEALED_TABLES[start.table];
      if (!table) return { records: [], scanned: 0, next: null };
      const end = await findEnd(table, start.after);
      const rows = end ? await db.rows<Row>(pageQuery(table, start.after, end.last, except)) : [];
      const records = rows.flatMap((row) =>
        table.columns.flatMap((column) => {
          const record = row[column];
          // A mark that is not learned yet has empty changes.
          if (!(record instanceof Uint8Array) || record.length === 0) return [];
          return { aad: { table: table.table, row: row.id, form: row.form, column }, record };
        }),
      );
      const next = end?.isFull ? { table: start.table, after: end.last } : getStart(start.table + 1);
      return { records, scanned: rows.length, next };
    },

    /** Replaces sealed records that have not changed since they were read. Returns the count. */
    replace: async (changes: readonly Change[]): Promise<number> => {
      if (changes.length === 0) return 0;
      return db.lockingTransaction(async (tx) => {
        let replaced = 0;
        for (const [name, ofColumn] of Map.groupBy(changes, ({ aad }) => `${aad.table}.${aad.column}`)) {
          replaced += await replaceColumn(tx, name, ofColumn);
        }
        return replaced;
      });
    },

    /** Counts the sealed records by key id, and the rows of the tables that hold them. Reads all of them. */
    count: (): Promise<Readonly<{ records: ReadonlyMap<number, number>; rows: number }>> =>
      db.lockingTransaction(async (tx) => {
        if (tx.engine === 'postgres') await tx.rows(sql`SET LOCAL statement_timeout = 0`);
        const records = new Map<number, number>();
        let rows = 0;
        for (const { table, columns } of SEALED_TABLES) {
          const [all] = await tx.rows<{ total: number }>(sql`SELECT count(*) AS total FROM ${sql.raw(table)}`);
          rows += all?.total ?? 0;
          for (const column of columns) {
            const counts = await tx.rows<{ id: Uint8Array; total: number }>(sql`
              SELECT ${getKeyId(column)} AS id, count(*) AS total FROM ${sql.raw(table)}
              WHERE length(${sql.raw(column)}) > 0 GROUP BY 1`);
            for (const { id, total } of counts) {
              // A truncated record may have no key id.
              const key = Number.parseInt(Buffer.from(id).toString('hex') || '0', 16);
              records.set(key, (records.get(key) ?? 0) + total);
            }
          }
        }
        return { records, rows };
      }),
  };
}

/** Returns SQL for the key id of a record. PostgreSQL reads only the start of a long record. */
const getKeyId = (column: string): SQL => sql.raw(`substr(${column}, ${KEY_ID.first}, ${KEY_ID.bytes})`);

/** Returns SQL for rows up to `last`. Records under the key `except` are null, so that they are not copied. */
function pageQuery(
  { table, pointer, form, columns }: SealedTable,
  after: string | number,
  last: string | number,
  except: number | null,
): SQL {
  const key = Buffer.alloc(KEY_ID.bytes);
  key.writeUInt32BE(except ?? 0);
  const records = columns.map((column) => {
    const value = sql.raw(column);
    if (except === null) return value;
    return sql`CASE WHEN ${getKeyId(column)} = ${key} THEN NULL ELSE ${value} END AS ${value}`;
  });
  const at = sql.raw(pointer);
  return sql`SELECT ${at} AS pointer, id, ${sql.raw(form)} AS form, ${sql.join(records, sql`, `)} FROM ${sql.raw(table)}
    WHERE ${at} > ${after} AND ${at} <= ${last} ORDER BY ${at}`;
}

/** Replaces the records of a column, such as `forms.challenge_secret`. Returns the number of those that had not changed. */
async function replaceColumn(tx: Db, name: string, changes: readonly Change[]): Promise<number> {
  const [table, column] = name.split('.').map((part) => sql.raw(part)) as [SQL, SQL];
  const isSubmission = name.startsWith('submissions.');
  const pointer = sql.raw(isSubmission ? 'created_at' : 'id');
  const rows = changes.map(({ aad, record, resealed }) => ({
    at: isSubmission ? getTime(aad.row) : aad.row,
    record: Buffer.from(record),
    resealed: Buffer.from(resealed),
  }));
  if (tx.engine === 'postgres') {
    const list = (key: keyof (typeof rows)[number]) => sql.param(rows.map((row) => row[key]));
    const replaced = await tx.rows(sql`UPDATE ${table} AS t SET ${column} = n.resealed
      FROM unnest(${list('at')}::${sql.raw(isSubmission ? 'bigint' : 'text')}[], ${list('record')}::bytea[],
        ${list('resealed')}::bytea[]) AS n(at, record, resealed)
      WHERE t.${pointer} = n.at AND t.${column} = n.record RETURNING t.id`);
    return replaced.length;
  }
  let replaced = 0;
  for (const row of rows) {
    const found = await tx.hotRows(
      `reseal ${name}`,
      row,
      ({ at, record, resealed }) =>
        sql`UPDATE ${table} SET ${column} = ${resealed} WHERE ${pointer} = ${at} AND ${column} = ${record} RETURNING id`,
    );
    replaced += found.length;
  }
  return replaced;
}
