import { SetupError } from '../../domain/errors.ts';
import type { Logger } from '../../lib/log.ts';
import type { Store } from '../store.ts';
import { connect, type Postgres } from './database.ts';
import { describeDurability, durabilityFaults, readDurability, requireDurability } from './durability.ts';
import { migrate } from './migrations.ts';
import { requireSessions } from './pooler.ts';
import { postgresStore } from './postgres-store.ts';

/**
 * Connects to the database and creates its schema if it is empty. A server passes `log`, which gets the settings for
 * durability, and upgrades an earlier schema. Throws `SetupError` if a pooler shares sessions, the settings for durability
 * do not hold, or the schema is not that of this version.
 */
export async function openPostgres(url: string, log?: Logger): Promise<Postgres> {
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
      await migrate(client, log);
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
  const reason = error instanceof Error ? error.message : String(error);
  return new SetupError(
    `cannot prepare the database in DATABASE_URL: ${reason}. Give its account the right to create tables and functions.`,
  );
}

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** Opens the database as `openPostgres` does and returns its store. */
export async function openPostgresStore(
  url: string,
  log: Logger | undefined,
  ...options: Tail<Parameters<typeof postgresStore>>
): Promise<Store> {
  return postgresStore(await openPostgres(url, log), ...options);
}
