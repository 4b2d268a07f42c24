import pg from 'pg';
import { toAppError } from './errors.ts';

/**
 * Takes a lock of the database for a command; null if another one has it, or for `server` while a process serves the
 * database. None can start to serve meanwhile. The lock is that of a row, so that only accounts that may write to the tables
 * can take it, and is lost with its connection.
 */
export async function takeDatabaseLock(url: string, name: 'server' | 'keys') {
  const client = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'formstead' });
  // Without a listener the loss of the connection would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    // Records that a dead process sealed under an earlier key are refused from then on.
    if (name === 'server') await client.query(FORGET_DEAD);
    await client.query('SET idle_in_transaction_session_timeout = 0; BEGIN');
    const { rowCount } = await client.query('SELECT 1 FROM leases WHERE name = $1 FOR UPDATE SKIP LOCKED', [name]);
    const isFree = rowCount === 1 && !(name === 'server' && (await isServed(client)));
    if (isFree) return { release: () => client.end() };
    await client.end();
    return null;
  } catch (error) {
    await client.end().catch(() => {});
    throw toAppError(error);
  }
}

async function isServed(client: pg.Client): Promise<boolean> {
  return ((await client.query('SELECT 1 FROM instances LIMIT 1')).rowCount ?? 0) > 0;
}

/** SQL that forgets processes without a beat for 5 s by the clock of the database. */
const FORGET_DEAD =
  'DELETE FROM instances WHERE seen_at < (extract(epoch FROM clock_timestamp()) * 1000000)::bigint - 5000000';

/** SQL that waits in a transaction while a command has the lock `server`. */
export const AWAIT_SERVER_LOCK = "SELECT 1 FROM leases WHERE name = 'server' FOR SHARE";
