import type { SealedPointer, SealedRecord, Store } from '../store.ts';
import { type Drizzle, unitOfWork } from './database.ts';

type SealedTable = Readonly<{
  table: string;
  /** What a walk goes along, unique, and what lies before the first. */
  pointer: string;
  start: string | number;
  /** What names the form in the place of a record. */
  form: string;
  columns: readonly string[];
}>;

/** Every column that holds sealed records, but for that of `vault_keys`, each of which is sealed under its own key. */
export const SEALED_TABLES: readonly SealedTable[] = [
  {
    table: 'submissions',
    pointer: 'created_at',
    start: 0,
    form: 'form_id',
    columns: ['payload', 'files', 'spam_reasons'],
  },
  { table: 'forms', pointer: 'id', start: '', form: 'id', columns: ['challenge_secret'] },
  { table: 'users', pointer: 'id', start: '', form: "''", columns: ['totp_secret'] },
  { table: 'outbox', pointer: 'id', start: '', form: "coalesce(form_id, '')", columns: ['reason'] },
];

/** What is read at once: others wait for it. */
const PAGE = { rows: 200, bytes: 256 * 1024 };

/** A record begins with its version, a byte, and the id of its key, four. */
const KEY_ID = { first: 2, bytes: 4 };

type Row = Readonly<{ pointer: string | number; id: string; form: string; [column: string]: unknown }>;

/** All sealed records, wherever they are. */
export function sealedRecordStore(db: Drizzle): Pick<Store, 'listSealed' | 'replaceSealed' | 'countSealed'> {
  const { $client } = db;
  const keyIdOf = (column: string) => `substr(${column}, ${KEY_ID.first}, ${KEY_ID.bytes})`;
  const walks = SEALED_TABLES.map(({ table, pointer, form, columns }) => {
    // Those under the key that is left out are not even copied.
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
        $client.query<null, [sealedAnew: Uint8Array, id: string, record: Uint8Array]>(
          `UPDATE ${table} SET ${column} = ? WHERE id = ? AND ${column} = ?`,
        ),
      ]),
    ),
  );

  const listSealed = (from: SealedPointer, except: Uint8Array | null) => {
    const { table = '', columns = [] } = SEALED_TABLES[from.table] ?? {};
    const records: SealedRecord[] = [];
    let [looked, bytes, after] = [0, 0, from.after];
    let isFull = false;
    for (const row of walks[from.table]?.iterate({ except, after }) ?? []) {
      looked += 1;
      after = row.pointer;
      for (const column of columns) {
        const record = row[column];
        if (!(record instanceof Uint8Array)) continue;
        records.push({ place: { table, row: row.id, form: row.form, column }, record });
        bytes += record.length;
      }
      isFull = looked === PAGE.rows || bytes >= PAGE.bytes;
      if (isFull) break;
    }
    const next = isFull ? { table: from.table, after } : startOf(from.table + 1);
    return { records, looked, next };
  };

  return {
    listSealed: (from, except) =>
      unitOfWork(() => {
        const id = Buffer.alloc(KEY_ID.bytes);
        id.writeUInt32BE(except ?? 0);
        return listSealed(from ?? { table: 0, after: SEALED_TABLES[0]?.start ?? 0 }, except === null ? null : id);
      }),

    replaceSealed: (changes) =>
      unitOfWork(() => {
        const replaceAll = () => {
          let replaced = 0;
          for (const { place, record, sealedAnew } of changes) {
            const update = replace.get(`${place.table}.${place.column}`);
            replaced += update?.run(sealedAnew, place.row, record).changes ?? 0;
          }
          return replaced;
        };
        return changes.length === 0 ? 0 : db.transaction(replaceAll, { behavior: 'immediate' });
      }),

    countSealed: () =>
      unitOfWork(() => {
        const records = new Map<number, number>();
        let rows = 0;
        for (const { table, columns } of SEALED_TABLES) {
          rows += $client.query<{ found: number }, []>(`SELECT count(*) AS found FROM ${table}`).get()?.found ?? 0;
          for (const column of columns) {
            const found = $client.query<{ id: string; found: number }, []>(
              `SELECT hex(${keyIdOf(column)}) AS id, count(*) AS found FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1`,
            );
            for (const { id, found: count } of found.all()) {
              // One that was cut short may name none.
              const key = Number.parseInt(id || '0', 16);
              records.set(key, (records.get(key) ?? 0) + count);
            }
          }
        }
        return { records, rows };
      }),
  };
}

function startOf(table: number): SealedPointer | null {
  const found = SEALED_TABLES[table];
  return found ? { table, after: found.start } : null;
}
