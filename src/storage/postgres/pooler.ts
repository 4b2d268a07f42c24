import type pg from 'pg';
import { SetupError } from '../../domain/errors.ts';
import { LIMITS, type Postgres } from './database.ts';

/** Number of attempts to see a pooler give the session of a client to another one. */
const ATTEMPTS = 10;

/**
 * Throws `SetupError` if a pooler between this process and the server gives each transaction another session, or drops
 * the limits of connections. Prepared statements, limits and the locks of commands belong to sessions.
 */
export async function requireSessions({ pool }: Postgres): Promise<void> {
  const client = await pool.connect();
  try {
    const session = await readSession(client);
    // Only a pooler announces another process than the one that answers.
    if (session !== (client as unknown as { processID: number }).processID) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) await requireOwnSession(pool, client, session);
    }
    await requireLimits(client);
  } finally {
    client.release();
  }
}

/** Throws if the session of `client` is used by another connection, or changes while that has a transaction open. */
async function requireOwnSession(pool: pg.Pool, client: pg.ClientBase, session: number): Promise<void> {
  const other = await pool.connect();
  try {
    await other.query('BEGIN');
    const isShared = (await readSession(other)) === session || (await readSession(client)) !== session;
    if (!isShared) return;
  } finally {
    other.release(true);
  }
  throw new SetupError(
    'the pooler in DATABASE_URL gives each transaction another session of PostgreSQL, but Formstead keeps prepared statements and limits in its own. Set its pool_mode to session, or connect to PostgreSQL directly.',
  );
}

async function readSession(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ session: number }>('SELECT pg_backend_pid() AS session');
  return rows[0]?.session ?? 0;
}

/** Throws unless the session has at least the limits of connections. A limit of 0 means none. */
async function requireLimits(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: keyof typeof LIMITS; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY($1)',
    [Object.keys(LIMITS)],
  );
  const missing = rows.filter(({ name, setting }) => Number(setting) === 0 || Number(setting) > LIMITS[name]);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const commands = names.map((name) => `ALTER ROLE name SET ${name} = ${LIMITS[name]};`);
  throw new SetupError(
    `the pooler in DATABASE_URL ignores ${names.join(', ')}, so a process that hangs could hold up the others. Set them for the account in PostgreSQL: ${commands.join(' ')}`,
  );
}
