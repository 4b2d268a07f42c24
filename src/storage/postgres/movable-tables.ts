import type pg from 'pg';
import { AppError, SetupError } from '../../domain/errors.ts';
import { databaseName } from '../../domain/instance/move.ts';
import * as shared from '../movable-tables.ts';
import { vaultKeyStore } from '../stores/vault-keys.ts';
import type { Postgres } from './database.ts';
import { toAppError } from './errors.ts';
import { readMark, writeMark } from './move-mark.ts';
import { openPostgres } from './open.ts';

/** The key of the advisory lock of a move: "move" in ASCII. */
const LOCK = 0x6d_6f_76_65;

/** Time for connections of a process that just ended to disappear, in milliseconds. */
const GRACE_MS = 2_000;
const PAUSE_MS = 50;

/** Types of the parameters of an insertion. */
const TYPES: Readonly<Record<shared.ColumnKind, string>> = {
  text: 'text',
  json: 'text',
  number: 'bigint',
  boolean: 'boolean',
  bytes: 'bytea',
};

/**
 * Opens a PostgreSQL database for moving, creating its tables if it is empty. Throws `SetupError` if a server, a command
 * or another move uses it.
 */
export async function openMovablePostgres(
  url: string,
  tables: readonly shared.Table[],
): Promise<shared.MovableDatabase> {
  const name = databaseName(url);
  const postgres = await openPostgres(asMove(url), { mayCreate: true });
  const { pool } = postgres;
  // Has the lock until the end.
  const client = await pool.connect();
  const close = async () => {
    client.release(true);
    await pool.end();
  };
  try {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK]);
    if (!rows[0]?.locked) throw new SetupError(`Another move uses ${name}. Wait until it has ended.`);
    await requireUnserved(client, name);
    return {
      name,
      ...shared.withSetupErrors(
        {
          ...tableAccess(postgres),
          readMark: () => readMark(client),
          writeMark: (mark) => writeMark(client, tables, mark),
        } satisfies shared.TableAccess,
        (error) => toSetupError(error, name),
      ),
      faultOf: getFault,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Names the connections of a move, which tells them from those of a server. */
function asMove(url: string): string {
  const named = new URL(url);
  named.searchParams.set('application_name', 'formstead move');
  return named.href;
}

/** Throws `SetupError` while another process of Formstead is connected. */
async function requireUnserved(client: pg.ClientBase, name: string): Promise<void> {
  const deadline = performance.now() + GRACE_MS;
  for (;;) {
    const { rows } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'formstead' LIMIT 1",
    );
    if (rows.length === 0) return;
    if (performance.now() > deadline) break;
    await Bun.sleep(PAUSE_MS);
  }
  throw new SetupError(`A server or command uses ${name}. Stop all of them and move again.`);
}

/** Returns the error of a failed method. Values are left out of messages. */
function toSetupError(error: unknown, name: string): unknown {
  const cause = toAppError(error);
  if (cause instanceof SetupError) return cause;
  const { message } = (cause instanceof AppError ? cause.cause : cause) as Error;
  return new SetupError(`Could not use ${name}: ${message}. Run the same command again to continue.`);
}

function tableAccess({ pool, db }: Postgres): Omit<shared.TableAccess, 'readMark' | 'writeMark'> {
  const select = async (text: string, values: readonly shared.CellValue[]) => {
    const { rows } = await pool.query({ text, values: [...values], rowMode: 'array' });
    return rows as shared.TableRow[];
  };
  return {
    listVaultKeys: () => vaultKeyStore(db).list(),
    ...shared.rowReaders(select, selected),

    writeRows: async ({ name, columns }, rows) => {
      const parameters = columns.map(({ kind }, index) => `$${index + 1}::${TYPES[kind]}[]`);
      const cells = columns.map(({ kind }, index) => (kind === 'json' ? `c${index}::json` : `c${index}`));
      const values = columns.map(({ kind }, index) => rows.map((row) => stored(kind, row[index] ?? null)));
      const insert = `INSERT INTO "${name}" (${shared.list(columns.map((column) => column.name))})
         SELECT ${cells} FROM unnest(${parameters}) AS v(${columns.map((_, index) => `c${index}`)})`;
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        // The trigger `fence_records` refuses records under a retiring key, which a move must copy.
        await client.query("SET LOCAL formstead.moves_records = 'on'");
        await client.query(insert, values);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {});
        throw error;
      } finally {
        client.release();
      }
    },

    readCounters: async () => {
      const { rows } = await pool.query<shared.Counters>(`SELECT
        (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM audit_id_seq) AS audit,
        (SELECT applied_at FROM migrations ORDER BY name LIMIT 1) AS origin`);
      return rows[0] ?? { audit: 0, origin: '' };
    },

    writeCounters: async ({ audit, origin }) => {
      await pool.query('UPDATE migrations SET applied_at = $1 WHERE name = (SELECT min(name) FROM migrations)', [
        origin,
      ]);
      await pool.query("SELECT setval('audit_id_seq', greatest($1::bigint, 1), $1::bigint > 0)", [audit]);
      await pool.query("SELECT setval('forms_key_seq', max(key)) FROM forms");
    },
  };
}

/** Returns the expression that selects a column in the form of both engines. */
function selected({ name, kind }: shared.Table['columns'][number]): string {
  if (kind === 'json') return `"${name}"::text`;
  return kind === 'boolean' ? `"${name}"::int` : `"${name}"`;
}

function stored(kind: shared.ColumnKind, value: shared.CellValue): shared.CellValue | boolean | Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value);
  return kind === 'boolean' && value !== null ? value === 1 : value;
}

function getFault({ columns }: shared.Table, row: shared.TableRow): string | null {
  const index = row.findIndex((value) => typeof value === 'string' && value.includes('\0'));
  return index === -1 ? null : `${columns[index]?.name} (contains U+0000, which PostgreSQL cannot store)`;
}
