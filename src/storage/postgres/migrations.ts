import pg from 'pg';
import first from '../../../drizzle/postgres/0000_first.sql' with { type: 'text' };
import type { Logger } from '../../lib/log.ts';
import { type Applied, checksum, type Migrations, requireSame, serverUpgrades } from '../migrations.ts';

/** Each may only add: an earlier version keeps running beside it during a deploy. */
const MIGRATIONS: Migrations = [['0000_first', first]];

/**
 * Applies the pending migrations in one transaction, one process at a time. Only a server upgrades an existing database:
 * it passes `upgradeLog`. Throws `SetupError` without it, or if an applied migration differs from the one of this program.
 */
export async function migrate(client: pg.ClientBase, upgradeLog: Logger | undefined, retries = 5): Promise<void> {
  await client.query('BEGIN');
  try {
    // Another process may take minutes for its migration.
    await client.query('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0');
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at text NOT NULL, checksum text NOT NULL)',
    );
    await client.query('LOCK TABLE migrations IN EXCLUSIVE MODE');
    const applied = await readLedger(client);
    const pending = MIGRATIONS.filter(([name]) => !applied.has(name));
    if (pending.length > 0 && applied.size > 0) announce(pending, upgradeLog);
    for (const [name, sql] of pending) {
      await client.query(sql);
      const row = [name, new Date().toISOString(), checksum(sql)];
      await client.query('INSERT INTO migrations VALUES ($1, $2, $3)', row);
    }
    await client.query('COMMIT');
    const [latest = ''] = [...applied].filter((name) => !MIGRATIONS.some((one) => one[0] === name));
    if (latest) upgradeLog?.warn('a newer version of Formstead has upgraded the database', { migration: latest });
  } catch (error) {
    await client.query('ROLLBACK');
    // Another process creates the table: its type is unique, and exists a moment before the table does.
    const isRace = error instanceof pg.DatabaseError && /^(pg_|42710$)/.test(error.constraint ?? error.code ?? '');
    if (isRace && retries > 0) return migrate(client, upgradeLog, retries - 1);
    throw error;
  }
}

/** Throws `SetupError` unless all migrations are applied. Changes nothing, so it works on a read-only server. */
export async function requireMigrated(client: pg.ClientBase): Promise<void> {
  const applied = await readLedger(client);
  if (MIGRATIONS.some(([name]) => !applied.has(name))) throw serverUpgrades();
}

/** Logs an upgrade. Throws `SetupError` without a log. */
function announce(pending: Migrations, log: Logger | undefined): void {
  if (!log) throw serverUpgrades();
  log.info('upgrading the database', { migrations: pending.map(([name]) => name).join(', ') });
}

/**
 * Returns the names of the applied migrations, which include those of a newer version. Throws `SetupError` if one differs
 * from the migration of this program.
 */
async function readLedger(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<Applied>('SELECT name, checksum FROM migrations ORDER BY name');
  requireSame(MIGRATIONS, rows);
  return new Set(rows.map(({ name }) => name));
}
