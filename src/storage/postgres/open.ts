import pg from 'pg';
import { SetupError } from '../../domain/errors.ts';
import { explainSystemFault } from '../../domain/instance/system-fault.ts';
import type { Logger } from '../../lib/log.ts';
import type { Store } from '../store.ts';
import { connect, type Postgres } from './database.ts';
import { describeDurability, durabilityFaults, readDurability, requireDurability } from './durability.ts';
import { migrate, requireMigrated } from './migrations.ts';
import { requireSessions } from './pooler.ts';
import { postgresStore } from './postgres-store.ts';

/**
 * How to open a database. A server passes `log`, which gets the settings for durability, and upgrades an earlier schema.
 * With `mayCreate` an empty database gets the schema; otherwise nothing is changed.
 */
export type Opening = Readonly<{ log?: Logger | undefined; mayCreate?: boolean }>;

/** Returns true if the database has an instance. Changes nothing. Throws `SetupError` if the server cannot be reached. */
export async function hasPostgresInstance(url: string): Promise<boolean> {
  const { pool } = await connect(url);
  try {
    const { rows } = await pool.query<{ found: boolean }>(
      "SELECT to_regclass('migrations') IS NOT NULL AND to_regclass('counters') IS NOT NULL AS found",
    );
    return rows[0]?.found === true;
  } finally {
    await pool.end();
  }
}

/**
 * Connects to the database. Throws `SetupError` if a pooler shares sessions, the settings for durability
 * do not hold, or the schema is not that of this version.
 */
export async function openPostgres(url: string, { log, mayCreate = false }: Opening = {}): Promise<Postgres> {
  const postgres = await connect(url);
  try {
    await requireSessions(postgres);
    const client = await postgres.pool.connect();
    try {
      const durability = await readDurability(client);
      requireDurability(durability);
      log?.info(`PostgreSQL ${durability.version}: ${describeDurability(durability)}`, {
        synchronous_commit: durability.synchronousCommit,
        synchronous_standby_names: durability.synchronousStandbyNames,
        fsync: durability.fsync,
        full_page_writes: durability.fullPageWrites,
      });
      for (const warning of durabilityFaults(durability)) log?.warn(warning);
      if (mayCreate) await migrate(client, log);
      else await requireMigrated(client);
    } finally {
      client.release();
    }
    return postgres;
  } catch (error) {
    await postgres.pool.end();
    throw error instanceof SetupError ? error : cannotPrepare(error);
  }
}

function cannotPrepare(error: unknown): SetupError {
  // "Duplicate table" or another column: the tables are not those of Formstead.
  if (error instanceof pg.DatabaseError && /^42(P07|703|723)$/.test(error.code ?? '')) {
    return new SetupError(
      `the database in DATABASE_URL has tables of another program (${error.message}). Set DATABASE_URL to a database of its own.`,
    );
  }
  const known = error instanceof pg.DatabaseError && error.code === '42501' ? null : explainSystemFault(error);
  const reason = error instanceof Error ? error.message : String(error);
  const fault = known ?? `${reason}. Give its account the right to create tables and functions.`;
  return new SetupError(`cannot prepare the database in DATABASE_URL: ${fault}`);
}

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** Opens the database as `openPostgres` does and returns its store. */
export async function openPostgresStore(
  url: string,
  opening: Opening,
  ...options: Tail<Parameters<typeof postgresStore>>
): Promise<Store> {
  return postgresStore(await openPostgres(url, opening), ...options);
}
