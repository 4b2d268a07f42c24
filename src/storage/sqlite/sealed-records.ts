import type { SealedCursor, SealedRecord } from '../records.ts';
import { KEY_ID, SEALED_TABLES, startOf } from '../sealed-tables.ts';
import type { EngineStores } from '../store.ts';
import type { Drizzle } from './database.ts';
import { transaction, type Units } from './units.ts';

/** The limits of a page. Reading a page blocks the event loop. */
const PAGE = { rows: 200, bytes: 256 * 1024 };

type Row = Readonly<{ pointer: string | number; id: string; form: string; [column: string]: unknown }>;

/** Creates the store methods that scan and replace the sealed records of all tables. */
export function sealedRecordStore(db: Drizzle) {
  const { $client } = db;
  const keyIdOf = (column: string) => `substr(${column}, ${KEY_ID.first}, ${KEY_ID.bytes})`;
  const scans = SEALED_TABLES.map(({ table, pointer, form, columns }) => {
    // Excluded records become NULL, so that they are not copied.
    const records = columns.map((column) => `iif(${keyIdOf(column)} = $except, NULL, ${column}) AS ${column}`);
    return $client.query<Row, { except: Uint8Array | null; after: string | number }>(
      `SELECT ${pointer} AS pointer, id, ${form} AS form, ${records.join(', ')}
       FROM ${table} WHERE ${pointer} > $after ORDER BY ${pointer} LIMIT ${PAGE.rows}`,
    );
  });
  const replace = new Map(
    SEALED_TABLES.flatMap(({ table, columns }) =>
      columns.map((column) => [
        `${table}.${column}`,
        $client.query<null, [resealed: Uint8Array, id: string, record: Uint8Array]>(
          `UPDATE ${table} SET ${column} = ? WHERE id = ? AND ${column} = ?`,
        ),
      ]),
    ),
  );

  const listPage = (from: SealedCursor, except: Uint8Array | null) => {
    const { table = '', columns = [] } = SEALED_TABLES[from.table] ?? {};
    const records: SealedRecord[] = [];
    let [scanned, bytes, after] = [0, 0, from.after];
    let isFull = false;
    for (const row of scans[from.table]?.iterate({ except, after }) ?? []) {
      scanned += 1;
      after = row.pointer;
      for (const column of columns) {
        const record = row[column];
        // A mark that is not learned yet has empty changes.
        if (!(record instanceof Uint8Array) || record.length === 0) continue;
        records.push({ aad: { table, row: row.id, form: row.form, column }, record });
        bytes += record.length;
      }
      isFull = scanned === PAGE.rows || bytes >= PAGE.bytes;
      if (isFull) break;
    }
    const next = isFull ? { table: from.table, after } : startOf(from.table + 1);
    return { records, scanned, next };
  };

  return {
    list: (from, except) => {
      const id = Buffer.alloc(KEY_ID.bytes);
      id.writeUInt32BE(except ?? 0);
      return listPage(from ?? { table: 0, after: SEALED_TABLES[0]?.start ?? 0 }, except === null ? null : id);
    },

    replace: (changes) => {
      const replaceAll = () => {
        let replaced = 0;
        for (const { aad, record, resealed } of changes) {
          const update = replace.get(`${aad.table}.${aad.column}`);
          replaced += update?.run(resealed, aad.row, record).changes ?? 0;
        }
        return replaced;
      };
      return changes.length === 0 ? 0 : transaction(db, replaceAll);
    },

    count: () => {
      const records = new Map<number, number>();
      let rows = 0;
      for (const { table, columns } of SEALED_TABLES) {
        rows += $client.query<{ total: number }, []>(`SELECT count(*) AS total FROM ${table}`).get()?.total ?? 0;
        for (const column of columns) {
          const keyCounts = $client.query<{ id: string; total: number }, []>(
            `SELECT hex(${keyIdOf(column)}) AS id, count(*) AS total FROM ${table} WHERE length(${column}) > 0 GROUP BY 1`,
          );
          for (const { id, total } of keyCounts.all()) {
            // A truncated record may have no key id.
            const key = Number.parseInt(id || '0', 16);
            records.set(key, (records.get(key) ?? 0) + total);
          }
        }
      }
      return { records, rows };
    },
  } satisfies Units<EngineStores['sealedRecords']>;
}
