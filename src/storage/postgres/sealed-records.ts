import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../database.ts';
import type { SealedCursor, SealedRecord } from '../records.ts';
import { KEY_ID, SEALED_TABLES, type SealedTable, startOf } from '../sealed-tables.ts';
import type { EngineStores } from '../store.ts';

/** The limits of a page. The row that exceeds the size is still included. */
const PAGE = { rows: 200, bytes: 256 * 1024 };

type Row = Readonly<{ pointer: string | number; id: string; form: string; [column: string]: unknown }>;

/** Creates the store methods that scan and replace the sealed records of all tables. */
export function sealedRecordStore(db: Db) {
  const listPage = async (from: SealedCursor, except: Buffer | null) => {
    const table = SEALED_TABLES[from.table];
    const rows = table ? await db.rows<Row>(pageQuery(table, from.after, except)) : [];
    const records: SealedRecord[] = [];
    let bytes = 0;
    for (const row of rows) {
      for (const column of table?.columns ?? []) {
        const record = row[column];
        // A mark that is not learned yet has empty changes.
        if (!(record instanceof Uint8Array) || record.length === 0) continue;
        records.push({ aad: { table: table?.table ?? '', row: row.id, form: row.form, column }, record });
        bytes += record.length;
      }
    }
    const last = rows.at(-1);
    const isFull = last !== undefined && (rows.length === PAGE.rows || bytes >= PAGE.bytes);
    const next = isFull ? { table: from.table, after: last.pointer } : startOf(from.table + 1);
    return { records, scanned: rows.length, next };
  };

  return {
    list: (from, except) => {
      const id = Buffer.alloc(KEY_ID.bytes);
      id.writeUInt32BE(except ?? 0);
      return listPage(from ?? { table: 0, after: SEALED_TABLES[0]?.start ?? 0 }, except === null ? null : id);
    },

    replace: (changes) => {
      const byColumn = Map.groupBy(changes, ({ aad }) => `${aad.table}.${aad.column}`);
      return db.lockingTransaction(async (tx) => {
        let replaced = 0;
        for (const { table, columns } of SEALED_TABLES) {
          for (const column of columns) {
            const ofColumn = byColumn.get(`${table}.${column}`);
            if (ofColumn) replaced += (await tx.rows(replaceQuery(table, column, ofColumn))).length;
          }
        }
        return replaced;
      });
    },

    count: () =>
      db.lockingTransaction(async (tx) => {
        await tx.rows(sql`SET LOCAL statement_timeout = 0`);
        const records = new Map<number, number>();
        let total = 0;
        for (const { table, columns } of SEALED_TABLES) {
          const rows = await tx.rows<{ total: number }>(sql`SELECT count(*) AS total FROM ${sql.raw(table)}`);
          total += rows[0]?.total ?? 0;
          for (const column of columns) {
            const counts = await tx.rows<{ id: string; total: number }>(sql`
              SELECT encode(${keyIdOf(column)}, 'hex') AS id, count(*) AS total FROM ${sql.raw(table)}
              WHERE length(${sql.raw(column)}) > 0 GROUP BY 1`);
            for (const { id, total } of counts) {
              // A truncated record may have no key id.
              const key = Number.parseInt(id || '0', 16);
              records.set(key, (records.get(key) ?? 0) + total);
            }
          }
        }
        return { records, rows: total };
      }),
  } satisfies EngineStores['sealedRecords'];
}

/** Returns SQL for the key id of a record. PostgreSQL reads only the start of a long record. */
function keyIdOf(column: string): SQL {
  return sql.raw(`substring(${column} FROM ${KEY_ID.first} FOR ${KEY_ID.bytes})`);
}

/** Returns SQL for the rows of a page. Records under the key `except` are null, so that they are not transferred. */
function pageQuery({ table, pointer, form, columns }: SealedTable, after: string | number, except: Buffer | null): SQL {
  const records = columns.map(
    (column) =>
      sql`CASE WHEN ${keyIdOf(column)} = ${except}::bytea THEN NULL ELSE ${sql.raw(column)} END AS ${sql.identifier(column)}`,
  );
  const size = columns.map((column) => `coalesce(length(${column}), 0)`).join(' + ');
  const before = sql.raw(`sum(${size}) OVER (ORDER BY pointer ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`);
  return sql`SELECT pointer, id, form, ${sql.raw(columns.join(', '))} FROM (
      SELECT *, ${before} AS bytes_before FROM (
        SELECT ${sql.raw(`${pointer} AS pointer, id, ${form} AS form`)}, ${sql.join(records, sql`, `)}
        FROM ${sql.raw(table)} WHERE ${sql.raw(pointer)} > ${after} ORDER BY ${sql.raw(pointer)} LIMIT ${PAGE.rows}
      ) AS page
    ) AS measured WHERE coalesce(bytes_before, 0) < ${PAGE.bytes} ORDER BY pointer`;
}

/** Returns SQL that replaces the records of a column which have not changed since they were read. */
function replaceQuery(
  table: string,
  column: string,
  changes: ReadonlyArray<SealedRecord & Readonly<{ resealed: Uint8Array }>>,
): SQL {
  const ids = sql.param(changes.map(({ aad }) => aad.row));
  const records = sql.param(changes.map(({ record }) => Buffer.from(record)));
  const resealed = sql.param(changes.map((change) => Buffer.from(change.resealed)));
  const name = sql.raw(column);
  return sql`UPDATE ${sql.raw(table)} AS t SET ${name} = n.resealed
    FROM unnest(${ids}::text[], ${records}::bytea[], ${resealed}::bytea[]) AS n(id, record, resealed)
    WHERE t.id = n.id AND t.${name} = n.record RETURNING t.id`;
}
